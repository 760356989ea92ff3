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
import type { PlanningInput } from './planning.ts';
import { firstRequestedEnd } from './requested.ts';
import { endRule, endWithdrawn } from './rules.ts';
import { isRunning, isUnsubscribed, openPause, type Subscription } from './subscription.ts';
import type { Cause } from './transitions.ts';

interface Reason {
  cause: EndCause;
  /** The day from which the end is requested. Today means as soon as possible. */
  requestedOn: Day;
}

/** Returns the dates of a subscription that ends on this day: dates that were planned but not reached are cleared. */
export function endedOn(subscription: Subscription, day: Day): Partial<Subscription> {
  const { status, startOn, pausedOn, reactivatedOn } = subscription;
  const pause = openPause(subscription);
  // A pause that begins today has begun if the status says so.
  const isReached = status === 'paused' || pause === null || isBefore(pause, day);
  const ended = { cancelledOn: day, resumesOn: null, pausedOn: isReached ? pausedOn : null };
  if (status !== 'scheduled') return ended;
  return { ...ended, startOn: null, reactivatedOn: isSameDay(startOn, reactivatedOn) ? null : reactivatedOn };
}

/** Returns all reasons to end. A requested end stands until it is taken back, an opt-out until somebody subscribes. */
function reasonsToEnd(subscription: Subscription, situation: PlanningInput): Reason[] {
  const { facts, today, request, isContractRejected } = situation;
  const { cancelCauses, contractStatus } = subscription;
  const isOptOutOver = facts.autoSubscribe === true || request?.action === 'subscribe';
  const wanted: Record<EndCause, Day | null> = {
    termination: facts.terminationDate && firstOfNextMonth(facts.terminationDate),
    offboard: facts.offboarded ? today : null,
    'contract-rejected': isContractRejected || contractStatus === 'rejected' ? today : null,
    'opt-out': facts.autoSubscribe === false || (cancelCauses.includes('opt-out') && !isOptOutOver) ? today : null,
    cancel: firstRequestedEnd(subscription),
  };
  return endCauses.flatMap((cause) => (wanted[cause] === null ? [] : [{ cause, requestedOn: wanted[cause] }]));
}

function firstTicket(subscription: Subscription, { facts }: PlanningInput): Day | null {
  const { status, startOn, resumesOn } = subscription;
  if (status === 'paused') return resumesOn;
  return startOn !== null && isCovered(ticketlessMonths(subscription, facts), startOn) ? null : startOn;
}

/** Returns the end while tickets run. A planned one became known in time: no later cut-off postpones it. */
const endWhileRunning = ({ cancelledOn }: Subscription, requestedOn: Day, earliest: Day) =>
  laterOf(requestedOn, earlierOf(cancelledOn ?? earliest, earliest));

/** Returns the end without a running ticket: today, unless tickets are due before. A planned end outlasts a pause. */
function endWhileIdle(subscription: Subscription, reason: Reason, situation: PlanningInput): Day {
  const { today } = situation;
  const { status, cancelledOn, cancelCauses } = subscription;
  const ticketOn = firstTicket(subscription, situation);
  if (reason.cause === 'cancel' && isDue(reason.requestedOn, today)) return today;
  const comesAfterTicket = (day: Day) => ticketOn !== null && isBefore(ticketOn, day);
  if (status === 'paused' && cancelledOn !== null && cancelCauses.includes(reason.cause)) {
    if (!isBefore(reason.requestedOn, cancelledOn)) return reason.requestedOn;
    return comesAfterTicket(cancelledOn) ? laterOf(reason.requestedOn, today) : cancelledOn;
  }
  return comesAfterTicket(reason.requestedOn) ? reason.requestedOn : today;
}

const withdrawnBy: Record<EndCause, Cause> = {
  termination: 'termination-withdrawn',
  offboard: 'return',
  'contract-rejected': 'contract-accepted',
  'opt-out': 'subscribe',
  cancel: 'subscribe',
};

/** Returns the cause of a change of the end: a new cause, a withdrawn one, or the deciding one with another date. */
function causeOfChange(before: readonly EndCause[], after: readonly EndCause[], deciding: EndCause): Cause {
  if (!before.includes(deciding)) return deciding;
  const added = after.find((cause) => !before.includes(cause));
  const gone = before.find((cause) => !after.includes(cause));
  return added ?? (gone === undefined ? deciding : withdrawnBy[gone]);
}

function datedReasons(subscription: Subscription, situation: PlanningInput) {
  const { today, cutOffDay } = situation;
  const reasons = reasonsToEnd(subscription, situation);
  if (!isRunning(subscription.status)) {
    return reasons.map((reason) => ({ ...reason, cancelledOn: endWhileIdle(subscription, reason, situation) }));
  }
  const earliest = earliestEffect(today, cutOffDay);
  return reasons.map((reason) => ({
    ...reason,
    cancelledOn: endWhileRunning(subscription, reason.requestedOn, earliest),
  }));
}

function takeBackEnd(planned: Planned, today: Day): Planned {
  const { cancelledOn, cancelCauses } = planned.subscription;
  const [cause] = cancelCauses;
  // Without a recorded cause, none can be withdrawn, so the end stays.
  if (cancelledOn === null || cause === undefined) return planned;
  const why = { knownOn: today, effectiveOn: today, cause: withdrawnBy[cause], rule: endWithdrawn(cancelledOn) };
  return record(planned, why, { cancelledOn: null, cancelCauses: [] });
}

export function planEnd(planned: Planned, situation: PlanningInput): Planned {
  const { subscription } = planned;
  const { facts, today, cutOffDay, request } = situation;
  if (isUnsubscribed(subscription.status)) return planned;
  const reasons = datedReasons(subscription, situation);
  const [first, ...others] = reasons;
  if (first === undefined) return takeBackEnd(planned, today);
  const { cause, requestedOn, cancelledOn } = others.reduce(
    (best, other) => (isBefore(other.cancelledOn, best.cancelledOn) ? other : best),
    first,
  );
  const isToday = isDue(cancelledOn, today);
  const causes = reasons.map((reason) => reason.cause);
  const end = {
    cause,
    cancelledOn,
    requestedOn:
      cause === 'cancel' && request?.action === 'cancel' && request.isEarliest
        ? firstOfNextMonth(today)
        : laterOf(requestedOn, firstOfNextMonth(today)),
    isRunning: isRunning(subscription.status),
    isAsPlanned: isSameDay(cancelledOn, subscription.cancelledOn),
  };
  const why = {
    knownOn: today,
    effectiveOn: cancelledOn,
    cause: isToday ? cause : causeOfChange(subscription.cancelCauses, causes, cause),
    rule: endRule(end, subscription, { facts, today, cutOffDay }),
  };
  return record(planned, why, {
    ...(isToday ? endedOn(subscription, today) : { cancelledOn }),
    cancelCauses: causes,
    contractStatus: causes.includes('contract-rejected') ? 'rejected' : subscription.contractStatus,
  });
}
