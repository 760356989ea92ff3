import type { Permission } from '../../domain/enums.ts';
import { planGrant } from '../../domain/roles.ts';
import { ApiError } from '../../platform/http/errors.ts';
import type { CompanyContext } from '../context.ts';
import { lockKey, noActiveKey, ownKey, rotateKey } from './keys.ts';

/**
 * Gives a key a new password. Until `overlapEnds`, the previous one is valid too. Users may not do so for a key that may
 * do more than they could grant, unless they know its password already.
 */
export const rotatePassword = (
  { config, companyId, by, write }: CompanyContext,
  { username, overlapEnds }: { username: string; overlapEnds: Temporal.Instant },
) =>
  write(async (tx, roles) => {
    const key = ownKey(companyId, username);
    const current = await lockKey(tx, key);
    if (current === undefined) throw noActiveKey();
    const requestedPermissions = current.requested_permissions as Permission[] | null;
    const wanted = [...current.permissions, ...(requestedPermissions ?? [])];
    const isKnown = by.actor.type === 'user' && current.secret_shown_to === by.actor.name;
    if (!isKnown && planGrant(roles, { wanted, current: [] }).requested !== null)
      throw new ApiError('missing-role', 'This key may do more than your roles allow. Ask an admin to rotate it.');
    const rotated = await rotateKey(tx, key, { environment: config.environment, overlapEnds }, by);
    if (rotated === undefined) throw noActiveKey();
    return { ...rotated, requestedPermissions };
  });
