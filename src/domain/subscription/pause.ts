import {
  type Day,
  earlierOf,
  earliestEffect,
  firstOfMonth,
  firstOfNextMonth,
  isSameDay,
  type Months,
} from '../calendar.ts';
import { monthsBeforeWork, ticketlessMonths } from '../ticketless-months.ts';
import { coveredMonths, firstCoveredMonth, firstFreeMonth, isCovered } from './absences.ts';
import { type Planned, record } from './changes.ts';
import { pauseRule, pauseWithdrawn, resumptionRule } from './rules.ts';
import { isRunning, openPause, type PlanningInput, type Subscription } from './subscription.ts';
import type { Cause, Decision } from './transitions.ts';

/** Returns the months without a ticket, and whether a user requested them: such a pause lasts until a user ends it. */
function pausedMonths({ pauseRequested }: Subscription, { facts, today, decision }: PlanningInput) {
  const isRequested = decision === 'pause' || (pauseRequested && decision !== 'resume');
  const months: Months[] = isRequested ? [{ from: firstOfMonth(today), until: null }] : ticketlessMonths(facts);
  return { isRequested, months };
}

/** Returns the decision as the cause if it is about pauses, otherwise the facts from the HR system. */
const causeOf = (decision: Decision | null, otherwise: Cause): Cause =>
  decision === 'pause' || decision === 'resume' ? decision : otherwise;

/** Returns whether the first day of work has changed, and the month begins before the old or the new one. */
const isMovedBy = ({ employedFrom }: Subscription, { facts }: PlanningInput, month: Day): boolean =>
  !isSameDay(employedFrom, facts.employedFrom) &&
  [employedFrom, facts.employedFrom].some((first) => isCovered(monthsBeforeWork(first), month));

/** Plans the next pause. One that is planned became known in time: the cut-off of a later day does not postpone it. */
function planComingPause(planned: Planned, situation: PlanningInput): Planned {
  const { today, cutOffDay, decision } = situation;
  const { isRequested, months } = pausedMonths(planned.subscription, situation);
  const earliest = earliestEffect(today, cutOffDay);
  const known = openPause(planned.subscription);
  const on = firstCoveredMonth(months, known === null ? earliest : earlierOf(known, earliest));
  if (on === null) {
    if (known === null) return planned;
    const cause = causeOf(decision, isMovedBy(planned.subscription, situation, known) ? 'start' : 'absence-withdrawn');
    const why = { knownOn: today, effectiveOn: today, cause, rule: pauseWithdrawn(known) };
    return record(planned, why, { pauseRequested: isRequested, pausedOn: null, resumesOn: null });
  }
  const resumesOn = firstFreeMonth(months, on);
  const requestedOn = firstCoveredMonth(months, firstOfNextMonth(today)) ?? on;
  const isAbsent = isCovered(coveredMonths(situation.facts.absences), on);
  const reason = isRequested ? 'request' : isAbsent ? 'absence' : 'employment';
  const rule = pauseRule({ on, resumesOn, requestedOn, reason }, situation);
  const isByStart = !isRequested && (!isAbsent || isMovedBy(planned.subscription, situation, on));
  const why = { knownOn: today, effectiveOn: on, cause: causeOf(decision, isByStart ? 'start' : 'absence'), rule };
  return record(planned, why, { pauseRequested: isRequested, pausedOn: on, resumesOn });
}

/** Plans the end of the present pause. No ticket is running, so that no cut-off applies. */
function planResumption(planned: Planned, situation: PlanningInput): Planned {
  const { today, decision } = situation;
  const { isRequested, months } = pausedMonths(planned.subscription, situation);
  const resumesOn = firstFreeMonth(months, firstOfNextMonth(today));
  const month = firstOfMonth(today);
  const byAbsence = isCovered(months, month) ? 'absence' : 'absence-withdrawn';
  const cause = isMovedBy(planned.subscription, situation, month) ? 'start' : byAbsence;
  const why = {
    knownOn: today,
    effectiveOn: resumesOn ?? today,
    cause: causeOf(decision, cause),
    rule: resumptionRule(resumesOn),
  };
  return record(planned, why, { pauseRequested: isRequested, resumesOn });
}

export function planPause(planned: Planned, situation: PlanningInput): Planned {
  const { status } = planned.subscription;
  if (isRunning(status)) return planComingPause(planned, situation);
  return status === 'paused' ? planResumption(planned, situation) : planned;
}
