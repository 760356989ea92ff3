import { type Day, firstOfNextMonth, isBefore, isSameDay } from '../calendar.ts';
import type { EndCause, NotSubscribedReason, RequestAction, Side } from '../enums.ts';
import { createMessage, formatMessage, type Message, type MessageKey } from '../messages/message.ts';
import { coveredMonths, isCovered } from './absences.ts';
import { firstRequestedEnd, type Requested } from './requested.ts';
import {
  type Consent,
  canJoin,
  type Facts,
  type PlanningDay,
  type Settings,
  type Subscription,
} from './subscription.ts';

/** Describes when each rule applies, for the docs. Ids are stored and never renamed; sentences may be improved. */
export const describe = {
  'start-next-month': 'The next month is possible.',
  'start-with-employment': 'Employment begins later: the first month that begins on or after its first day.',
  'start-after-waiting':
    'The policy of the employee has tickets only some months after the first day of employment: the first month after them.',
  'start-after-absence': 'Approved absences cover earlier months completely: the first month that they do not cover.',
  'start-awaits-absence-end': 'An approved absence without an end covers the start: postponed until an end is known.',
  'start-after-pause': 'Earlier months are paused on request: the first month that is not.',
  'start-requested': 'A later start was asked for: the first month that was asked for.',
  'start-awaits-resumption': 'A requested pause without an end covers the start: postponed until somebody resumes.',
  'start-awaits-contract':
    'The start date is reached without an accepted contract: postponed to the next possible month.',
  'start-has-come': 'The start date is reached.',
  'contract-accepted': 'The contract no longer delays the start.',
  'pause-whole-months': 'Approved absences cover whole months and became known in time.',
  'pause-after-cut-off': 'A reason to pause became known after the cut-off: the first month that is still possible.',
  'pause-requested': 'The company (a user, a key or the operator) asked for a pause in time.',
  'pause-requested-by-employee': 'The employee asked for a pause in time.',
  'pause-until-employment':
    'The first day of work moves past the current month: from the next month until the first month that begins on or after it.',
  'pause-taken-back': 'There is no longer a reason for the planned pause.',
  'pause-taken-back-on-request': 'Who asked for the planned pause has taken it back, and nothing else pauses.',
  'pause-has-come': 'The date of the planned pause is reached.',
  'resumption-known':
    'While paused: the first possible month in which the employee works and is not absent throughout.',
  'resumption-unknown': 'While paused: the absence has no end, or the pause was requested until further notice.',
  'resumption-requested': 'The company took back its pause: the first month that nothing else pauses.',
  'resumption-requested-by-employee': 'The employee took back their pause: the first month that nothing else pauses.',
  'resumption-awaits-others': 'A side took back its pause, but the other side or an absence still pauses.',
  'resumption-has-come': 'The date of the planned resumption is reached.',
  'end-after-termination': 'The end of employment became known in time: the first of the month after its last day.',
  'end-at-earliest': 'Another reason to end became known in time: the first of the next month.',
  'end-requested': 'A later end was asked for in time: the first of the month that was asked for.',
  'end-after-cut-off': 'A reason to end became known after the cut-off: the first month that is still possible.',
  'end-without-ticket': 'No ticket is running or would be issued before the end: it ends immediately.',
  'end-as-planned': 'A reason to end was added or withdrawn, and the date stays the same.',
  'end-before-start': 'The start was postponed, and no month is left before the end: it ends immediately.',
  'end-taken-back': 'The last reason to end was withdrawn.',
  'end-has-come': 'The date of the planned end is reached.',
  'plan-change-announced':
    'The company changes what the employee pays from a later month on, and the share of the employee does not rise.',
  'plan-change-offered':
    'The company raises the share of the employee from a later month on: the plan stays until the employee agrees.',
  'plan-change-accepted': 'The employee agreed to the higher share.',
  'plan-change-rejected': 'The employee did not agree to the higher share: the plan stays.',
  'plan-change-no-answer': 'The employee has not agreed to the higher share by the deadline: the plan stays.',
  'plan-changed': 'The month of the new plan has begun, or nobody had agreed to the old one yet.',
  'request-undone': 'A request was undone in time: what was planned before applies again.',
  'not-subscribed-opted-out': '`autoSyncEmployee` is `false` in the roster.',
  'not-subscribed-not-requested':
    '`autoSyncEmployee` is empty in the roster, and no user has subscribed the employee. If employees join by themselves: the employee has not joined.',
  'not-subscribed-employment-ends': 'Employment ends before the first month for which a ticket could be issued.',
  'not-subscribed-ended-by-employee':
    'The roster asks for a subscription, but the employee has ended it: only they restart it, or the company with their consent.',
  'not-subscribed-ended-by-company':
    'The roster asks for a subscription, but a user, a key or the operator has ended it: only they restart it.',
} as const;

type RuleId = keyof typeof describe;
export const ruleIds = Object.keys(describe) as RuleId[];

export interface Rule {
  id: RuleId;
  sentence: string;
  message: Message;
}

const create = (id: RuleId, message: Message): Rule => ({ id, sentence: formatMessage(message), message });

export function startRule(
  { on, isKnown }: { on: Day; isKnown: boolean },
  requested: Requested,
  { employedFrom, absences, waitingMonths = 0 }: Facts,
  today: Day,
): Rule {
  const isAbsentIn = (month: Day) => isCovered(coveredMonths(absences), month);
  if (!isKnown) {
    const id = isAbsentIn(on) ? 'start-awaits-absence-end' : 'start-awaits-resumption';
    return create(id, createMessage(id, { on }));
  }
  if (isSameDay(on, firstOfNextMonth(today))) {
    return create('start-next-month', createMessage('start-next-month', { on }));
  }
  if (employedFrom !== null && isBefore(on.subtract({ months: 1 }), employedFrom)) {
    return create('start-with-employment', createMessage('start-with-employment', { employedFrom, on }));
  }
  const waitsUntil = employedFrom?.add({ months: waitingMonths });
  if (waitsUntil && waitingMonths > 0 && isBefore(on.subtract({ months: 1 }), waitsUntil)) {
    return create('start-after-waiting', createMessage('start-after-waiting', { waitingMonths, waitsUntil, on }));
  }
  if (isSameDay(on, requested.startsFrom)) return create('start-requested', createMessage('start-requested', { on }));
  const id = isAbsentIn(on.subtract({ months: 1 })) ? 'start-after-absence' : 'start-after-pause';
  return create(id, createMessage(id, { on }));
}

export const startAwaitsContract = (on: Day): Rule =>
  create('start-awaits-contract', createMessage('start-awaits-contract', { on }));

export const startIsDue = (on: Day): Rule => create('start-has-come', createMessage('start-has-come', { on }));

/** `consent`: how the employee agreed, if that is known. */
export function contractAccepted({ startOn, status }: Subscription, consent: Consent | undefined): Rule {
  const start = status === 'scheduled' && startOn !== null ? { on: startOn } : undefined;
  if (consent === undefined) {
    const message = start ? createMessage('contract-accepted-start', start) : createMessage('contract-accepted');
    return create('contract-accepted', message);
  }
  const how = { how: `consent-${consent.given}` satisfies MessageKey, givenOn: consent.on };
  const message = start
    ? createMessage('contract-consent-start', { ...how, ...start })
    : createMessage('contract-consent', how);
  return create('contract-accepted', message);
}

export const planChangeAnnounced = (on: Day): Rule =>
  create('plan-change-announced', createMessage('plan-change-announced', { on }));
export const planChangeOffered = (on: Day): Rule =>
  create('plan-change-offered', createMessage('plan-change-offered', { on }));
export const planChangeAccepted = (on: Day): Rule =>
  create('plan-change-accepted', createMessage('plan-change-accepted', { on }));
export const planChangeDropped = (reason: 'rejected' | 'no-answer'): Rule =>
  create(`plan-change-${reason}`, createMessage(`plan-change-${reason}`));
export const planChanged = (on: Day): Rule => create('plan-changed', createMessage('plan-changed', { on }));

export const until = (resumesOn: Day | null) =>
  resumesOn === null
    ? { until: 'until-further-notice' satisfies MessageKey }
    : { until: 'until-resumption' satisfies MessageKey, resumesOn };

export type PauseReason = Side | 'absence' | 'employment';

interface Pause {
  on: Day;
  resumesOn: Day | null;
  requestedOn: Day;
  reason: PauseReason;
}

const pauseRuleIds = {
  employee: 'pause-requested-by-employee',
  company: 'pause-requested',
  absence: 'pause-whole-months',
  employment: 'pause-until-employment',
} as const satisfies Record<PauseReason, RuleId>;

function pauseReason(reason: PauseReason, { employedFrom }: Facts) {
  if (reason === 'employee' || reason === 'company') return { reason: `pause-reason-${reason}` satisfies MessageKey };
  return reason === 'absence' || employedFrom === null
    ? { reason: 'pause-reason-absence' satisfies MessageKey }
    : { reason: 'pause-reason-employment' satisfies MessageKey, employedFrom };
}

export function pauseRule(pause: Pause, { facts, today, cutOffDay }: PlanningDay): Rule {
  const { on, requestedOn, resumesOn } = pause;
  const reason = pauseReason(pause.reason, facts);
  if (isBefore(requestedOn, on)) {
    const late = { ...reason, knownDay: today.day, cutOffDay, on, requestedOn };
    return create('pause-after-cut-off', createMessage('known-after-cut-off', late));
  }
  return create(pauseRuleIds[pause.reason], createMessage('paused-from', { ...reason, on, ...until(resumesOn) }));
}

export const pauseWithdrawn = (on: Day): Rule => create('pause-taken-back', createMessage('pause-taken-back', { on }));

export const pauseIsDue = (on: Day, resumesOn: Day | null): Rule =>
  create('pause-has-come', createMessage('pause-has-come', { on, ...until(resumesOn) }));

export const resumptionRule = (resumesOn: Day | null): Rule =>
  resumesOn === null
    ? create('resumption-unknown', createMessage('resumption-unknown'))
    : create('resumption-known', createMessage('resumption-known', { on: resumesOn }));

const resumedBy = (side: Side) => ({ reason: `resume-reason-${side}` satisfies MessageKey });

export const pauseWithdrawnOnRequest = (side: Side, on: Day): Rule =>
  create('pause-taken-back-on-request', createMessage('pause-taken-back-on-request', { ...resumedBy(side), on }));

export const resumptionAwaitsOthers = (side: Side, resumesOn: Day | null): Rule =>
  create(
    'resumption-awaits-others',
    createMessage('resumption-awaits-others', { ...resumedBy(side), ...until(resumesOn) }),
  );

export function resumedOnRequest(side: Side, resumesOn: Day | null): Rule {
  if (resumesOn === null) return resumptionAwaitsOthers(side, null);
  const id = side === 'employee' ? 'resumption-requested-by-employee' : 'resumption-requested';
  return create(id, createMessage('resumption-requested', { ...resumedBy(side), on: resumesOn }));
}

export const requestUndone = (action: RequestAction): Rule =>
  create('request-undone', createMessage(`undone-${action}`));

export const resumptionIsDue = (on: Day): Rule =>
  create('resumption-has-come', createMessage('resumption-has-come', { on }));

export function endReason(cause: EndCause, { terminationDate }: Facts, requested: Requested) {
  if (cause === 'termination' && terminationDate !== null) {
    return { reason: 'end-reason-termination-on' satisfies MessageKey, terminatedOn: terminationDate };
  }
  if (cause !== 'cancel') return { reason: `end-reason-${cause}` satisfies MessageKey };
  const side = isSameDay(requested.employeeEndOn, firstRequestedEnd(requested)) ? 'employee' : 'company';
  return { reason: `end-reason-cancel-${side}` satisfies MessageKey };
}

interface End {
  cause: EndCause;
  cancelledOn: Day;
  /** The first day on which it could have taken effect without a cut-off. */
  requestedOn: Day;
  isRunning: boolean;
  isAsPlanned: boolean;
}

export function endRule(end: End, requested: Requested, { facts, today: knownOn, cutOffDay }: PlanningDay): Rule {
  const { cancelledOn: on, requestedOn } = end;
  const reason = endReason(end.cause, facts, requested);
  if (end.isAsPlanned) return create('end-as-planned', createMessage('end-as-planned', { ...reason, on }));
  if (!end.isRunning && isSameDay(on, knownOn)) {
    return create('end-without-ticket', createMessage('end-without-ticket', reason));
  }
  if (isBefore(requestedOn, on)) {
    const late = { ...reason, knownDay: knownOn.day, cutOffDay, on, requestedOn };
    return create('end-after-cut-off', createMessage('known-after-cut-off', late));
  }
  const isLater = end.cause === 'cancel' && isBefore(firstOfNextMonth(knownOn), on);
  const others = isLater ? 'end-requested' : 'end-at-earliest';
  const id = end.cause === 'termination' ? 'end-after-termination' : others;
  return create(id, createMessage(id, { ...reason, on }));
}

export const endBeforeStart = (on: Day): Rule => create('end-before-start', createMessage('end-before-start', { on }));

export const endWithdrawn = (on: Day): Rule => create('end-taken-back', createMessage('end-taken-back', { on }));

export const endIsDue = (on: Day): Rule => create('end-has-come', createMessage('end-has-come', { on }));

export type NewNotSubscribedReason = Exclude<NotSubscribedReason, 'pause-requested'>;

function notSubscribedMessage(
  reason: NewNotSubscribedReason,
  { on, isKnown }: { on: Day; isKnown: boolean },
  { terminationDate }: Facts,
  settings: Pick<Settings, 'joining'>,
): Message {
  if (reason === 'not-requested' && canJoin(settings)) return createMessage('not-subscribed-not-joined');
  if (reason !== 'employment-ends') return createMessage(`not-subscribed-${reason}`);
  const ends =
    terminationDate === null
      ? { ends: 'employment-ends' satisfies MessageKey }
      : { ends: 'employment-ends-on' satisfies MessageKey, terminatedOn: terminationDate };
  return isKnown
    ? createMessage('not-subscribed-employment-ends', { ...ends, on })
    : createMessage('not-subscribed-absent', ends);
}

export const notSubscribedRule = (
  reason: NewNotSubscribedReason,
  start: { on: Day; isKnown: boolean },
  facts: Facts,
  settings: Pick<Settings, 'joining'>,
): Rule => create(`not-subscribed-${reason}`, notSubscribedMessage(reason, start, facts, settings));
