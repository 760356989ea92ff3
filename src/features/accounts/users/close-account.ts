import { insertAudit } from '../../activity/record.ts';
import type { CompanyContext } from '../../context.ts';
import { updatePushAccess } from '../../integrations/push-access.ts';
import { type KeyOfUser, listKeysOf, revokeKey } from '../../keys/keys.ts';
import { listEndpointsOf } from '../../webhooks/list-endpoints.ts';
import { disableWithin } from '../../webhooks/set-state.ts';
import { revokeInvitations } from './invitations.ts';
import { assertNotLastAdmin, lockNamed, type UserName } from './manage-users.ts';
import { disableUser, removeUser } from './store.ts';

interface CloseOptions {
  /** `remove` erases the address. A disabled account can be reopened with a new password. */
  how: 'remove' | 'disable';
  /** Decides whether a key that the user created or knows is revoked. By default: see `isRevokedByDefault`. */
  isRevoked?(key: KeyOfUser): boolean;
  /** Webhook endpoints to disable. All others go on, but the user may know their secrets, or own their receivers. */
  disableEndpoints?: readonly number[] | undefined;
}

/**
 * Returns whether a key is revoked when nobody decides otherwise: true if its password was shown to no other user.
 */
export const isRevokedByDefault = ({ isOnlyTheirs }: KeyOfUser) => isOnlyTheirs;

const namesOf = (keys: readonly KeyOfUser[]) => keys.map(({ name, username }) => ({ name, username }));

/**
 * Closes an account together with everything that would let its user sign in again. Returns what was revoked and what
 * still works.
 */
export async function closeAccount(
  { companyId, by, write, openEncryption }: CompanyContext,
  name: UserName,
  { how, isRevoked = isRevokedByDefault, disableEndpoints = [] }: CloseOptions,
) {
  const encryption = await openEncryption();
  return write(async (tx) => {
    const user = await lockNamed(tx, companyId, name);
    assertNotLastAdmin(user, by);
    const { id, roles } = user;
    for (const endpointId of disableEndpoints) await disableWithin(tx, { companyId, endpointId }, 'manual', by);
    const sessions = how === 'remove' ? await removeUser(tx, companyId, user, encryption) : await disableUser(tx, id);
    const detail = { name: user.name, roles, sessions };
    await insertAudit(tx, companyId, { action: `user.${how}`, target: id, detail, ...by });
    const revokedInvitations = await revokeInvitations(tx, companyId, { invited_by: id }, by);
    const keys = await listKeysOf(tx, companyId, id);
    const revoked = keys.filter((key) => isRevoked(key));
    for (const { keyId } of revoked) await revokeKey(tx, { companyId, keyId }, Temporal.Now.instant(), by);
    await updatePushAccess(tx, { companyId }, by.at);
    const kept = keys.filter((key) => !revoked.includes(key));
    const webhookEndpoints = (await listEndpointsOf(tx, companyId, id)).map((one) => ({
      id: one.id,
      host: new URL(one.url).host,
    }));
    return { id, revokedInvitations, revokedKeys: namesOf(revoked), keptKeys: namesOf(kept), webhookEndpoints };
  });
}
