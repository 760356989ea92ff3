import { type Selectable, sql } from 'kysely';
import type { Environment, Permission } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { ApiKeysTable, CompaniesTable } from '../../platform/db/types.gen.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { announceAccessChange } from '../companies/companies.ts';
import { createKeyId, createPassword, hashPassword, type KeyName, parseUsername, usernameOf } from './credentials.ts';

export interface NewKey {
  username: string;
  password: string;
}

export interface KeySettings {
  environment: Environment;
  name: string;
  permissions: readonly Permission[];
  /** What it gets once an admin has approved it. Null: nothing more. */
  requested?: readonly Permission[] | null;
  expiresAt?: Temporal.Instant;
}

export const noActiveKey = () => new ApiError('not-found', 'There is no active key with this username. Check it.');

/**
 * Parses a username, which contains its company's id. Throws the same error for another company's key as for an unknown
 * one.
 */
export function ownKey(companyId: CompanyId, username: string): KeyName {
  const name = parseUsername(username);
  if (name?.companyId !== companyId) throw noActiveKey();
  return name;
}

/** Returns the portal user who makes a change; null for the operator. */
const userOf = ({ actor }: By) => (actor?.type === 'user' ? actor.name : null);

/** Creates a key. This is the only place where the password leaves the service. Only its hash is stored. */
export async function insertKey(tx: Tx, companyId: CompanyId, settings: KeySettings, by: By = {}): Promise<NewKey> {
  const keyId = createKeyId();
  const password = createPassword(settings.environment);
  const permissions = [...new Set(settings.permissions)];
  await tx
    .insertInto('api_keys')
    .values({
      company_id: companyId,
      id: keyId,
      name: settings.name,
      permissions,
      requested_permissions: settings.requested ? [...settings.requested] : null,
      secret_hash: hashPassword(password),
      expires_at: settings.expiresAt?.toString() ?? null,
      created_by: userOf(by),
      secret_shown_to: userOf(by),
      ...(by.at && { created_at: by.at.toString() }),
    })
    .execute();
  const username = usernameOf({ companyId, keyId });
  await insertAudit(tx, companyId, {
    action: 'key.create',
    target: username,
    detail: { name: settings.name, permissions, ...(settings.requested && { requested: settings.requested }) },
    ...by,
  });
  return { username, password };
}

/**
 * Sets a new password immediately. The previous one stays valid until `overlapEnds`, so that clients have time to
 * switch.
 */
export async function rotateKey(
  tx: Tx,
  key: KeyName,
  { environment, overlapEnds }: { environment: Environment; overlapEnds: Temporal.Instant },
  by: By = {},
): Promise<NewKey | undefined> {
  const password = createPassword(environment);
  const result = await tx
    .updateTable('api_keys')
    .set({
      previous_secret_hash: sql.ref('secret_hash'),
      previous_valid_until: overlapEnds.toString(),
      secret_hash: hashPassword(password),
      secret_shown_to: userOf(by),
    })
    .where(ofCompany(key.companyId, 'api_keys'))
    .where('id', '=', key.keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return undefined;
  await announceAccessChange(tx, key.companyId);
  const username = usernameOf(key);
  await insertAudit(tx, key.companyId, {
    action: 'key.rotate',
    target: username,
    detail: { overlapEnds: overlapEnds.toString() },
    ...by,
  });
  return { username, password };
}

/** Returns a key that is not revoked, and locks it until the transaction ends. */
export const lockKey = (tx: Tx, key: KeyName) =>
  tx
    .selectFrom('api_keys as k')
    .select(['k.name', 'k.permissions', 'k.requested_permissions', 'k.secret_shown_to'])
    .where(ofCompany(key.companyId, 'k'))
    .where('k.id', '=', key.keyId)
    .where('k.revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();

/**
 * Grants a key the permissions that wait for approval, if they are these, or rejects them. A rejected key without any
 * permission is revoked. Returns whether there is such a request.
 */
export async function decideOnRequest(
  tx: Tx,
  key: KeyName,
  { wanted, isApproved }: { wanted: readonly Permission[]; isApproved: boolean },
  by: By = {},
): Promise<boolean> {
  const before = await lockKey(tx, key);
  const requested = before?.requested_permissions as Permission[] | null | undefined;
  if (before === undefined || requested == null || requested.toSorted().join() !== wanted.toSorted().join())
    return false;
  await tx
    .updateTable('api_keys')
    .set({ requested_permissions: null, ...(isApproved && { permissions: requested }) })
    .where(ofCompany(key.companyId, 'api_keys'))
    .where('id', '=', key.keyId)
    .execute();
  await announceAccessChange(tx, key.companyId);
  const action = isApproved ? 'key.approve' : 'key.reject';
  const detail = { name: before.name, permissions: requested };
  await insertAudit(tx, key.companyId, { action, target: usernameOf(key), detail, ...by });
  if (!isApproved && before.permissions.length === 0) await revokeKey(tx, key, Temporal.Now.instant(), by);
  return true;
}

/** Changes the name and the permissions of a key that is not revoked. Returns whether there is such a key. */
export async function updateKey(
  tx: Tx,
  key: KeyName,
  settings: Pick<KeySettings, 'name' | 'permissions' | 'requested'>,
  by: By = {},
): Promise<boolean> {
  const before = await lockKey(tx, key);
  if (before === undefined) return false;
  const permissions = [...new Set(settings.permissions)];
  await tx
    .updateTable('api_keys')
    .set({
      ...{ name: settings.name, permissions },
      requested_permissions: settings.requested ? [...settings.requested] : null,
    })
    .where(ofCompany(key.companyId, 'api_keys'))
    .where('id', '=', key.keyId)
    .execute();
  await announceAccessChange(tx, key.companyId);
  await insertAudit(tx, key.companyId, {
    action: 'key.update',
    target: usernameOf(key),
    detail: {
      name: settings.name,
      previousName: before.name,
      permissions,
      previousPermissions: before.permissions,
      ...(settings.requested && { requested: settings.requested }),
    },
    ...by,
  });
  return true;
}

export async function revokeKey(tx: Tx, key: KeyName, now: Temporal.Instant, by: By = {}): Promise<boolean> {
  const result = await tx
    .updateTable('api_keys')
    .set({ revoked_at: now.toString() })
    .where(ofCompany(key.companyId, 'api_keys'))
    .where('id', '=', key.keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await announceAccessChange(tx, key.companyId);
  await insertAudit(tx, key.companyId, { action: 'key.revoke', target: usernameOf(key), ...by });
  return true;
}

/** Returns every key of the company, newest first, including keys that are no longer valid. */
export async function listKeys(db: Db, companyId: CompanyId) {
  return db
    .selectFrom('api_keys as k')
    .select(['k.id', 'k.name', 'k.permissions', 'k.created_at', 'k.last_used_at', 'k.expires_at', 'k.revoked_at'])
    .select(['k.previous_valid_until', 'k.created_by', 'k.requested_permissions'])
    .where(ofCompany(companyId, 'k'))
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id')
    .execute();
}

/**
 * Returns the active keys that the user created or whose password they were the last to be shown. `isOnlyTheirs`: no
 * other user was shown the current password.
 */
export async function listKeysOf(db: Db, companyId: CompanyId, userId: string) {
  const rows = await db
    .selectFrom('api_keys as k')
    .select(['k.id', 'k.name', 'k.last_used_at', 'k.secret_shown_to'])
    .where(ofCompany(companyId, 'k'))
    .where((eb) => eb.or([eb('k.created_by', '=', userId), eb('k.secret_shown_to', '=', userId)]))
    .where('k.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', sql<string>`now()`)]))
    .orderBy('k.name')
    .orderBy('k.id')
    .execute();
  return rows.map(({ id, secret_shown_to, ...key }) => ({
    ...key,
    keyId: id,
    username: usernameOf({ companyId, keyId: id }),
    isOnlyTheirs: secret_shown_to === userId,
  }));
}

export type KeyOfUser = Awaited<ReturnType<typeof listKeysOf>>[number];

export type KeyRow = Pick<
  Selectable<ApiKeysTable>,
  | 'name'
  | 'permissions'
  | 'secret_hash'
  | 'previous_secret_hash'
  | 'previous_valid_until'
  | 'expires_at'
  | 'revoked_at'
  | 'last_used_at'
> &
  Pick<Selectable<CompaniesTable>, 'locale' | 'currency' | 'time_zone'> & { company_name: string };

const selectKey = preparedStatement(
  (_shape: object, { companyId, keyId, secretHash }: KeyName & { secretHash: Buffer }) => sql<KeyRow>`
    select k.name, k.permissions, k.secret_hash, k.previous_secret_hash, k.previous_valid_until,
      k.expires_at, k.revoked_at, k.last_used_at, c.name as company_name, c.locale, c.currency, c.time_zone
    from api_keys k join companies c on c.id = k.company_id
    where ${ofCompany(companyId, 'k')} and k.id = ${keyId}
      and (k.secret_hash = ${secretHash} or k.previous_secret_hash = ${secretHash})`,
);

/**
 * Returns the key, with the company data that every request needs, if this is its current or previous password. The
 * database compares the hashes, so that an unknown username and a wrong password have the same result: reading a
 * returned row takes 30 µs, which would distinguish the two. Comparing hashes of 256 random bits reveals nothing by its
 * duration.
 */
export async function findKey(db: Db, key: KeyName, secretHash: Buffer): Promise<KeyRow | undefined> {
  const [row] = await selectKey(db, {}, { ...key, secretHash });
  return row;
}

/** Records that a key was used, at most once per minute per key across all processes. */
export async function markKeyUsed(db: Db, { companyId, keyId }: KeyName, now: Temporal.Instant): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now.toString() })
    .where(ofCompany(companyId, 'api_keys'))
    .where('id', '=', keyId)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', now.subtract({ minutes: 1 }).toString())]),
    )
    .execute();
}
