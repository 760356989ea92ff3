import { type Day, earlierOf, earliestEffect, firstOfMonth, firstOfNextMonth, isSameDay } from '../calendar.ts';
import { sides } from '../enums.ts';
import { monthsBeforeWork, ticketlessMonths } from '../ticketless-months.ts';
import { coveredMonths, firstCoveredMonth, firstFreeMonth, isCovered } from './absences.ts';
import { type Planned, record } from './changes.ts';
import type { PlanningInput } from './planning.ts';
import { requestedPause } from './requested.ts';
import {
  type PauseReason,
  pauseRule,
  pauseWithdrawn,
  pauseWithdrawnOnRequest,
  type Rule,
  resumedOnRequest,
  resumptionRule,
} from './rules.ts';
import { isRunning, openPause, type Subscription } from './subscription.ts';
import type { Cause } from './transitions.ts';

/** Returns a request about pauses as the cause, otherwise the facts from the HR system. */
const causeOf = ({ request }: PlanningInput, otherwise: Cause): Cause =>
  request?.action === 'pause' || request?.action === 'resume' ? request.action : otherwise;

/** Returns whether the first day of work has changed, and the month begins before the old or the new one. */
const isMovedBy = ({ employedFrom }: Subscription, { facts }: PlanningInput, month: Day): boolean =>
  !isSameDay(employedFrom, facts.employedFrom) &&
  [employedFrom, facts.employedFrom].some((first) => isCovered(monthsBeforeWork(first), month));

/** Returns why a month is paused. What somebody asked for explains more than facts that hold as well. */
export function pauseReasonIn(
  subscription: Subscription,
  { absences }: PlanningInput['facts'],
  month: Day,
): PauseReason {
  const side = sides.find((one) => {
    const pause = requestedPause(subscription, one);
    return pause !== null && isCovered([pause], month);
  });
  return side ?? (isCovered(coveredMonths(absences), month) ? 'absence' : 'employment');
}

/** Plans the next pause. One that is planned became known in time: the cut-off of a later day does not postpone it. */
function planComingPause(planned: Planned, situation: PlanningInput): Planned {
  const { subscription } = planned;
  const { facts, today, cutOffDay, request } = situation;
  const months = ticketlessMonths(subscription, facts);
  const earliest = earliestEffect(today, cutOffDay);
  const known = openPause(subscription);
  const on = firstCoveredMonth(months, known === null ? earliest : earlierOf(known, earliest));
  if (on === null) {
    if (known === null) return planned;
    const cause = causeOf(situation, isMovedBy(subscription, situation, known) ? 'start' : 'absence-withdrawn');
    const rule = request?.action === 'resume' ? pauseWithdrawnOnRequest(request.side, known) : pauseWithdrawn(known);
    return record(planned, { knownOn: today, effectiveOn: today, cause, rule }, { pausedOn: null, resumesOn: null });
  }
  const resumesOn = firstFreeMonth(months, on);
  const requestedOn = firstCoveredMonth(months, firstOfNextMonth(today)) ?? on;
  const reason = pauseReasonIn(subscription, facts, on);
  const isByStart = reason === 'employment' || (reason === 'absence' && isMovedBy(subscription, situation, on));
  const rule =
    request?.action === 'pause' ? request.rule : pauseRule({ on, resumesOn, requestedOn, reason }, situation);
  const why = { knownOn: today, effectiveOn: on, cause: causeOf(situation, isByStart ? 'start' : 'absence'), rule };
  return record(planned, why, { pausedOn: on, resumesOn });
}

function ruleOfResumption({ request }: PlanningInput, resumesOn: Day | null): Rule {
  if (request?.action === 'pause') return request.rule;
  return request?.action === 'resume' ? resumedOnRequest(request.side, resumesOn) : resumptionRule(resumesOn);
}

/** Plans the end of the present pause. No ticket is running, so that no cut-off applies. */
function planResumption(planned: Planned, situation: PlanningInput): Planned {
  const { subscription } = planned;
  const { facts, today } = situation;
  const months = ticketlessMonths(subscription, facts);
  const resumesOn = firstFreeMonth(months, firstOfNextMonth(today));
  const month = firstOfMonth(today);
  const byAbsence = isCovered(months, month) ? 'absence' : 'absence-withdrawn';
  const cause = causeOf(situation, isMovedBy(subscription, situation, month) ? 'start' : byAbsence);
  const rule = ruleOfResumption(situation, resumesOn);
  return record(planned, { knownOn: today, effectiveOn: resumesOn ?? today, cause, rule }, { resumesOn });
}

export function planPause(planned: Planned, situation: PlanningInput): Planned {
  const { status } = planned.subscription;
  if (isRunning(status)) return planComingPause(planned, situation);
  return status === 'paused' ? planResumption(planned, situation) : planned;
}
