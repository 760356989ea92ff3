import {
  type Day,
  earlierOf,
  earliestEffect,
  firstOfNextMonth,
  isBefore,
  isDue,
  isSameDay,
  laterOf,
} from '../calendar.ts';
import { type EndCause, endCauses } from '../enums.ts';
import { ticketlessMonths } from '../ticketless-months.ts';
import { isCovered } from './absences.ts';
import { type Planned, record } from './changes.ts';
import { endRule, endWithdrawn } from './rules.ts';
import { isRunning, isUnsubscribed, openPause, type PlanningInput, type Subscription } from './subscription.ts';
import type { Cause } from './transitions.ts';

interface Reason {
  cause: EndCause;
  /** The day from which the end is wanted; today means as soon as possible. */
  on: Day;
}

/** What is told of a subscription when it ends: no date remains that was planned and never came. */
export function endedOn(subscription: Subscription, day: Day): Partial<Subscription> {
  const pause = openPause(subscription);
  const ended = {
    cancelledOn: day,
    resumesOn: null,
    pausedOn: pause !== null && !isBefore(pause, day) ? null : subscription.pausedOn,
  };
  if (subscription.status !== 'scheduled') return ended;
  const { startOn, reactivatedOn } = subscription;
  return { ...ended, startOn: null, reactivatedOn: isSameDay(startOn, reactivatedOn) ? null : reactivatedOn };
}

/**
 * Everything that wants an end. What a person or the HR system said once stays said: a cancellation on request until
 * somebody subscribes, an opt-out until the field says true, for null leaves the subscription alone.
 */
function reasonsToEnd(subscription: Subscription, { facts, today, decision }: PlanningInput): Reason[] {
  const { cancelCauses, contractStatus } = subscription;
  const stands = (cause: EndCause) => cancelCauses.includes(cause) && decision !== 'subscribe';
  const wanted: Record<EndCause, Day | null> = {
    termination: facts.terminatedOn && firstOfNextMonth(facts.terminatedOn),
    offboard: facts.offboarded ? today : null,
    'contract-rejected': decision === 'contract-rejected' || contractStatus === 'rejected' ? today : null,
    'opt-out': facts.autoSubscribe === false || (facts.autoSubscribe === null && stands('opt-out')) ? today : null,
    cancel: decision === 'cancel' || stands('cancel') ? today : null,
  };
  return endCauses.flatMap((cause) => (wanted[cause] === null ? [] : [{ cause, on: wanted[cause] }]));
}

/** The first ticket of a subscription that waits or is paused, by what is known. */
function firstTicket({ status, startOn, resumesOn }: Subscription, { facts }: PlanningInput): Day | null {
  if (status === 'paused') return resumesOn;
  return startOn !== null && isCovered(ticketlessMonths(facts), startOn) ? null : startOn;
}

/**
 * An end that is planned already became known in time, so the cut-off of a later day does not push it away; it moves
 * later only when it is wanted later, and earlier only as far as the cut-off permits.
 */
const endWhileRunning = ({ cancelledOn }: Subscription, on: Day, earliest: Day) =>
  laterOf(on, earlierOf(cancelledOn ?? earliest, earliest));

/**
 * While no ticket is running there is nothing to wait for: the end is today, unless tickets are still to come before it.
 * But an end that was planned while tickets ran keeps its date through a pause.
 */
function endWhileIdle(subscription: Subscription, reason: Reason, situation: PlanningInput): Day {
  const { today } = situation;
  const { status, cancelledOn, cancelCauses } = subscription;
  const ticketOn = firstTicket(subscription, situation);
  const comesAfterTicket = (day: Day) => ticketOn !== null && isBefore(ticketOn, day);
  if (status === 'paused' && cancelledOn !== null && cancelCauses.includes(reason.cause)) {
    if (!isBefore(reason.on, cancelledOn)) return reason.on;
    return comesAfterTicket(cancelledOn) ? laterOf(reason.on, today) : cancelledOn;
  }
  return comesAfterTicket(reason.on) ? reason.on : today;
}

const takenBackBy: Record<EndCause, Cause> = {
  termination: 'termination-withdrawn',
  offboard: 'return',
  'contract-rejected': 'contract-accepted',
  'opt-out': 'subscribe',
  cancel: 'subscribe',
};

/** What happened: a cause is new, or one is gone, or the deciding one has another date. */
function causeOfChange(before: readonly EndCause[], after: readonly EndCause[], deciding: EndCause): Cause {
  if (!before.includes(deciding)) return deciding;
  const added = after.find((cause) => !before.includes(cause));
  const gone = before.find((cause) => !after.includes(cause));
  return added ?? (gone === undefined ? deciding : takenBackBy[gone]);
}

/** Each reason with the day on which it ends the subscription. */
function datedReasons(subscription: Subscription, situation: PlanningInput) {
  const { today, cutOffDay } = situation;
  const reasons = reasonsToEnd(subscription, situation);
  if (!isRunning(subscription.status)) {
    return reasons.map((reason) => ({ ...reason, endsOn: endWhileIdle(subscription, reason, situation) }));
  }
  const earliest = earliestEffect(today, cutOffDay);
  return reasons.map((reason) => ({ ...reason, endsOn: endWhileRunning(subscription, reason.on, earliest) }));
}

function takeBackEnd(planned: Planned, today: Day): Planned {
  const { cancelledOn, cancelCauses } = planned.subscription;
  const [cause] = cancelCauses;
  // Without a cause on record nothing is known to be gone, so the end stays.
  if (cancelledOn === null || cause === undefined) return planned;
  const why = { knownOn: today, effectiveOn: today, cause: takenBackBy[cause], rule: endWithdrawn(cancelledOn) };
  return record(planned, why, { cancelledOn: null, cancelCauses: [] });
}

/** The end by what is known: the earliest that anything asks for, or none. */
export function planEnd(planned: Planned, situation: PlanningInput): Planned {
  const { subscription } = planned;
  const { facts, today, cutOffDay } = situation;
  if (isUnsubscribed(subscription.status)) return planned;
  const reasons = datedReasons(subscription, situation);
  const [first, ...others] = reasons;
  if (first === undefined) return takeBackEnd(planned, today);
  const { cause, on, endsOn } = others.reduce(
    (best, other) => (isBefore(other.endsOn, best.endsOn) ? other : best),
    first,
  );
  const isToday = isDue(endsOn, today);
  const causes = reasons.map((reason) => reason.cause);
  const end = {
    cause,
    on: endsOn,
    wished: laterOf(on, firstOfNextMonth(today)),
    isRunning: isRunning(subscription.status),
    isAsPlanned: isSameDay(endsOn, subscription.cancelledOn),
  };
  const why = {
    knownOn: today,
    effectiveOn: endsOn,
    cause: isToday ? cause : causeOfChange(subscription.cancelCauses, causes, cause),
    rule: endRule(end, facts, today, cutOffDay),
  };
  return record(planned, why, {
    ...(isToday ? endedOn(subscription, today) : { cancelledOn: endsOn }),
    cancelCauses: causes,
    contractStatus: causes.includes('contract-rejected') ? 'rejected' : subscription.contractStatus,
  });
}
