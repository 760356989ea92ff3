import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { Environment, Permission, Role } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { planGrant } from '../../domain/roles.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { ApiKeysTable, CompaniesTable, DB } from '../../platform/db/types.gen.ts';
import { ApiError, invalidValue } from '../../platform/http/errors.ts';
import { type AuditEntry, type By, insertAudit } from '../activity/record.ts';
import { announceAccessChange } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import { updatePushAccess } from '../integrations/push-access.ts';
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

/** Changes a key that is not revoked, and records it. Returns whether there is such a key. */
async function changeRow(
  tx: Tx,
  key: KeyName,
  values: UpdateObject<DB, 'api_keys'>,
  entry: Omit<AuditEntry, 'target'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set(values)
    .where(ofCompany(key.companyId, 'api_keys'))
    .where('id', '=', key.keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await announceAccessChange(tx, key.companyId);
  await insertAudit(tx, key.companyId, { ...entry, target: usernameOf(key) });
  return true;
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
  const values = {
    previous_secret_hash: sql.ref<Buffer>('secret_hash'),
    previous_valid_until: overlapEnds.toString(),
    secret_hash: hashPassword(password),
    secret_shown_to: userOf(by),
  };
  const detail = { overlapEnds: overlapEnds.toString() };
  const isRotated = await changeRow(tx, key, values, { action: 'key.rotate', detail, ...by });
  return isRotated ? { username: usernameOf(key), password } : undefined;
}

/** Returns a key that is not revoked, and locks it until the transaction ends. */
async function lockKey(tx: Tx, key: KeyName) {
  const row = await tx
    .selectFrom('api_keys as k')
    .select(['k.name', 'k.permissions', 'k.requested_permissions', 'k.secret_shown_to'])
    .where(ofCompany(key.companyId, 'k'))
    .where('k.id', '=', key.keyId)
    .where('k.revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row && { ...row, requested: row.requested_permissions as Permission[] | null };
}

export const revokeKey = (tx: Tx, key: KeyName, now: Temporal.Instant, by: By = {}): Promise<boolean> =>
  changeRow(tx, key, { revoked_at: now.toString() }, { action: 'key.revoke', ...by });

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
  'name' | 'permissions' | 'secret_hash' | 'previous_valid_until' | 'expires_at' | 'revoked_at' | 'last_used_at'
> &
  Pick<Selectable<CompaniesTable>, 'locale' | 'currency' | 'time_zone'> & { company_name: string };

const selectKey = preparedStatement(
  (_shape: object, { companyId, keyId, secretHash }: KeyName & { secretHash: Buffer }) => sql<KeyRow>`
    select k.name, k.permissions, k.secret_hash, k.previous_valid_until,
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

interface KeyInput {
  name: string;
  permissions: readonly Permission[];
  expiresAt?: Temporal.Instant | undefined;
}

/** Creates a key. Permissions that the roles of the user may not grant wait until an admin approves them. */
export async function createKey({ config, companyId, by, write }: CompanyContext, input: KeyInput) {
  const { permissions, expiresAt } = input;
  // Keys expire by real time, as the API checks them, even where the environment's clock was moved.
  if (expiresAt && Temporal.Instant.compare(expiresAt, Temporal.Now.instant()) <= 0) {
    throw invalidValue('/expiresAt', 'future', createMessage('value-future'));
  }
  return write(async (tx, roles) => {
    const grant = planGrant(roles, { wanted: permissions, current: [] });
    const settings = { name: input.name.trim(), ...(expiresAt && { expiresAt }), environment: config.environment };
    const key = await insertKey(tx, companyId, { ...settings, ...grant }, by);
    await updatePushAccess(tx, { companyId }, by.at);
    return { ...key, requestedPermissions: grant.requested };
  });
}

/** Changes a key of the company. Throws if `change` finds no such key. */
const changeKey = <T>(
  { companyId, by, write }: CompanyContext,
  username: string,
  change: (tx: Tx, key: KeyName, roles: readonly Role[]) => Promise<T | false | undefined>,
) =>
  write(async (tx, roles) => {
    const key = ownKey(companyId, username);
    const changed = await change(tx, key, roles);
    if (!changed) throw noActiveKey();
    await updatePushAccess(tx, key, by.at);
    return changed;
  });

/** Changes name and permissions. New permissions that the roles of the user may not grant wait until an admin approves. */
export const renameKey = (context: CompanyContext, username: string, { name, permissions }: KeyInput) =>
  changeKey(context, username, async (tx, key, roles) => {
    const before = await lockKey(tx, key);
    if (before === undefined) return false;
    const { requested, ...grant } = planGrant(roles, { wanted: permissions, current: before.permissions });
    const values = { name: name.trim(), ...grant };
    const previous = { previousName: before.name, previousPermissions: before.permissions };
    const entry = { action: 'key.update', detail: { ...values, ...previous, ...(requested && { requested }) } };
    return changeRow(tx, key, { ...values, requested_permissions: requested }, { ...entry, ...context.by });
  });

/**
 * Grants a key the permissions that wait for approval, if they are these, or rejects them. A rejected key without any
 * permission is revoked.
 */
export const decideOnKey = (
  context: CompanyContext,
  username: string,
  { wanted, isApproved }: { wanted: readonly Permission[]; isApproved: boolean },
) =>
  changeKey(context, username, async (tx, key) => {
    const { by } = context;
    const before = await lockKey(tx, key);
    if (!before?.requested || before.requested.toSorted().join() !== wanted.toSorted().join()) return false;
    const { name, permissions, requested } = before;
    const values = { requested_permissions: null, ...(isApproved && { permissions: requested }) };
    const action = isApproved ? 'key.approve' : 'key.reject';
    await changeRow(tx, key, values, { action, detail: { name, permissions: requested }, ...by });
    if (!isApproved && permissions.length === 0) await revokeKey(tx, key, Temporal.Now.instant(), by);
    return true;
  });

/** Revokes a key. Takes effect everywhere within a second. */
export async function revokeNamedKey(context: CompanyContext, { username }: { username: string }) {
  await changeKey(context, username, (tx, key) => revokeKey(tx, key, Temporal.Now.instant(), context.by));
  return { revoked: true };
}

/**
 * Gives a key a new password. Until `overlapEnds`, the previous one is valid too. Users may not do so for a key that may
 * do more than they could grant, unless they know its password already.
 */
export const rotatePassword = (
  context: CompanyContext,
  { username, overlapEnds }: { username: string; overlapEnds: Temporal.Instant },
) =>
  changeKey(context, username, async (tx, key, roles) => {
    const { config, by } = context;
    const current = await lockKey(tx, key);
    if (current === undefined) return undefined;
    const wanted = [...current.permissions, ...(current.requested ?? [])];
    const isKnown = by.actor.type === 'user' && current.secret_shown_to === by.actor.name;
    if (!isKnown && planGrant(roles, { wanted, current: [] }).requested !== null)
      throw new ApiError('missing-role', 'This key may do more than your roles allow. Ask an admin to rotate it.');
    const rotated = await rotateKey(tx, key, { environment: config.environment, overlapEnds }, by);
    return rotated && { ...rotated, requestedPermissions: current.requested };
  });
