import { earliestOf } from '../../domain/calendar.ts';
import { chunksOf } from '../../domain/chunks.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { View } from '../../platform/http/view.ts';
import { loadEffectPrices } from '../billing/prices.ts';
import { createEffectSum } from '../billing/rules/effects.ts';
import type { Company } from '../companies/companies.ts';
import { selectEmployeeIds } from '../employees/find-employee.ts';
import { loadEmployees } from '../employees/load.ts';
import { selectInvitedIds } from './campaign.ts';
import { type InvitePreview, maxNamed, type Selection, type UninvitedReason } from './contract.ts';
import { loadOffers } from './invite.ts';
import { type Choice, planInvitation } from './rules/invitation.ts';
import { findInvitations, listUnsubscribedIds } from './store.ts';

const employeesAtOnce = 500;

/** Who is selected by hand may be invited again. */
export const choiceOf = ({ employeeIds }: Selection): Choice => (employeeIds === undefined ? 'everybody' : 'by-hand');

export async function selectIds(
  db: Db | Tx,
  companyId: CompanyId,
  { employeeIds, filter }: Selection,
): Promise<number[]> {
  if (employeeIds !== undefined) return [...new Set(employeeIds)];
  if (filter === undefined) return listUnsubscribedIds(db, companyId);
  const { invitationStates: states, ...others } = filter;
  if (states !== undefined) return selectInvitedIds(db, companyId, { search: filter.search, states });
  return selectEmployeeIds(db as Db, companyId, others);
}

/** Plans the invitation of each selected employee. Writes nothing. */
export async function planInvitations(
  tx: Tx,
  company: Company,
  selection: Selection,
  { today, view }: { today: Temporal.PlainDate; view: View },
): Promise<{ preview: InvitePreview; ids: number[] }> {
  const { id: companyId } = company;
  const selected = await selectIds(tx, companyId, selection);
  const choice = choiceOf(selection);
  const refusals = new Map<UninvitedReason, number>();
  const ids: number[] = [];
  const starts: Temporal.PlainDate[] = [];
  const [named, others]: InvitePreview['named'][] = [[], []];
  const offerTo = await loadOffers(tx, company, today);
  let ofEmployees = 0;
  const sum = createEffectSum(await loadEffectPrices(tx as Db, companyId, { today }));
  for (const some of chunksOf(selected, employeesAtOnce)) {
    const employees = await loadEmployees(tx as Db, companyId, some, today);
    const invitations = await findInvitations(tx, companyId, some);
    for (const employeeId of some) {
      const employee = employees.get(employeeId);
      if (employee === undefined || employee.isRemoved) continue;
      const { refusal, plan } = planInvitation(employee, invitations.get(employeeId), {
        ...{ today, choice, settings: company },
      });
      const { firstName, lastName, email } = employee.profile;
      const entry = { employeeId, name: `${firstName} ${lastName}`, email, refusal };
      const list = refusal === null ? named : others;
      if (list !== undefined && list.length < maxNamed) list.push(entry);
      if (refusal !== null) {
        refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
        continue;
      }
      ids.push(employeeId);
      ofEmployees += offerTo(employee).employeeCents;
      if (plan === undefined) continue;
      sum.add([{ plan }]);
      if (plan.employee.nextTicketOn !== null) starts.push(plan.employee.nextTicketOn);
      else if (plan.employee.subscription.startOn !== null) starts.push(plan.employee.subscription.startOn);
    }
  }
  const { companyCents, employeeCents } = offerTo(undefined);
  const isSameForAll = company.policies === undefined;
  return {
    ids,
    preview: {
      employees: selected.length,
      invitable: ids.length,
      companyAmount: isSameForAll ? view.money(companyCents) : null,
      employeeAmount: isSameForAll ? view.money(employeeCents) : null,
      monthly: {
        company: view.money(sum.total().monthlyCents - ofEmployees),
        employees: view.money(ofEmployees),
      },
      firstMonth: earliestOf(starts)?.toString() ?? null,
      refusals: [...refusals].map(([reason, employees]) => ({ reason, employees })),
      named: [...(named ?? []), ...(others ?? [])].slice(0, maxNamed),
    },
  };
}
