import { sql } from 'kysely';
import { type Day, isBefore } from '../../domain/calendar.ts';
import type { ContractDecision } from '../../domain/enums.ts';
import type { Terms } from '../../domain/policies.ts';
import { addTicketPrice, loadPrices } from '../../features/billing/prices.ts';
import { priceOn } from '../../features/billing/rules/charges.ts';
import { startChange } from '../../features/policies/campaign.ts';
import { createPolicy, type PolicyContext } from '../../features/policies/manage.ts';
import { applyDecisions } from '../../features/subscriptions/apply-decision.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Calendar } from './calendar.ts';
import { type Action, type DemoContext, demoUserId, demoUserName, type Group } from './context.ts';

const plain: Omit<Terms, 'planType'> = {
  ...{ employeeCents: null, employerCents: null, employerPercent: null, minimumCents: null, maximumCents: null },
  ...{ waitingMonths: 0, taxTreatment: null },
};

/** What the company pays for each group. With the percentage, employees pay a part of a higher price. */
const termsOfGroups: Record<Group, Terms> = {
  Auszubildende: { ...plain, planType: 'fully-subsidized-plan' },
  'Niederlassung Kiel': { ...plain, planType: 'split-pay-plan', employerPercent: 70 },
  'Werk Süd': { ...plain, planType: 'split-pay-plan', employerCents: 4_500 },
};

/** The group whose change is under way. */
const askedGroup: Group = 'Niederlassung Kiel';

const priceRiseCents = 300;

/**
 * Returns the month of the coming price: January from October to the beginning of December, while employees can agree for some
 * days yet. In the rest of the year the month after next.
 */
export function comingPriceMonth({ today, month }: Pick<Calendar, 'today' | 'month'>): Day {
  const january = [1, 2, 3].map(month).find((first) => first.month === 1);
  const lastDay = january?.subtract({ months: 1 }).with({ day: 5 });
  return january && lastDay && !isBefore(lastDay, today) ? january : month(2);
}

const policyContextOf = ({ tx, companyId, deps }: DemoContext): PolicyContext => ({
  db: tx as Db,
  companyId,
  by: { actor: { type: 'user', name: demoUserId }, name: demoUserName, at: deps.clock.now() },
  write: (change) => change(tx, ['admin']),
});

/** Creates a policy per group, and changes what running subscriptions pay. Shares that fall are only announced. */
const createPolicies = (from: Day, ids: Map<Group, number>) => async (context: DemoContext) => {
  const { employeeMails } = context.deps;
  for (const [group, terms] of Object.entries(termsOfGroups) as [Group, Terms][]) {
    const policy = { name: group, groups: [group], from: from.toString(), terms };
    const { id } = await createPolicy(policyContextOf(context), policy);
    ids.set(group, id);
    const change = { policyId: id, from, terms: undefined, deadline: null, noAnswer: 'keep' } as const;
    await startChange(policyContextOf(context), { employeeMails }, change);
  }
};

/** Adds the coming ticket price, as the operator does. One that begins in that month already stays. */
export async function addComingPrice(tx: Tx, calendar: Calendar): Promise<void> {
  const from = comingPriceMonth(calendar);
  const { tickets } = await loadPrices(tx as Db);
  if (tickets.some(({ validFrom }) => validFrom.equals(from))) return;
  const gross = (priceOn(tickets, from)?.listCents ?? 0) + priceRiseCents;
  await addTicketPrice({ tx }, { from, gross, vat: undefined, discount: undefined, discountShare: undefined });
}

async function listUndecided({ tx, companyId }: DemoContext): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
      and e.plan_change is not null and e.contract_status = 'pending' order by e.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Records what every `nth` of those decide who have not decided yet, at least of one. */
const decide =
  (on: Day, decision: ContractDecision, nth: number) =>
  async (context: DemoContext): Promise<void> => {
    const { tx, companyId, deps } = context;
    const employeeIds = (await listUndecided(context)).filter((_, index) => index % nth === 0);
    const actor = { type: 'user', name: demoUserId } as const;
    const consent = decision === 'contract-accepted' ? ({ given: 'on-paper', on } as const) : undefined;
    await applyDecisions(tx, deps, companyId, { decision, employeeIds, actor, consent, recordedBy: demoUserName });
  };

/**
 * Three groups get policies of their own, whose changes are over. The change that the coming price requires in one of them is
 * half done: some have agreed, one has declined, and the others can still decide.
 */
export function policyActions(calendar: Calendar): Action[] {
  const { ago, day, month, yesterday } = calendar;
  const ids = new Map<Group, number>();
  const action = (on: Day, time: string, run: Action['run']): Action => ({ on, time, run });
  const decision = (on: Day, kind: ContractDecision, nth: number) => action(on, '14:15', decide(on, kind, nth));
  const from = comingPriceMonth(calendar);
  return [
    action(day(-2, 3), '10:20', createPolicies(month(-1), ids)),
    // All but one agree: they keep their old share.
    decision(day(-2, 5), 'contract-accepted', 2),
    decision(day(-2, 7), 'contract-accepted', 2),
    action(ago(9), '10:40', (context) => {
      const policyId = ids.get(askedGroup);
      if (policyId === undefined) throw new Error(`The demo has no policy for ${askedGroup}.`);
      const change = { policyId, from, terms: undefined, deadline: null, noAnswer: 'keep' } as const;
      return startChange(policyContextOf(context), { employeeMails: context.deps.employeeMails }, change);
    }),
    decision(ago(7), 'contract-accepted', 3),
    decision(ago(4), 'contract-rejected', 100),
    decision(ago(3), 'contract-accepted', 4),
    decision(yesterday, 'contract-accepted', 6),
  ];
}
