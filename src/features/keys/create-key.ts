import type { Permission } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { planGrant } from '../../domain/roles.ts';
import { invalidValue } from '../../platform/http/errors.ts';
import { updatePushAccess } from '../connectors/push-access.ts';
import type { CompanyContext } from '../context.ts';
import { insertKey } from './keys.ts';

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
