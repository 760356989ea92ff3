import { updatePushAccess } from '../connectors/push-access.ts';
import type { CompanyContext } from '../context.ts';
import { noActiveKey, ownKey, revokeKey } from './keys.ts';

/** Revokes a key. Takes effect everywhere within a second. */
export const revokeNamedKey = ({ companyId, by, write }: CompanyContext, { username }: { username: string }) =>
  write(async (tx) => {
    const key = ownKey(companyId, username);
    if (!(await revokeKey(tx, key, Temporal.Now.instant(), by))) throw noActiveKey();
    await updatePushAccess(tx, key, by.at);
    return { revoked: true };
  });
