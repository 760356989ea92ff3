import type { Permission, Role } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { planGrant } from '../../domain/roles.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError, invalidValue } from '../../platform/http/errors.ts';
import type { CompanyContext } from '../context.ts';
import { updatePushAccess } from '../integrations/push-access.ts';
import type { KeyName } from './credentials.ts';
import { decideOnRequest, insertKey, lockKey, noActiveKey, ownKey, revokeKey, rotateKey, updateKey } from './keys.ts';

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
    const grant = planGrant(roles, { wanted: permissions, current: before.permissions });
    return updateKey(tx, key, { name: name.trim(), ...grant }, { before, by: context.by });
  });

/** Approves or rejects the permissions for which a key waits. */
export const decideOnKey = (
  context: CompanyContext,
  username: string,
  decision: { wanted: readonly Permission[]; isApproved: boolean },
) => changeKey(context, username, (tx, key) => decideOnRequest(tx, key, decision, context.by));

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
