import type { Role } from '../../../domain/enums.ts';
import { isAble, sortRoles } from '../../../domain/roles.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import type { CompanyContext } from '../../context.ts';
import { revokeInvitations } from './invitations.ts';
import { assertNotLastAdmin, lockNamed, type UserName } from './named-user.ts';
import { updateRoles } from './store.ts';

/** Gives a locked user these roles and nothing else. Records it, unless they had exactly these. */
export async function changeRoles(
  tx: Tx,
  companyId: CompanyId,
  { id, name, roles: before }: { id: string; name: string; roles: Role[] },
  { roles, by }: { roles: readonly Role[]; by: By },
): Promise<void> {
  const next = sortRoles(roles);
  if (next.join() === before.join()) return;
  await updateRoles(tx, companyId, id, next);
  const detail = { name, from: before, to: next };
  await insertAudit(tx, companyId, { action: 'user.role', target: id, detail, ...by });
  // An invitation that they sent as an admin would let them return as an admin.
  if (!isAble(next, 'users')) await revokeInvitations(tx, companyId, { invited_by: id }, by);
}

export const setRoles = ({ companyId, by, write }: CompanyContext, user: UserName, roles: Role[]) =>
  write(async (tx) => {
    const found = await lockNamed(tx, companyId, user);
    assertNotLastAdmin(found, by, roles);
    await changeRoles(tx, companyId, found, { roles, by });
    return { id: found.id, roles };
  });
