import type { SessionMethod } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { listSiblings } from './memberships.ts';

/** Ends all sessions of several users. */
export async function deleteSessionsOf(tx: Tx, userIds: readonly string[]): Promise<void> {
  for (const userId of userIds) await deleteSessions(tx, userId);
}

/** Ends all sessions of a user except `exceptId`. Returns how many were ended. */
export async function deleteSessions(tx: Tx, userId: string, exceptId = ''): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('portal_sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const protectedMethods: readonly SessionMethod[] = ['password-and-factor', 'passkey'];

/**
 * Ends the sessions of an account that were opened without one of its second factors. The current one stays: its user
 * has just added a factor, and used it.
 */
export async function endUnprotectedSessions(
  tx: Tx,
  user: { id: string; email: string },
  current: { id: string; method: SessionMethod },
): Promise<void> {
  const userIds = [user.id, ...(await listSiblings(tx, user)).map(({ userId }) => userId)];
  await tx
    .deleteFrom('portal_sessions')
    .where('user_id', 'in', userIds)
    .where('id', '<>', current.id)
    .where('method', 'not in', protectedMethods)
    .execute();
  if (current.method !== 'password') return;
  await tx
    .updateTable('portal_sessions')
    .set({ method: 'password-and-factor' satisfies SessionMethod })
    .where('id', '=', current.id)
    .execute();
}

/** Records in every other company of an account that its password was changed. */
export async function recordPasswordChange(
  db: Db,
  memberships: readonly { userId: string; companyId: CompanyId }[],
  at: Temporal.Instant,
): Promise<void> {
  for (const { userId, companyId } of memberships) {
    const entry = { action: 'user.password', target: userId, actor: { type: 'user', name: userId }, at } as const;
    await writeCompany(db, companyId, (tx) => insertAudit(tx, companyId, { ...entry, detail: {} }));
  }
}

interface Ending {
  userId: string;
  /** The session that stays signed in. */
  exceptId?: string | undefined;
  by: By;
}

/** Ends sessions and records that in the audit log, unless there were none. Returns how many were ended. */
export async function endSessions(tx: Tx, companyId: CompanyId, { userId, exceptId, by }: Ending): Promise<number> {
  const sessions = await deleteSessions(tx, userId, exceptId);
  if (sessions > 0) {
    await insertAudit(tx, companyId, { action: 'session.end', target: userId, detail: { sessions }, ...by });
  }
  return sessions;
}
