import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Role } from '../../../domain/enums.ts';
import { rolesOf, sortRoles, storedRoleOf } from '../../../domain/roles.ts';
import { asCompanyId, type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import { cancelMails } from '../../notices/queue.ts';
import { userEmailKey } from '../store.ts';

const validDays = 7;

/**
 * Lets its bearer become a user of the company. The token starts with the company's id, which selects where to look it
 * up.
 */
interface InvitationToken {
  companyId: CompanyId;
  secret: string;
}

export function parseInvitationToken(text: string): InvitationToken | undefined {
  const match = /^([1-9]\d{0,14})\.([\w-]{43})$/.exec(text);
  if (!match?.[1] || !match[2]) return undefined;
  return { companyId: asCompanyId(Number(match[1])), secret: match[2] };
}

export const invitationMailKey = (id: number) => `invitation/${id}`;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

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

/** Creates an invitation. It replaces an open invitation to the same address, so that only one link works at a time. */
export async function insertInvitation(tx: Tx, companyId: CompanyId, invitation: NewInvitation, by: By) {
  const email = userEmailKey(invitation.email);
  const roles = sortRoles(invitation.roles);
  const replaced = await tx
    .updateTable('invitations as i')
    .set({ revoked_at: sql`now()` })
    .where(ofCompany(companyId, 'i'))
    .where('i.email', '=', email)
    .where(isOpen)
    .returning('i.id')
    .execute();
  for (const { id } of replaced) await cancelMails(tx, companyId, { key: invitationMailKey(id) });
  const secret = randomBytes(32).toString('base64url');
  const { id, expires_at } = await tx
    .insertInto('invitations')
    .values({
      company_id: companyId,
      token_hash: hashOf(secret),
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
  return { id, token: `${companyId}.${secret}`, expiresAt: expires_at };
}

export async function revokeInvitation(tx: Tx, companyId: CompanyId, id: number, by: By): Promise<boolean> {
  const row = await tx
    .updateTable('invitations as i')
    .set({ revoked_at: sql`now()` })
    .where(ofCompany(companyId, 'i'))
    .where('i.id', '=', id)
    .where(isOpen)
    .returning('i.email')
    .executeTakeFirst();
  if (row === undefined) return false;
  await cancelMails(tx, companyId, { key: invitationMailKey(id) });
  await insertAudit(tx, companyId, { action: 'invitation.revoke', target: String(id), detail: row, ...by });
  return true;
}

/** Revokes the open invitations that the user sent. Returns how many there were. */
export async function revokeInvitationsOf(tx: Tx, companyId: CompanyId, userId: string, by: By): Promise<number> {
  const rows = await tx
    .updateTable('invitations as i')
    .set({ revoked_at: sql`now()` })
    .where(ofCompany(companyId, 'i'))
    .where('i.invited_by', '=', userId)
    .where(isOpen)
    .returning(['i.id', 'i.email'])
    .execute();
  for (const { id, email } of rows) {
    await cancelMails(tx, companyId, { key: invitationMailKey(id) });
    await insertAudit(tx, companyId, { action: 'invitation.revoke', target: String(id), detail: { email }, ...by });
  }
  return rows.length;
}

/** Returns undefined if the invitation was used, was revoked, has expired or never existed. */
export async function findInvitation(db: Db, { companyId, secret }: InvitationToken) {
  const row = await db
    .selectFrom('invitations as i')
    .innerJoin('companies as c', 'c.id', 'i.company_id')
    .select(['i.email', 'i.role', 'i.roles', 'i.is_mailed', 'c.name as company_name'])
    .where(ofCompany(companyId, 'i'))
    .where('i.token_hash', '=', hashOf(secret))
    .where(isOpen)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { email: row.email, roles: rolesOf(row), companyName: row.company_name, isMailed: row.is_mailed };
}

/**
 * Marks the invitation as used. A second request with the same link waits for the first one, then finds the invitation
 * used.
 */
export async function useInvitation(tx: Tx, { companyId, secret }: InvitationToken) {
  const row = await tx
    .updateTable('invitations as i')
    .set({ accepted_at: sql`now()` })
    .where(ofCompany(companyId, 'i'))
    .where('i.token_hash', '=', hashOf(secret))
    .where(isOpen)
    .returning(['i.email', 'i.role', 'i.roles', 'i.is_mailed'])
    .executeTakeFirst();
  return row && { email: row.email, roles: rolesOf(row), isMailed: row.is_mailed };
}
