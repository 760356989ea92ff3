import { sql } from 'kysely';
import type { Role } from '../../../domain/enums.ts';
import { rolesOf, sortRoles, storedRoleOf } from '../../../domain/roles.ts';
import { type CompanyToken, createSecret, formatToken, hashSecret } from '../../../platform/crypto/company-token.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import { cancelMails } from '../../notices/queue.ts';
import { userEmailKey } from '../store.ts';

const validDays = 7;

export const invitationMailKey = (id: number) => `invitation/${id}`;

const isOpen = sql<boolean>`i.accepted_at is null and i.revoked_at is null and i.expires_at > now()`;

export async function listInvitations(db: Db, companyId: CompanyId) {
  const rows = await db
    .selectFrom('invitations as i')
    .select(['i.id', 'i.email', 'i.role', 'i.roles', 'i.expires_at'])
    .where(ofCompany(companyId, 'i'))
    .where(isOpen)
    .orderBy('i.id', 'desc')
    .execute();
  return rows.map(({ role, roles, ...invitation }) => ({ ...invitation, roles: rolesOf({ role, roles }) }));
}

interface NewInvitation {
  email: string;
  roles: readonly Role[];
  invitedBy: string;
  /** Whether the link is mailed to the address and shown to nobody. */
  isMailed: boolean;
}

/** How many invitations a company sends within 24 hours, with those that were withdrawn or replaced. */
export const maxInvitationsPerDay = 50;

/** Returns whether the company has sent as many invitations as it may. Others of the company wait until the commit. */
export async function isInvitationLimitReached(tx: Tx, companyId: CompanyId): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`invitations of company ${companyId}`}, 0))`.execute(tx);
  const { rows } = await sql<{ sent: number }>`
    select count(*) as sent from invitations i
    where ${ofCompany(companyId, 'i')} and i.created_at > now() - interval '24 hours'`.execute(tx);
  return (rows[0]?.sent ?? 0) >= maxInvitationsPerDay;
}

/** Makes the chosen open invitations worthless. Those that wait to be mailed are not sent any more. */
async function closeInvitations(
  tx: Tx,
  companyId: CompanyId,
  chosen: { id: number } | { invited_by: string } | { email: string },
) {
  const closed = await tx
    .updateTable('invitations as i')
    .set({ revoked_at: sql`now()` })
    .where(ofCompany(companyId, 'i'))
    .where((eb) => eb.and(chosen))
    .where(isOpen)
    .returning(['i.id', 'i.email'])
    .execute();
  for (const { id } of closed) await cancelMails(tx, companyId, { key: invitationMailKey(id) });
  return closed;
}

/** Creates an invitation. It replaces an open invitation to the same address, so that only one link works at a time. */
export async function insertInvitation(tx: Tx, companyId: CompanyId, invitation: NewInvitation, by: By) {
  const email = userEmailKey(invitation.email);
  const roles = sortRoles(invitation.roles);
  await closeInvitations(tx, companyId, { email });
  const secret = createSecret();
  const { id, expires_at } = await tx
    .insertInto('invitations')
    .values({
      company_id: companyId,
      token_hash: hashSecret(secret),
      email,
      role: storedRoleOf(roles),
      roles,
      invited_by: invitation.invitedBy,
      is_mailed: invitation.isMailed,
      expires_at: sql`now() + make_interval(days => ${validDays})`,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow();
  const detail = { email, roles };
  await insertAudit(tx, companyId, { action: 'invitation.create', target: String(id), detail, ...by });
  return { id, token: formatToken({ companyId, secret }), expiresAt: expires_at };
}

/** Revokes the open invitation of this id, or those that a user sent. Returns how many there were. */
export async function revokeInvitations(
  tx: Tx,
  companyId: CompanyId,
  chosen: { id: number } | { invited_by: string },
  by: By,
): Promise<number> {
  const closed = await closeInvitations(tx, companyId, chosen);
  for (const { id, email } of closed) {
    await insertAudit(tx, companyId, { action: 'invitation.revoke', target: String(id), detail: { email }, ...by });
  }
  return closed.length;
}

/** Returns undefined if the invitation was used, was revoked, has expired or never existed. */
export async function findInvitation(db: Db, { companyId, secret }: CompanyToken) {
  const row = await db
    .selectFrom('invitations as i')
    .innerJoin('companies as c', 'c.id', 'i.company_id')
    .select(['i.email', 'i.role', 'i.roles', 'i.is_mailed', 'c.name as company_name'])
    .where(ofCompany(companyId, 'i'))
    .where('i.token_hash', '=', hashSecret(secret))
    .where(isOpen)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { email: row.email, roles: rolesOf(row), companyName: row.company_name, isMailed: row.is_mailed };
}

/**
 * Marks the invitation as used. A second request with the same link waits for the first one, then finds the invitation
 * used.
 */
export async function useInvitation(tx: Tx, { companyId, secret }: CompanyToken) {
  const row = await tx
    .updateTable('invitations as i')
    .set({ accepted_at: sql`now()` })
    .where(ofCompany(companyId, 'i'))
    .where('i.token_hash', '=', hashSecret(secret))
    .where(isOpen)
    .returning(['i.email', 'i.role', 'i.roles', 'i.is_mailed'])
    .executeTakeFirst();
  return row && { email: row.email, roles: rolesOf(row), isMailed: row.is_mailed };
}
