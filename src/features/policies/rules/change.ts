import type { Day } from '../../../domain/calendar.ts';
import { appliedPlanOn, type Plan, type PolicyBook, type PolicyHolder } from '../../../domain/policies.ts';
import { chargeTicket, hasDiscount, type TicketPrice } from '../../billing/rules/charges.ts';

/** A running or scheduled subscription. */
export interface Subscriber extends Plan, PolicyHolder {
  employeeId: number;
}

export interface PlannedItem {
  employeeId: number;
  before: Plan;
  after: Plan;
  /** What the employee pays per month. */
  beforeCents: number;
  afterCents: number;
  beforeCompanyCents: number;
  afterCompanyCents: number;
  needsAgreement: boolean;
  /** Whether the ticket loses or gains the discount, because the employer bears less or more than the limit. */
  discount: 'lost' | 'gained' | null;
}

const isSamePlan = (one: Plan, other: Plan) =>
  one.planType === other.planType && one.contributionCents === other.contributionCents;

/** Returns what a month changes for the subscribers of a policy. Whoever has the plan of that month already is not affected. */
export function planItems(
  book: PolicyBook,
  { policyId, from, price }: { policyId: number; from: Day; price: TicketPrice },
  subscribers: readonly Subscriber[],
): PlannedItem[] {
  return subscribers.flatMap((subscriber) => {
    const applied = appliedPlanOn(book, subscriber, from);
    if (applied?.policy.id !== policyId || isSamePlan(subscriber, applied.plan)) return [];
    const { planType, contributionCents, employeeId } = subscriber;
    const before = { planType, contributionCents };
    const [was, is] = [chargeTicket(price, before), chargeTicket(price, applied.plan)];
    const [had, has] = [hasDiscount(price, before), hasDiscount(price, applied.plan)];
    return [
      {
        ...{ employeeId, before, after: applied.plan },
        ...{ beforeCents: was.employeeShareCents, afterCents: is.employeeShareCents },
        ...{ beforeCompanyCents: was.companyShareCents, afterCompanyCents: is.companyShareCents },
        needsAgreement: is.employeeShareCents > was.employeeShareCents,
        discount: had === has ? null : had ? ('lost' as const) : ('gained' as const),
      },
    ];
  });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Returns the plan of a change as a whole. Costs are those of the company, for the subscriptions that it affects. */
export function summarizeItems(items: readonly PlannedItem[]) {
  const [before, after] = [
    sum(items.map(({ beforeCompanyCents }) => beforeCompanyCents)),
    sum(items.map(({ afterCompanyCents }) => afterCompanyCents)),
  ];
  const idsOf = (some: readonly PlannedItem[]) => some.map(({ employeeId }) => employeeId);
  return {
    affected: items.length,
    mustAgree: items.filter(({ needsAgreement }) => needsAgreement).length,
    companyCents: { perMonth: { before, after }, perYear: { before: before * 12, after: after * 12 } },
    discountLost: idsOf(items.filter(({ discount }) => discount === 'lost')),
    discountGained: idsOf(items.filter(({ discount }) => discount === 'gained')),
  };
}
