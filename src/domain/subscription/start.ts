import { type Day, firstOfMonthOnOrAfter, firstOfNextMonth, isBefore, isSameDay, laterOf } from '../calendar.ts';
import { coveredMonths, firstFreeMonth } from './absences.ts';
import { type Planned, record } from './changes.ts';
import { startRule } from './rules.ts';
import { type Facts, needsContract, type Settings, type Subscription } from './subscription.ts';

export interface Start {
  on: Day;
  /** False while an absence without an end covers the start: the start then moves on month by month. */
  isKnown: boolean;
}

/** Returns the first month in the future that begins at work and is not completely covered by absences. */
export function firstStart(facts: Facts, today: Day): Start {
  const next = firstOfNextMonth(today);
  const earliest = facts.employedFrom === null ? next : laterOf(next, firstOfMonthOnOrAfter(facts.employedFrom));
  const free = firstFreeMonth(coveredMonths(facts.absences), earliest);
  return { on: free ?? earliest, isKnown: free !== null };
}

/** Returns whether the termination, if any, leaves a month in which a ticket is valid. */
export const leavesMonth = ({ terminationDate }: Facts, start: Start): boolean =>
  terminationDate === null || (start.isKnown && isBefore(start.on, firstOfNextMonth(terminationDate)));

/** Returns the dates of a new start. A reactivated subscription stores its start twice. */
export const startingOn = ({ startOn, reactivatedOn }: Subscription, on: Day): Partial<Subscription> => ({
  startOn: on,
  reactivatedOn: reactivatedOn !== null && isSameDay(startOn, reactivatedOn) ? on : reactivatedOn,
});

/** Subscribes an employee, anew too: with the company's present plan, and a contract to be signed again. */
export function subscribe(planned: Planned, facts: Facts, today: Day, settings: Settings): Planned {
  const start = firstStart(facts, today);
  const { planType, contributionCents } = settings;
  const rule = startRule(start, facts, today);
  const why = { knownOn: today, effectiveOn: start.on, cause: 'subscribe', rule } as const;
  return record(planned, why, {
    startOn: start.on,
    reactivatedOn: planned.subscription.status === 'cancelled' ? start.on : null,
    resumesOn: null,
    cancelledOn: null,
    cancelCauses: [],
    pauseRequested: false,
    notSubscribedBecause: null,
    planType,
    contributionCents,
    contractStatus: needsContract(planType) ? 'pending' : null,
  });
}

/** Plans the start of a scheduled subscription by the known facts. It needs no cut-off. */
export function planStart(planned: Planned, facts: Facts, today: Day): Planned {
  const { subscription } = planned;
  if (subscription.status !== 'scheduled') return planned;
  const start = firstStart(facts, today);
  const why = { knownOn: today, effectiveOn: start.on, cause: 'start', rule: startRule(start, facts, today) } as const;
  return record(planned, why, startingOn(subscription, start.on));
}
