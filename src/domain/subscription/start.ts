import { type Day, firstOfMonthOnOrAfter, firstOfNextMonth, isBefore, isSameDay, laterOf } from '../calendar.ts';
import { pausedMonths } from '../ticketless-months.ts';
import { firstFreeMonth } from './absences.ts';
import { type Planned, record } from './changes.ts';
import type { PlanningInput } from './planning.ts';
import { nothingRequested, type Requested } from './requested.ts';
import { startRule } from './rules.ts';
import { type Facts, needsContract, type Settings, type Subscription, startingPlan } from './subscription.ts';
import type { Cause } from './transitions.ts';

export interface Start {
  on: Day;
  /** False while an absence or a pause without an end covers the start: the start then moves on month by month. */
  isKnown: boolean;
}

/** Returns the first month in the future that begins at work, as late as it was asked for, and is not paused. */
export function firstStart(requested: Requested, facts: Facts, today: Day): Start {
  const next = firstOfNextMonth(today);
  const { employedFrom, waitingMonths = 0 } = facts;
  // Most employees have begun long ago. Months of Temporal are the slowest part of planning a new one.
  const hasBegun = employedFrom === null || (waitingMonths === 0 && isBefore(employedFrom, next));
  const employed = hasBegun ? next : laterOf(next, firstOfMonthOnOrAfter(employedFrom.add({ months: waitingMonths })));
  const earliest = requested.startsFrom === null ? employed : laterOf(employed, requested.startsFrom);
  const free = firstFreeMonth(pausedMonths(requested, facts), earliest);
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
export function subscribe(
  planned: Planned,
  { facts, today }: Pick<PlanningInput, 'facts' | 'today'>,
  settings: Settings,
  requested: Partial<Requested> = {},
): Planned {
  // Ends belong to the ended subscription, pauses do not.
  const { startsFrom, employeeEndOn, companyEndOn } = nothingRequested;
  const wanted = { ...planned.subscription, startsFrom, employeeEndOn, companyEndOn, ...requested };
  const start = firstStart(wanted, facts, today);
  const { planType, contributionCents } = startingPlan(settings, start.on);
  const rule = startRule(start, wanted, facts, today);
  const why = { knownOn: today, effectiveOn: start.on, cause: 'subscribe', rule } as const;
  return record(planned, why, {
    startOn: start.on,
    reactivatedOn: planned.subscription.status === 'cancelled' ? start.on : null,
    resumesOn: null,
    cancelledOn: null,
    cancelCauses: [],
    ...{ startsFrom, employeeEndOn, companyEndOn, ...requested },
    notSubscribedBecause: null,
    planType,
    contributionCents,
    contractStatus: needsContract(planType) ? 'pending' : null,
    nextPlan: null,
  });
}

/** Plans the start of a scheduled subscription by the known facts. It needs no cut-off. */
export function planStart(planned: Planned, { facts, today, request }: PlanningInput): Planned {
  const { subscription } = planned;
  if (subscription.status !== 'scheduled') return planned;
  const start = firstStart(subscription, facts, today);
  const cause: Cause = request?.action === 'pause' || request?.action === 'resume' ? request.action : 'start';
  const why = { knownOn: today, effectiveOn: start.on, cause, rule: startRule(start, subscription, facts, today) };
  return record(planned, why, startingOn(subscription, start.on));
}
