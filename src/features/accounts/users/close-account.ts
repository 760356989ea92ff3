import type { Role } from '../../../domain/enums.ts';
import type { Encryption } from '../../../platform/crypto/encryption.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import { updatePushAccess } from '../../connectors/push-access.ts';
import { type KeyOfUser, listKeysOf, revokeKey } from '../../keys/keys.ts';
import { revokeInvitationsOf } from './invitations.ts';
import { disableUser, removeUser } from './store.ts';

export interface ClosingUser {
  id: string;
  name: string;
  email: string;
  roles: readonly Role[];
}

export interface CloseAccountOptions {
  /** `remove` erases the address. A disabled account can be reopened with a new password. */
  how: 'remove' | 'disable';
  /** Decides whether a key that the user created or knows is revoked. */
  isRevoked(key: KeyOfUser): boolean;
  encryption: Encryption;
  by: By;
}

/**
 * Returns whether a key is revoked when no admin decides otherwise: true if its password was shown to no other user.
 */
export const isRevokedByDefault = ({ isOnlyTheirs }: KeyOfUser) => isOnlyTheirs;

/**
 * Closes an account together with everything that would let its user sign in again. Returns what was revoked and which
 * keys still work.
 */
export async function closeAccount(
  tx: Tx,
  companyId: CompanyId,
  user: ClosingUser,
  { how, isRevoked, encryption, by }: CloseAccountOptions,
) {
  const { id, name, roles } = user;
  const sessions = how === 'remove' ? await removeUser(tx, companyId, user, encryption) : await disableUser(tx, id);
  await insertAudit(tx, companyId, { action: `user.${how}`, target: id, detail: { name, roles, sessions }, ...by });
  const invitations = await revokeInvitationsOf(tx, companyId, id, by);
  const keys = await listKeysOf(tx, companyId, id);
  const revoked = keys.filter(isRevoked);
  for (const { keyId } of revoked) await revokeKey(tx, { companyId, keyId }, Temporal.Now.instant(), by);
  await updatePushAccess(tx, { companyId }, by.at ?? Temporal.Now.instant());
  return { invitations, revoked, kept: keys.filter((key) => !revoked.includes(key)) };
}
