import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Role } from '../../../domain/enums.ts';
import { sortRoles, storedRoleOf } from '../../../domain/roles.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import { changeRoles } from '../users/manage-users.ts';
import { lockUser } from '../users/store.ts';
import type { SsoConnection } from './connection.ts';

const provider = 'oidc';

/** Who signs in, as the identity provider says. */
export interface Identity {
  subject: string;
  email: string;
  /** Whether the provider says `email_verified: true`. */
  isVerified: boolean;
  name: string;
  groups: readonly string[];
}

/** Names the identity in one company. Another company's provider may use the same subject. */
const accountIdOf = (companyId: CompanyId, issuer: string, subject: string) =>
  `${companyId}/${createHash('sha256').update(`${issuer}\n${subject}`).digest('hex')}`;

/** Returns the roles that the groups give, or the default roles if they give none. */
function mapRoles({ groupRoles, defaultRoles }: SsoConnection, groups: readonly string[]): Role[] {
  const given = groupRoles.filter(({ group }) => groups.includes(group)).flatMap(({ roles }) => roles);
  return sortRoles(given.length > 0 ? given : defaultRoles);
}

async function findKnown(tx: Tx, companyId: CompanyId, accountId: string, email: string) {
  const { rows } = await sql<{ id: string; account_id: string | null; is_disabled: boolean }>`
    select u.id, a.account_id, not exists (select from portal_accounts o where o.user_id = u.id) as is_disabled
    from portal_users u left join portal_accounts a on a.user_id = u.id and a.provider_id = ${provider}
    where ${ofCompany(companyId, 'u')} and u.removed_at is null and (a.account_id = ${accountId} or u.email = ${email})
    order by a.account_id = ${accountId} desc nulls last limit 1`.execute(tx);
  return rows[0];
}

const insertIdentity = (tx: Tx, userId: string, accountId: string) =>
  tx
    .insertInto('portal_accounts')
    .values({ id: randomUUID(), user_id: userId, provider_id: provider, account_id: accountId })
    .execute();

async function insertMember(tx: Tx, companyId: CompanyId, { email, name }: Identity, roles: Role[]): Promise<string> {
  const id = randomUUID();
  await tx
    .insertInto('portal_users')
    .values({ id, company_id: companyId, name, email, email_verified: true, role: storedRoleOf(roles), roles })
    .execute();
  const actor = { type: 'user', name: id } as const;
  await insertAudit(tx, companyId, { action: 'user.create', target: id, detail: { name, email, roles }, actor });
  return id;
}

type Admission = { userId: string } | 'disabled' | 'other-identity' | 'address-unverified' | 'no-role';

/**
 * Returns the user of an identity. Creates the membership with the first sign-in, and gives it the roles of its groups
 * with every sign-in. Neither the last admin nor the one who may use a password loses that role.
 */
export async function admitIdentity(
  tx: Tx,
  companyId: CompanyId,
  { connection, identity, by }: { connection: SsoConnection; identity: Identity; by: By },
): Promise<Admission> {
  const roles = mapRoles(connection, identity.groups);
  const accountId = accountIdOf(companyId, connection.issuer, identity.subject);
  const known = await findKnown(tx, companyId, accountId, identity.email);
  if (known === undefined) {
    if (roles.length === 0) return 'no-role';
    const userId = await insertMember(tx, companyId, identity, roles);
    await insertIdentity(tx, userId, accountId);
    return { userId };
  }
  if (known.is_disabled) return 'disabled';
  // Somebody else had this address before. An admin removes that user first.
  if (known.account_id !== null && known.account_id !== accountId) return 'other-identity';
  if (known.account_id === null) {
    // Otherwise anybody who may choose their address at the provider could take over a user.
    if (!identity.isVerified) return 'address-unverified';
    await insertIdentity(tx, known.id, accountId);
  }
  if (connection.groupRoles.length > 0 && known.id !== connection.breakGlassUserId) {
    if (roles.length === 0) return 'no-role';
    const user = await lockUser(tx, companyId, known.id);
    const next = user?.isLastAdmin ? sortRoles(['admin', ...roles]) : roles;
    if (user !== undefined) await changeRoles(tx, companyId, user, { roles: next, by });
  }
  return { userId: known.id };
}
