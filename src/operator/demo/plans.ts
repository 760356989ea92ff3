import { type Day, isBefore } from '../../domain/calendar.ts';
import type { PlanType } from '../../domain/enums.ts';
import type { Calendar } from './calendar.ts';

/** The plan that the company offers to employees who subscribe from a day on. */
export interface Offer {
  since: Day;
  planType: PlanType;
  contributionCents: number;
}

/**
 * Returns the offers over the year. The company changes its offer several times, so that its employees have every plan
 * type: employees keep the plan with which they subscribed.
 */
export const offersOf = ({ joined, day }: Calendar): Offer[] => [
  { since: joined, planType: 'deferred-plan', contributionCents: 0 },
  { since: day(-9, 2), planType: 'split-pay-plan', contributionCents: 2000 },
  { since: day(-5, 2), planType: 'fully-subsidized-plan', contributionCents: 0 },
  { since: day(-3, 2), planType: 'split-pay-plan', contributionCents: 2000 },
];

export function offerOn(calendar: Calendar, on: Day): Offer {
  const offer = offersOf(calendar).findLast(({ since }) => !isBefore(on, since));
  if (offer === undefined) throw new Error(`The demo company has not joined on ${on}.`);
  return offer;
}
