import { chunksOf } from '../../domain/chunks.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { ApiError } from '../../platform/http/errors.ts';
import type { View } from '../../platform/http/view.ts';
import { getCompany, lockCompany } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import type { InviteBody, Invited, InvitePreview, Reminded, Selection } from './contract.ts';
import { assertCanJoin, type InviteContext, invitedAtOnce, inviteEmployees, remindEmployees } from './invite.ts';
import { choiceOf, planInvitations, selectIds } from './preview.ts';

/** What a user or the operator needs to invite employees. */
export type ManageContext = Pick<CompanyContext, 'db' | 'companyId' | 'by' | 'write'>;

const dayOf = (timeZone: string, now: Temporal.Instant) => todayIn({ now: () => now }, timeZone);

export const previewInvitations = (
  { db, companyId, by }: ManageContext,
  view: View,
  selection: Selection,
): Promise<{ preview: InvitePreview; ids: number[] }> =>
  inSnapshot(db, async (tx) => {
    const company = await getCompany(tx, companyId);
    return planInvitations(tx, company, selection, { today: dayOf(company.timeZone, by.at), view });
  });

/** Changes invitations of employees in transactions that are small enough for others not to wait long. */
async function inSteps<T>(
  { db, companyId, by, write }: ManageContext,
  employeeMails: EmployeeMails,
  ids: readonly number[],
  step: (tx: Tx, context: InviteContext, some: number[]) => Promise<T>,
): Promise<T[]> {
  assertCanJoin(await getCompany(db, companyId));
  const results: T[] = [];
  for (const some of chunksOf(ids, invitedAtOnce)) {
    const result = await write(async (tx) => {
      await lockCompany(tx, companyId);
      const company = await getCompany(tx as Db, companyId);
      const { actor, at } = by;
      return step(tx, { company, employeeMails, today: dayOf(company.timeZone, at), by: { actor, at } }, some);
    });
    results.push(result);
  }
  return results;
}

/** Invites the employees of a preview. */
export async function inviteSelected(
  context: ManageContext,
  { employeeMails, view }: { employeeMails: EmployeeMails; view: View },
  { confirm, ...selection }: Selection & Partial<Pick<InviteBody, 'confirm'>>,
): Promise<Invited> {
  assertCanJoin(await getCompany(context.db, context.companyId));
  const { ids } = await previewInvitations(context, view, selection);
  if (confirm !== undefined && ids.length !== confirm) {
    const detail = `${ids.length} employees can be invited now, not ${confirm}. Look at the preview again.`;
    throw new ApiError('confirmation-mismatch', detail);
  }
  const choice = choiceOf(selection);
  const results = await inSteps(context, employeeMails, ids, (tx, invite, employeeIds) =>
    inviteEmployees(tx, invite, { employeeIds, choice }),
  );
  return {
    invited: results.reduce((sum, { invited }) => sum + invited, 0),
    mailed: results.reduce((sum, { mailed }) => sum + mailed, 0),
  };
}

/** Reminds the selected employees whose invitation is open, each at most once a day. */
export async function remindSelected(
  context: ManageContext,
  employeeMails: EmployeeMails,
  selection: Selection,
): Promise<Reminded> {
  const ids = await selectIds(context.db, context.companyId, selection);
  const results = await inSteps(context, employeeMails, ids, remindEmployees);
  const reminded = results.reduce((sum, count) => sum + count, 0);
  return { reminded, skipped: ids.length - reminded };
}
