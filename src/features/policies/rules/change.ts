import { type Day, earliestEffect, isBefore, isDue, laterOf } from '../../../domain/calendar.ts';
import { appliedPlanOn, type Plan, type PolicyBook, type PolicyHolder } from '../../../domain/policies.ts';
import { chargeTicket, hasDiscount, type TicketPrice } from '../../billing/rules/charges.ts';

/** A running or scheduled subscription. */
export interface Subscriber extends Plan, PolicyHolder {
  employeeId: number;
  /** They have not agreed to anything yet: the first agreement is about the new plan. */
  awaitsContract: boolean;
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
        needsAgreement: !subscriber.awaitsContract && is.employeeShareCents > was.employeeShareCents,
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

/**
 * Returns the last day on which employees can agree unless the company chooses another: the day before the cut-off, so that a
 * pause or an end takes effect in the month of the change. If that is over: the last day before the month.
 */
export function usualDeadline({ from, today, cutOffDay }: { from: Day; today: Day; cutOffDay: number }): Day {
  const before = from.subtract({ months: 1 });
  const usual = before.with({ day: Math.min(cutOffDay, before.daysInMonth) }).subtract({ days: 1 });
  return isBefore(usual, today) ? from.subtract({ days: 1 }) : usual;
}

export const isPossibleDeadline = (deadline: Day, { from, today }: { from: Day; today: Day }): boolean =>
  !isBefore(deadline, today) && isBefore(deadline, from);

/** Returns the month from which a pause or an end of those who have not agreed takes effect. */
export const noAnswerEffect = (deadline: Day, { from, cutOffDay }: { from: Day; cutOffDay: number }): Day =>
  laterOf(from, earliestEffect(deadline.add({ days: 1 }), cutOffDay));

/** Days before the deadline on which those who have not decided are reminded. */
const reminderDays = [7, 2] as const;

/** Returns the days of the reminders of a change. Nobody is reminded on the day on which they were first asked. */
export const listReminderDays = (deadline: Day, startedOn: Day): Day[] =>
  reminderDays.map((days) => deadline.subtract({ days })).filter((day) => isBefore(startedOn, day));

/** Returns how many reminders are due by a day. None after the deadline. */
export const countDueReminders = (deadline: Day, startedOn: Day, today: Day): number =>
  isBefore(deadline, today) ? 0 : listReminderDays(deadline, startedOn).filter((day) => isDue(day, today)).length;
