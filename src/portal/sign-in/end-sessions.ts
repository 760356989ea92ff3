import { type By, insertAudit } from '../../audit.ts';
import type { CompanyId } from '../../db/company-scope.ts';
import type { Tx } from '../../db/database.ts';

/** Ends all sessions of a user except `exceptId`. Returns how many were ended. */
export async function deleteSessions(tx: Tx, userId: string, exceptId = ''): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('portal_sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return Number(numDeletedRows);
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
