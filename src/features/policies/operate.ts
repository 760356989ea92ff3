import { operator } from '../../domain/actor.ts';
import type { Day } from '../../domain/calendar.ts';
import type { NoAnswerRule, PlanType, TaxTreatment } from '../../domain/enums.ts';
import type { Policy, Terms } from '../../domain/policies.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { NotFoundError } from '../../platform/http/errors.ts';
import { createNoEmployeeError } from '../command-context.ts';
import { getCompany } from '../companies/companies.ts';
import { loadPolicyBook } from '../companies/policy-book.ts';
import type { CompanyContext, EngineContext } from '../context.ts';
import { completeChange, startChange } from './campaign.ts';
import { planChange } from './change.ts';
import { assignByHand, createPolicy } from './manage.ts';
import { summarizeItems } from './rules/change.ts';
import { findTermsProblem } from './rules/terms.ts';
import { listChanges } from './store.ts';
import { countItems } from './store-items.ts';

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

const problems: Record<NonNullable<ReturnType<typeof findTermsProblem>>, string> = {
  amounts:
    'The split-pay plan needs exactly one of --employee-amount, --employer-amount and --employer-percent. The other plans have none.',
  bounds: '--minimum and --maximum are bounds of --employer-percent.',
  'bounds-order': '--maximum must be at least --minimum.',
};

/** Returns the terms, or undefined if none are given. Throws if they contradict each other. */
function readTerms({ plan, ...given }: TermOptions): Terms | undefined {
  if (plan === undefined) {
    if (Object.values(given).every((value) => value === undefined)) return undefined;
    throw new OperatorError('Give --plan with the terms of the policy.');
  }
  const terms = {
    planType: plan,
    employeeCents: given.employeeAmount ?? null,
    employerCents: given.employerAmount ?? null,
    employerPercent: given.employerPercent ?? null,
    minimumCents: given.minimum ?? null,
    maximumCents: given.maximum ?? null,
    waitingMonths: given.waitingMonths ?? 0,
    taxTreatment: given.taxTreatment ?? null,
  };
  const problem = findTermsProblem(terms);
  if (problem !== undefined) throw new OperatorError(problems[problem]);
  return terms;
}

/** Returns the groups of a list separated by commas. */
function readGroups(text: string | undefined): string[] {
  const groups = (text ?? '').split(',').map((group) => group.trim());
  const named = groups.filter((group) => group !== '');
  const long = named.find((group) => group.length > 100);
  if (long !== undefined) throw new OperatorError(`A group has at most 100 characters: "${long}" is longer.`);
  return named;
}

const noPolicy = (id: number) =>
  new OperatorError(`There is no policy ${id}: run "policy list --company ID" to see all of the company.`);

/** Creates a policy with its first version. */
export async function createByOperator(
  context: CompanyContext,
  { name, from, groups: listed, ...options }: TermOptions & { name: string; from: Day; groups: string | undefined },
) {
  const terms = readTerms(options);
  if (terms === undefined) throw new OperatorError('Give --plan with the terms of the policy.');
  if (name.length > 100) throw new OperatorError('--name must have at most 100 characters.');
  return createPolicy(context, { name, groups: readGroups(listed), from: from.toString(), terms });
}

interface ChangeOptions extends TermOptions {
  id: number;
  from: Day;
  deadline: Day | undefined;
  noAnswer: NoAnswerRule | undefined;
  apply: boolean;
}

type ChangeContext = Pick<EngineContext, 'db' | 'companyId' | 'clock' | 'employeeMails'>;

/** Returns the plan of a change, and begins it with `apply`. */
export async function changeByOperator(
  { db, companyId, clock, employeeMails }: ChangeContext,
  { id: policyId, from, deadline, noAnswer = 'keep', apply, ...options }: ChangeOptions,
) {
  const asked = { policyId, from, terms: readTerms(options), deadline: deadline ?? null, noAnswer };
  const company = await getCompany(db, companyId);
  const by = { actor: operator, name: 'Operator', at: clock.now() };
  const wanted = completeChange(asked, { today: todayIn(clock, company.timeZone), cutOffDay: company.cutOffDay });
  const about = { policy: policyId, from: from.toString(), deadline: wanted.deadline.toString(), noAnswer };
  const found = await inSnapshot(db, (tx) => planChange(tx, company, wanted));
  if (found === undefined) throw noPolicy(policyId);
  if (!apply) {
    const employees = found.items.slice(0, 1_000).map(({ employeeId, beforeCents, afterCents, needsAgreement }) => ({
      ...{ employee: employeeId, employeeCents: { before: beforeCents, after: afterCents }, mustAgree: needsAgreement },
    }));
    return { applied: null, ...about, ...summarizeItems(found.items), employees };
  }
  const write: CompanyContext['write'] = (change) => writeCompany(db, companyId, (tx) => change(tx, ['admin']));
  const {
    id: applied,
    deadline: _,
    ...summary
  } = await startChange({ db, companyId, by, write }, { employeeMails }, asked);
  return { applied, ...about, ...summary };
}

const presentPolicy = ({ versions, ...policy }: Policy) => ({
  ...policy,
  versions: versions.map(({ from, ...terms }) => ({ from: from.toString(), ...terms })),
});

/** Returns the policies of a company in its order, and how far its changes have got. */
export async function listByOperator({ db, companyId }: CompanyContext) {
  return inSnapshot(db, async (tx) => {
    const { policies } = await loadPolicyBook(tx, await getCompany(tx, companyId));
    const counts = Map.groupBy(await countItems(tx, companyId), ({ changeId }) => changeId);
    const changes = (await listChanges(tx, companyId)).map(({ id, policyId, from, deadline, noAnswer }) => ({
      ...{ id, policyId, from, deadline, noAnswer },
      employees: Object.fromEntries((counts.get(id) ?? []).map(({ state, employees }) => [state, employees])),
    }));
    return { policies: policies.map(presentPolicy), changes };
  });
}

/** Assigns a policy to an employee by hand. Their running subscription keeps its plan until the policy is changed. */
export async function assignByOperator(
  context: CompanyContext,
  { employee: employeeId, policy, clear }: { employee: number; policy: number | undefined; clear: boolean },
) {
  if ((policy === undefined) !== clear) throw new OperatorError('Give either --policy or --clear.');
  const policyId = policy ?? null;
  try {
    await assignByHand(context, { employeeId, policyId });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw error.what === 'employee' ? createNoEmployeeError(context.companyId, employeeId) : noPolicy(policyId ?? 0);
  }
  return { employee: employeeId, policy: policyId };
}
