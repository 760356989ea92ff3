import { sql } from 'kysely';
import type { Role } from '../../../domain/enums.ts';
import { sortRoles } from '../../../domain/roles.ts';
import { type Encryption, nameSecretOf } from '../../../platform/crypto/encryption.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';

/** The roles that members of a group get. */
interface GroupRoles {
  group: string;
  roles: Role[];
}

/** How the users of a company sign in at its identity provider. */
export interface SsoConnection {
  issuer: string;
  clientId: string;
  defaultRoles: Role[];
  groupsClaim: string;
  groupRoles: GroupRoles[];
  isEnforced: boolean;
  /** The admin who can always sign in with a password. */
  breakGlassUserId: string | null;
}

const nameOf = (companyId: CompanyId) => nameSecretOf('sso_connections', companyId, companyId);

async function findRow(db: Db | Tx, companyId: CompanyId) {
  return db
    .selectFrom('sso_connections as s')
    .select(['s.issuer', 's.client_id', 's.default_roles', 's.groups_claim', 's.group_roles', 's.is_enforced'])
    .select(['s.break_glass_user_id', 's.encrypted_client_secret'])
    .where(ofCompany(companyId, 's'))
    .executeTakeFirst();
}

const present = (row: NonNullable<Awaited<ReturnType<typeof findRow>>>): SsoConnection => ({
  issuer: row.issuer,
  clientId: row.client_id,
  defaultRoles: sortRoles(row.default_roles),
  groupsClaim: row.groups_claim,
  groupRoles: row.group_roles as GroupRoles[],
  isEnforced: row.is_enforced,
  breakGlassUserId: row.break_glass_user_id,
});

export async function findConnection(db: Db | Tx, companyId: CompanyId): Promise<SsoConnection | undefined> {
  const row = await findRow(db, companyId);
  return row && present(row);
}

/** Returns the connection with its secret in clear text. Only for requests to the identity provider. */
export async function findConnectionWithSecret(db: Db, companyId: CompanyId, encryption: Encryption) {
  const row = await findRow(db, companyId);
  return row && { ...present(row), clientSecret: encryption.decrypt(row.encrypted_client_secret, nameOf(companyId)) };
}

/** Ends the sessions that the identity provider of a company opened, with `domain` only those of its addresses. */
export async function endSsoSessions(tx: Tx, companyId: CompanyId, domain?: string): Promise<void> {
  await sql`
    delete from portal_sessions s using portal_users u
    where u.id = s.user_id and ${ofCompany(companyId, 'u')}
      and s.connection_company_id = ${companyId}
      and (${domain ?? null}::text is null or split_part(u.email, '@', 2) = ${domain ?? null})`.execute(tx);
}

/** Stores a connection. Sessions of another identity provider end. Without a new secret, the stored one stays. Returns false if there is none. */
export async function storeConnection(
  tx: Tx,
  companyId: CompanyId,
  { clientSecret, ...connection }: SsoConnection & { clientSecret?: string | undefined },
  { encryption, by }: { encryption: Encryption; by: By },
): Promise<boolean> {
  const known = await findRow(tx, companyId);
  const stored =
    clientSecret === undefined ? known?.encrypted_client_secret : encryption.encrypt(clientSecret, nameOf(companyId));
  if (stored === undefined) return false;
  const values = {
    issuer: connection.issuer,
    client_id: connection.clientId,
    encrypted_client_secret: stored,
    default_roles: sortRoles(connection.defaultRoles),
    groups_claim: connection.groupsClaim,
    group_roles: JSON.stringify(connection.groupRoles),
    is_enforced: connection.isEnforced,
    break_glass_user_id: connection.breakGlassUserId,
  };
  await tx
    .insertInto('sso_connections')
    .values({ company_id: companyId, ...values })
    .onConflict((conflict) =>
      conflict.column('company_id').doUpdateSet({ ...values, updated_at: sql`excluded.updated_at` }),
    )
    .execute();
  const { issuer, isEnforced } = connection;
  if (known !== undefined && known.issuer !== issuer) await endSsoSessions(tx, companyId);
  await insertAudit(tx, companyId, {
    action: 'sso.change',
    target: String(companyId),
    detail: { issuer, isEnforced },
    ...by,
  });
  return true;
}

/** Removes the connection and its sessions, so that users sign in with passwords again. Returns false if there is none. */
export async function deleteConnection(tx: Tx, companyId: CompanyId, by: By): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sso_connections')
    .where(ofCompany(companyId, 'sso_connections'))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await endSsoSessions(tx, companyId);
  await insertAudit(tx, companyId, { action: 'sso.remove', target: String(companyId), ...by });
  return true;
}
