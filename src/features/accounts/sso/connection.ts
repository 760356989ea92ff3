import { sql } from 'kysely';
import { sortRoles } from '../../../domain/roles.ts';
import { type Encryption, nameSecretOf } from '../../../platform/crypto/encryption.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import type { Sso } from './contract.ts';

/** How the users of a company sign in at its identity provider. */
export type SsoConnection = NonNullable<Sso['connection']>;

const nameOf = (companyId: CompanyId) => nameSecretOf('sso_connections', companyId, companyId);

/** Returns the connection, with its secret still encrypted. */
async function findRow(db: Db | Tx, companyId: CompanyId) {
  const row = await db
    .selectFrom('sso_connections as s')
    .select(['s.issuer', 's.client_id as clientId', 's.default_roles as defaultRoles', 's.groups_claim as groupsClaim'])
    .select(['s.group_roles as groupRoles', 's.is_enforced as isEnforced', 's.break_glass_user_id as breakGlassUserId'])
    .select('s.encrypted_client_secret as encryptedSecret')
    .where(ofCompany(companyId, 's'))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { encryptedSecret, ...stored } = row;
  const groupRoles = stored.groupRoles as SsoConnection['groupRoles'];
  const connection: SsoConnection = { ...stored, defaultRoles: sortRoles(stored.defaultRoles), groupRoles };
  return { connection, encryptedSecret };
}

export const findConnection = async (db: Db | Tx, companyId: CompanyId): Promise<SsoConnection | undefined> =>
  (await findRow(db, companyId))?.connection;

/** Returns the connection with its secret in clear text. Only for requests to the identity provider. */
export async function findConnectionWithSecret(db: Db, companyId: CompanyId, encryption: Encryption) {
  const row = await findRow(db, companyId);
  return row && { ...row.connection, clientSecret: encryption.decrypt(row.encryptedSecret, nameOf(companyId)) };
}

/**
 * Ends the sessions of users and employees that the identity provider of a company opened, with `domain` only those of its
 * addresses. Those of employees at other companies end with their next request (employee-access/guard.ts).
 */
export async function endSsoSessions(tx: Tx, companyId: CompanyId, domain?: string): Promise<void> {
  await sql`
    delete from portal_sessions s using portal_users u
    where u.id = s.user_id and ${ofCompany(companyId, 'u')}
      and s.connection_company_id = ${companyId}
      and (${domain ?? null}::text is null or split_part(u.email, '@', 2) = ${domain ?? null})`.execute(tx);
  await sql`
    delete from employee_sessions s using employees e
    where ${ofCompany(companyId, 's')} and ${ofCompany(companyId, 'e')} and e.id = s.employee_id
      and s.connection_company_id = ${companyId}
      and (${domain ?? null}::text is null or split_part(e.email_key, '@', 2) = ${domain ?? null})`.execute(tx);
}

/** Stores a connection. Sessions of another identity provider end. */
export async function storeConnection(
  tx: Tx,
  companyId: CompanyId,
  { clientSecret, ...connection }: SsoConnection & { clientSecret: string },
  { encryption, by }: { encryption: Encryption; by: By },
): Promise<void> {
  const known = await findConnection(tx, companyId);
  const { issuer, isEnforced } = connection;
  const values = {
    issuer,
    client_id: connection.clientId,
    encrypted_client_secret: encryption.encrypt(clientSecret, nameOf(companyId)),
    default_roles: sortRoles(connection.defaultRoles),
    groups_claim: connection.groupsClaim,
    group_roles: JSON.stringify(connection.groupRoles),
    is_enforced: isEnforced,
    break_glass_user_id: connection.breakGlassUserId,
  };
  await tx
    .insertInto('sso_connections')
    .values({ company_id: companyId, ...values })
    .onConflict((conflict) =>
      conflict.column('company_id').doUpdateSet({ ...values, updated_at: sql`excluded.updated_at` }),
    )
    .execute();
  if (known !== undefined && known.issuer !== issuer) await endSsoSessions(tx, companyId);
  const detail = { issuer, isEnforced };
  await insertAudit(tx, companyId, { action: 'sso.change', target: String(companyId), detail, ...by });
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
