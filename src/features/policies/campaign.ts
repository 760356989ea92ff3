import { createMessage } from '../../domain/messages/message.ts';
import type { Terms } from '../../domain/policies.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { ApiError, invalidValue, notFound } from '../../platform/http/errors.ts';
import { presentPage } from '../../platform/http/paging.ts';
import type { View } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import { applyChange, planChange, type WantedChange } from './change.ts';
import {
  type AffectedPage,
  type AffectedQuery,
  type ChangeBody,
  type ChangePreview,
  maxNamed,
  type Reminded,
} from './contract.ts';
import { askForAgreement, toMailedChange } from './mails.ts';
import { assertTerms, type PolicyContext } from './manage.ts';
import { isPossibleDeadline, type PlannedItem, summarizeItems, usualDeadline } from './rules/change.ts';
import { findChangeById, insertDefaultPolicy, type PlanChange } from './store.ts';
import { listAffected, listNames, takeReminders } from './store-items.ts';

/** A change as it is asked for. `deadline` null: the usual one. */
export interface AskedChange extends Omit<WantedChange, 'deadline'> {
  deadline: Temporal.PlainDate | null;
}

export const readChange = (policyId: number, { from, terms, deadline, noAnswer }: ChangeBody): AskedChange => ({
  ...{ policyId, from: Temporal.PlainDate.from(from), terms: (terms ?? undefined) as Terms | undefined, noAnswer },
  deadline: deadline === null ? null : Temporal.PlainDate.from(deadline),
});

const dayOf = ({ by: { at } }: Pick<PolicyContext, 'by'>, { timeZone }: Pick<Company, 'timeZone'>) =>
  todayIn({ now: () => at }, timeZone);

/** Returns a change with its deadline. Throws if its month or its deadline is not possible. */
export function completeChange(
  asked: AskedChange,
  { today, cutOffDay }: { today: Temporal.PlainDate; cutOffDay: number },
): WantedChange & { deadline: Temporal.PlainDate } {
  const { from } = asked;
  if (asked.terms) assertTerms(asked.terms);
  if (Temporal.PlainDate.compare(from, today) <= 0)
    throw invalidValue('/from', 'past', createMessage('policy-change-past', { today }));
  const deadline = asked.deadline ?? usualDeadline({ from, today, cutOffDay });
  if (!isPossibleDeadline(deadline, { from, today })) {
    const range = { first: today, last: from.subtract({ days: 1 }) };
    throw invalidValue('/deadline', 'out-of-range', createMessage('policy-change-deadline', range));
  }
  return { ...asked, deadline };
}

const sumOf = (items: readonly PlannedItem[], of: (item: PlannedItem) => number) =>
  items.reduce((sum, item) => sum + of(item), 0);

/** Returns the plan of a change, as a whole and for each of the first employees. Writes nothing. */
export const previewChange = (
  context: Pick<PolicyContext, 'db' | 'companyId' | 'by'>,
  { view, isMailConfigured }: { view: View; isMailConfigured: boolean },
  asked: AskedChange,
): Promise<ChangePreview> =>
  inSnapshot(context.db, async (tx) => {
    const company = await getCompany(tx, context.companyId);
    const wanted = completeChange(asked, { today: dayOf(context, company), cutOffDay: company.cutOffDay });
    const found = await planChange(tx, company, wanted);
    if (found === undefined) throw notFound('policy');
    const { items } = found;
    const { affected, mustAgree, companyCents, discountLost, discountGained } = summarizeItems(items);
    const money = ({ before, after }: { before: number; after: number }) => ({
      before: view.money(before),
      after: view.money(after),
    });
    const first = items
      .toSorted((a, b) => Number(b.needsAgreement) - Number(a.needsAgreement) || a.employeeId - b.employeeId)
      .slice(0, maxNamed);
    const names = await listNames(
      tx,
      company.id,
      first.map(({ employeeId }) => employeeId),
    );
    return {
      deadline: wanted.deadline.toString(),
      ...{ affected, mustAgree, isMailConfigured },
      company: { perMonth: money(companyCents.perMonth), perYear: money(companyCents.perYear) },
      employees: money({
        before: sumOf(items, ({ beforeCents }) => beforeCents),
        after: sumOf(items, ({ afterCents }) => afterCents),
      }),
      discountLost: discountLost.length,
      discountGained: discountGained.length,
      named: first.map(({ employeeId, beforeCents, afterCents, needsAgreement, discount }) => ({
        ...{ employeeId, name: names.get(employeeId) ?? '', mustAgree: needsAgreement, discount },
        ...money({ before: beforeCents, after: afterCents }),
      })),
    };
  });

/** Begins a change. With `confirm`: only if it affects as many employees as the preview said. The same again begins nothing. */
export async function startChange(
  context: PolicyContext,
  { employeeMails, confirm }: { employeeMails: EmployeeMails; confirm?: number },
  asked: AskedChange,
) {
  const { companyId, by, write } = context;
  return write(async (tx) => {
    await lockCompany(tx, companyId);
    const company = await getCompany(tx as Db, companyId);
    const wanted = completeChange(asked, { today: dayOf(context, company), cutOffDay: company.cutOffDay });
    await insertDefaultPolicy(tx, companyId);
    const outcome = await applyChange(tx, companyId, wanted, { by, employeeMails });
    if (outcome.kind === 'unknown-policy') throw notFound('policy');
    if (outcome.kind === 'conflict') throw invalidValue('/from', 'conflict', createMessage('policy-change-conflict'));
    if (outcome.kind === 'open') throw invalidValue('/from', 'open', createMessage('policy-change-open'));
    const { kind: _, changeId, isNew, affected, ...summary } = outcome;
    if (isNew && confirm !== undefined && affected !== confirm) {
      const message = createMessage('policy-change-confirmation', { affected, confirmed: confirm });
      throw new ApiError('confirmation-mismatch', message);
    }
    return { id: changeId, deadline: wanted.deadline, affected, ...summary };
  });
}

async function getChange(tx: Tx, companyId: PolicyContext['companyId'], id: number): Promise<PlanChange> {
  const change = await findChangeById(tx, companyId, id);
  if (change === undefined) throw notFound('change');
  return change;
}

/** Lists the employees of a change. */
export const listAffectedEmployees = (
  { db, companyId }: Pick<PolicyContext, 'db' | 'companyId'>,
  view: View,
  id: number,
  query: AffectedQuery,
): Promise<AffectedPage> =>
  inSnapshot(db, async (tx) => {
    await getChange(tx, companyId, id);
    const page = await listAffected(tx, companyId, id, query);
    return presentPage(page, query, ({ id: employeeId, firstName, lastName, email, state, ...row }) => ({
      ...{ employeeId, firstName, lastName, email, state, remindedOn: row.remindedOn },
      ...{ before: view.money(row.beforeCents), after: view.money(row.afterCents) },
    }));
  });

/** Reminds those who have not decided about a change, each at most once a day. */
export async function remindUndecided(
  context: PolicyContext,
  employeeMails: EmployeeMails,
  id: number,
): Promise<Reminded> {
  const { companyId, by, write } = context;
  return write(async (tx) => {
    await lockCompany(tx, companyId);
    const company = await getCompany(tx as Db, companyId);
    const today = dayOf(context, company);
    const stored = await getChange(tx, companyId, id);
    const change = toMailedChange(stored);
    if (stored.isSettled || change.deadline === null || Temporal.PlainDate.compare(change.deadline, today) < 0)
      throw new ApiError('decision-refused', createMessage('policy-change-deadline-over'));
    const found = await takeReminders(tx, companyId, { changeId: id, today });
    const occasion = `${id}/${today}`;
    await askForAgreement(tx, { company, employeeMails }, { kind: 'agreement-reminder', occasion, change }, found);
    if (found.length > 0) {
      const detail = { employees: found.length };
      await insertAudit(tx, companyId, { action: 'policy.remind', target: String(stored.policyId), detail, ...by });
    }
    return { reminded: found.length };
  });
}
