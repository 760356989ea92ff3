import { type Day, isBefore } from '../../domain/calendar.ts';
import type { NoAnswerRule, PlanType, TaxTreatment } from '../../domain/enums.ts';
import { groupKey, type Policy, type Terms } from '../../domain/policies.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { insertAudit } from '../activity/record.ts';
import { createNoEmployeeError } from '../command-context.ts';
import { getCompany, lockCompany } from '../companies/companies.ts';
import { loadPolicyBook } from '../companies/policy-book.ts';
import type { CompanyContext } from '../context.ts';
import { applyChange, planChange, type WantedChange } from './change.ts';
import { summarizeItems } from './rules/change.ts';
import { refreshShownPlans } from './shown-plans.ts';
import { assignPolicy, countItems, insertDefaultPolicy, insertPolicy, insertVersion, listChanges } from './store.ts';

/** The terms of a policy as an operator gives them. */
export interface TermOptions {
  plan: PlanType | undefined;
  employeeAmount: number | undefined;
  employerAmount: number | undefined;
  employerPercent: number | undefined;
  minimum: number | undefined;
  maximum: number | undefined;
  waitingMonths: number | undefined;
  taxTreatment: TaxTreatment | undefined;
}

/** Returns the terms, or undefined if none are given. Throws if they contradict each other. */
function readTerms({ plan, ...given }: TermOptions): Terms | undefined {
  if (plan === undefined) {
    if (Object.values(given).every((value) => value === undefined)) return undefined;
    throw new OperatorError('Give --plan with the terms of the policy.');
  }
  const { employeeAmount, employerAmount, employerPercent, minimum, maximum, waitingMonths, taxTreatment } = given;
  const amounts = [employeeAmount, employerAmount, employerPercent].filter((value) => value !== undefined);
  if (plan === 'split-pay-plan' ? amounts.length !== 1 : amounts.length > 0) {
    throw new OperatorError(
      'The split-pay plan needs exactly one of --employee-amount, --employer-amount and --employer-percent. The other plans have none.',
    );
  }
  if (employerPercent === undefined && (minimum ?? maximum) !== undefined) {
    throw new OperatorError('--minimum and --maximum are bounds of --employer-percent.');
  }
  if (minimum !== undefined && maximum !== undefined && maximum < minimum) {
    throw new OperatorError('--maximum must be at least --minimum.');
  }
  return {
    planType: plan,
    employeeCents: employeeAmount ?? null,
    employerCents: employerAmount ?? null,
    employerPercent: employerPercent ?? null,
    minimumCents: minimum ?? null,
    maximumCents: maximum ?? null,
    waitingMonths: waitingMonths ?? 0,
    taxTreatment: taxTreatment ?? null,
  };
}

/** Returns the groups of a list separated by commas. */
function readGroups(text: string | undefined): string[] {
  const groups = (text ?? '').split(',').map((group) => group.trim());
  const named = groups.filter((group) => group !== '');
  const long = named.find((group) => group.length > 100);
  if (long !== undefined) throw new OperatorError(`A group has at most 100 characters: "${long}" is longer.`);
  return [...new Map(named.map((group) => [groupKey(group), group])).values()];
}

const noPolicy = (id: number) =>
  new OperatorError(`There is no policy ${id}: run "policy list --company ID" to see all of the company.`);

async function refresh(tx: Tx, companyId: CompanyContext['companyId']): Promise<void> {
  const company = await getCompany(tx as Db, companyId);
  await refreshShownPlans(tx, company, company.processedThrough);
}

/** Creates a policy with its first version. */
export async function createPolicy(
  { companyId, by, write }: CompanyContext,
  { name, from, groups: listed, ...options }: TermOptions & { name: string; from: Day; groups: string | undefined },
) {
  const terms = readTerms(options);
  if (terms === undefined) throw new OperatorError('Give --plan with the terms of the policy.');
  if (name.length > 100) throw new OperatorError('--name must have at most 100 characters.');
  const groups = readGroups(listed);
  return write(async (tx) => {
    await lockCompany(tx, companyId);
    await insertDefaultPolicy(tx, companyId);
    const policyId = await insertPolicy(tx, companyId, { name, groups, at: by.at });
    if (policyId === undefined) throw new OperatorError(`There is a policy "${name}" already: choose another name.`);
    await insertVersion(tx, companyId, { policyId, from, terms });
    const detail = { name, groups, from: from.toString(), ...terms };
    await insertAudit(tx, companyId, { action: 'policy.create', target: String(policyId), detail, ...by });
    await refresh(tx, companyId);
    return { id: policyId };
  });
}

interface ChangeOptions extends TermOptions {
  id: number;
  from: Day;
  deadline: Day | undefined;
  noAnswer: NoAnswerRule | undefined;
  apply: boolean;
}

/** Returns the last day on which employees can agree: the cut-off day of the month before, unless it is given. */
function readDeadline(
  given: Day | undefined,
  { from, today, cutOffDay }: { from: Day; today: Day; cutOffDay: number },
) {
  const before = from.subtract({ months: 1 });
  const usual = before.with({ day: Math.min(cutOffDay, before.daysInMonth) });
  const deadline = given ?? (isBefore(usual, today) ? from.subtract({ days: 1 }) : usual);
  if (isBefore(deadline, today) || !isBefore(deadline, from)) {
    throw new OperatorError(`--deadline must be from ${today} to ${from.subtract({ days: 1 })}.`);
  }
  return deadline;
}

/** Returns the plan of a change, and begins it with `apply`. */
export async function changePolicy(
  { db, companyId, by, write }: CompanyContext,
  { id: policyId, from, deadline: given, noAnswer = 'keep', apply, ...options }: ChangeOptions,
) {
  const terms = readTerms(options);
  const company = await getCompany(db, companyId);
  const today = todayIn({ now: () => by.at }, company.timeZone);
  if (!isBefore(today, from)) throw new OperatorError(`--from must be a month after today (${today}).`);
  const deadline = readDeadline(given, { from, today, cutOffDay: company.cutOffDay });
  const wanted: WantedChange = { policyId, from, terms, deadline, noAnswer };
  const about = { policy: policyId, from: from.toString(), deadline: deadline.toString(), noAnswer };
  if (!apply) {
    const found = await inSnapshot(db, (tx) => planChange(tx, company, wanted));
    if (found === undefined) throw noPolicy(policyId);
    const employees = found.items.slice(0, 1_000).map(({ employeeId, beforeCents, afterCents, needsAgreement }) => ({
      ...{ employee: employeeId, employeeCents: { before: beforeCents, after: afterCents }, mustAgree: needsAgreement },
    }));
    return { applied: null, ...about, ...summarizeItems(found.items), employees };
  }
  return write(async (tx) => {
    await insertDefaultPolicy(tx, companyId);
    const { kind, ...outcome } = await applyChange(tx, companyId, wanted, by);
    if (kind === 'unknown-policy') throw noPolicy(policyId);
    if (kind === 'conflict') {
      throw new OperatorError(`Policy ${policyId} has other terms from ${from}: choose a later month.`);
    }
    if (kind === 'open') {
      throw new OperatorError(`A change of policy ${policyId} is not over: wait for it, or choose its month.`);
    }
    const { changeId: applied, ...summary } = outcome as Extract<typeof outcome, { changeId: number }>;
    return { applied, ...about, ...summary };
  });
}

const presentPolicy = ({ versions, ...policy }: Policy) => ({
  ...policy,
  versions: versions.map(({ from, ...terms }) => ({ from: from.toString(), ...terms })),
});

/** Returns the policies of a company in its order, and how far its changes have got. */
export async function listPolicies({ db, companyId }: CompanyContext) {
  return inSnapshot(db, async (tx) => {
    const { policies } = await loadPolicyBook(tx, await getCompany(tx, companyId));
    const counts = Map.groupBy(await countItems(tx, companyId), ({ changeId }) => changeId);
    const changes = (await listChanges(tx, companyId)).map(({ isSettled: _, ...change }) => ({
      ...change,
      employees: Object.fromEntries((counts.get(change.id) ?? []).map(({ state, employees }) => [state, employees])),
    }));
    return { policies: policies.map(presentPolicy), changes };
  });
}

/** Assigns a policy to an employee by hand. Their running subscription keeps its plan until the policy is changed. */
export async function assignByOperator(
  { companyId, by, write }: CompanyContext,
  { employee: employeeId, policy, clear }: { employee: number; policy: number | undefined; clear: boolean },
) {
  if ((policy === undefined) !== clear) throw new OperatorError('Give either --policy or --clear.');
  const policyId = policy ?? null;
  return write(async (tx) => {
    await lockCompany(tx, companyId);
    const company = await getCompany(tx as Db, companyId);
    const { policies } = await loadPolicyBook(tx, company);
    if (policyId !== null && !policies.some(({ id }) => id === policyId)) throw noPolicy(policyId);
    if (!(await assignPolicy(tx, companyId, { employeeId, policyId, at: by.at }))) {
      throw createNoEmployeeError(companyId, employeeId);
    }
    const detail = { policyId };
    await insertAudit(tx, companyId, { action: 'policy.assign', target: String(employeeId), detail, ...by });
    await refresh(tx, companyId);
    return { employee: employeeId, policy: policyId };
  });
}
