import { service } from '../../domain/actor.ts';
import { type Day, isDue } from '../../domain/calendar.ts';
import type { EmployeeState } from '../../domain/employee.ts';
import type { NoAnswerRule, PlanChangeOutcome } from '../../domain/enums.ts';
import { isUnsubscribed } from '../../domain/subscription/subscription.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { insertAudit } from '../activity/record.ts';
import type { Company } from '../companies/companies.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import { loadEmployees } from '../employees/load.ts';
import { updateSubscriptions, writeHistoryAndDocuments } from '../employees/write.ts';
import { planChange, proposeItems } from './change.ts';
import { type Deadline, planNoAnswer } from './rules/no-answer.ts';
import { listOpenChanges, markChange, type PlanChange } from './store.ts';
import { listOpenItems, setOutcomes } from './store-items.ts';

const outcomeOf = { keep: 'kept', pause: 'paused', cancel: 'cancelled' } as const satisfies Record<
  NoAnswerRule,
  PlanChangeOutcome
>;

/** Returns whether an employee has agreed to the change. */
const hasAgreed = ({ subscription: { nextPlan, contractStatus } }: EmployeeState, changeId: number) =>
  nextPlan?.changeId === changeId && contractStatus === 'accepted';

interface Run {
  company: Company;
  employeeMails: EmployeeMails;
  day: Day;
  now: Temporal.Instant;
}

/** Applies the rule for those who have not agreed by the deadline. */
async function applyDeadline(tx: Tx, { company, day, now }: Run, change: PlanChange): Promise<number> {
  const open = (await listOpenItems(tx, company.id, change.id)).filter(({ needsAgreement }) => needsAgreement);
  const ids = open.map(({ employeeId }) => employeeId);
  const employees = await loadEmployees(tx as Db, company.id, ids, day);
  const silent = [...employees].filter(
    ([, one]) => !hasAgreed(one, change.id) && !isUnsubscribed(one.subscription.status),
  );
  const planned = silent.map(([id, known]) => ({ id, plan: planNoAnswer(known, change, { company, day }) }));
  const context = { actor: service, syncKey: null, hrIntegrationId: null, now, removedAt: now };
  await updateSubscriptions(tx, company.id, planned, context);
  const documents = await writeHistoryAndDocuments(tx, company, planned, context);
  await setOutcomes(tx, company.id, change.id, new Map(silent.map(([id]) => [id, outcomeOf[change.noAnswer]])));
  await markChange(tx, company.id, { id: change.id, column: 'settled_at', at: now });
  await insertAudit(tx, company.id, {
    ...{ actor: service, action: 'policy.settle', target: String(change.policyId), at: now },
    detail: { from: change.from, noAnswer: change.noAnswer, employees: silent.length },
  });
  return documents;
}

/** Records what has become of a change whose month has begun. */
async function finish(tx: Tx, { company, day, now }: Run, change: PlanChange): Promise<void> {
  const open = await listOpenItems(tx, company.id, change.id);
  const ids = open.map(({ employeeId }) => employeeId);
  const employees = await loadEmployees(tx as Db, company.id, ids, day);
  const outcomes = open.map(({ employeeId, planType, contributionCents }): [number, PlanChangeOutcome] => {
    const subscription = employees.get(employeeId)?.subscription;
    const isChanged =
      subscription?.planType === planType &&
      subscription.contributionCents === contributionCents &&
      !isUnsubscribed(subscription.status);
    return [employeeId, isChanged ? 'changed' : 'ended'];
  });
  await setOutcomes(tx, company.id, change.id, new Map(outcomes));
  await markChange(tx, company.id, { id: change.id, column: 'finished_at', at: now });
}

/** Returns the changes whose deadline pauses or ends subscriptions, by id. With `keep` nothing changes. */
export async function loadDeadlines(db: Db | Tx, companyId: CompanyId): Promise<Map<number, Deadline>> {
  const open = await listOpenChanges(db, companyId);
  return new Map(
    open.flatMap(({ id, from, deadline, noAnswer, isSettled }): [number, Deadline][] =>
      isSettled || deadline === null || noAnswer === 'keep'
        ? []
        : [[id, { from, noAnswer, appliesOn: Temporal.PlainDate.from(deadline).add({ days: 1 }) }]],
    ),
  );
}

/**
 * Moves the changes of a company on: whoever has subscribed since becomes part of them, the rule for those who have not
 * agreed is applied after the deadline, and a change is over when its month has begun. Requires that the day's plans have
 * been applied already. Returns how many changes there were, and the number of documents to create.
 */
export async function settlePlanChanges(tx: Tx, run: Run): Promise<{ changes: number; documents: number }> {
  const { company, day, now, employeeMails } = run;
  let documents = 0;
  const changes = await listOpenChanges(tx, company.id);
  for (const change of changes) {
    const from = Temporal.PlainDate.from(change.from);
    const deadline = change.deadline === null ? null : Temporal.PlainDate.from(change.deadline);
    const isLate = deadline !== null && isDue(deadline.add({ days: 1 }), day);
    if (!isLate && !isDue(from, day)) {
      const wanted = { ...change, from, deadline, terms: undefined };
      const found = await planChange(tx, company, wanted);
      const proposal = { company, change: { ...change, from, deadline }, employeeMails, day, now, actor: service };
      documents += (await proposeItems(tx, proposal, found?.items ?? [])).documents;
    }
    if (isLate && !change.isSettled) documents += await applyDeadline(tx, run, change);
    if (isDue(from, day)) await finish(tx, run, change);
  }
  return { changes: changes.length, documents };
}
