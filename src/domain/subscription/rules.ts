import { type Day, firstOfNextMonth, isBefore, isSameDay } from '../calendar.ts';
import type { EndCause, NotSubscribedReason } from '../enums.ts';
import { createMessage, formatMessage, type Message, type MessageKey } from '../messages/message.ts';
import type { Consent, Facts, PlanningInput, Subscription } from './subscription.ts';

/** Describes when each rule applies, for the docs. Ids are stored and never renamed; sentences may be improved. */
export const describe = {
  'start-next-month': 'The next month is possible.',
  'start-with-employment': 'Employment begins later: the first month that begins on or after its first day.',
  'start-after-absence': 'Approved absences cover earlier months completely: the first month that they do not cover.',
  'start-awaits-absence-end': 'An approved absence without an end covers the start: postponed until an end is known.',
  'start-awaits-contract':
    'The start date is reached without an accepted contract: postponed to the next possible month.',
  'start-has-come': 'The start date is reached.',
  'contract-accepted': 'The contract no longer delays the start.',
  'pause-whole-months': 'Approved absences cover whole months and became known in time.',
  'pause-after-cut-off': 'A reason to pause became known after the cut-off: the first month that is still possible.',
  'pause-requested': 'A user requested a pause in time: from the next month until a user resumes the subscription.',
  'pause-until-employment':
    'The first day of work moves past the current month: from the next month until the first month that begins on or after it.',
  'pause-taken-back': 'There is no longer a reason for the planned pause.',
  'pause-has-come': 'The date of the planned pause is reached.',
  'resumption-known':
    'While paused: the first possible month in which the employee works and is not absent throughout.',
  'resumption-unknown': 'While paused: the absence has no end, or a user requested the pause until further notice.',
  'resumption-has-come': 'The date of the planned resumption is reached.',
  'end-after-termination': 'The end of employment became known in time: the first of the month after its last day.',
  'end-at-earliest': 'Another reason to end became known in time: the first of the next month.',
  'end-after-cut-off': 'A reason to end became known after the cut-off: the first month that is still possible.',
  'end-without-ticket': 'No ticket is running or would be issued before the end: it ends immediately.',
  'end-as-planned': 'A reason to end was added or withdrawn, and the date stays the same.',
  'end-before-start': 'The start was postponed, and no month is left before the end: it ends immediately.',
  'end-taken-back': 'The last reason to end was withdrawn.',
  'end-has-come': 'The date of the planned end is reached.',
  'not-subscribed-opted-out': '`autoSyncEmployee` is `false` in the roster.',
  'not-subscribed-not-requested': '`autoSyncEmployee` is empty in the roster, and no user has subscribed the employee.',
  'not-subscribed-employment-ends': 'Employment ends before the first month for which a ticket could be issued.',
  'not-subscribed-pause-requested': 'A user requested a pause until further notice before the last subscription ended.',
} as const;

type RuleId = keyof typeof describe;
export const ruleIds = Object.keys(describe) as RuleId[];

export interface Rule {
  id: RuleId;
  sentence: string;
  message: Message;
}

const create = (id: RuleId, message: Message): Rule => ({ id, sentence: formatMessage(message), message });

export function startRule({ on, isKnown }: { on: Day; isKnown: boolean }, { employedFrom }: Facts, today: Day): Rule {
  if (!isKnown) return create('start-awaits-absence-end', createMessage('start-awaits-absence-end', { on }));
  if (isSameDay(on, firstOfNextMonth(today))) {
    return create('start-next-month', createMessage('start-next-month', { on }));
  }
  if (employedFrom !== null && isBefore(on.subtract({ months: 1 }), employedFrom)) {
    return create('start-with-employment', createMessage('start-with-employment', { employedFrom, on }));
  }
  return create('start-after-absence', createMessage('start-after-absence', { on }));
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

export const until = (resumesOn: Day | null) =>
  resumesOn === null
    ? { until: 'until-further-notice' satisfies MessageKey }
    : { until: 'until-resumption' satisfies MessageKey, resumesOn };

interface Pause {
  on: Day;
  resumesOn: Day | null;
  requestedOn: Day;
  reason: 'request' | 'absence' | 'employment';
}

const pauseRuleIds = {
  request: 'pause-requested',
  absence: 'pause-whole-months',
  employment: 'pause-until-employment',
} as const satisfies Record<Pause['reason'], RuleId>;

function pauseReason(reason: Pause['reason'], { employedFrom }: Facts) {
  if (reason === 'request') return { reason: 'pause-reason-request' satisfies MessageKey };
  return reason === 'absence' || employedFrom === null
    ? { reason: 'pause-reason-absence' satisfies MessageKey }
    : { reason: 'pause-reason-employment' satisfies MessageKey, employedFrom };
}

export function pauseRule(pause: Pause, { facts, today, cutOffDay }: PlanningInput): Rule {
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

export const resumptionIsDue = (on: Day): Rule =>
  create('resumption-has-come', createMessage('resumption-has-come', { on }));

export const endReason = (cause: EndCause, { terminationDate }: Facts) =>
  cause === 'termination' && terminationDate !== null
    ? { reason: 'end-reason-termination-on' satisfies MessageKey, terminatedOn: terminationDate }
    : { reason: `end-reason-${cause}` satisfies MessageKey };

interface End {
  cause: EndCause;
  cancelledOn: Day;
  /** The first day on which it could have taken effect without a cut-off. */
  requestedOn: Day;
  isRunning: boolean;
  isAsPlanned: boolean;
}

export function endRule(end: End, facts: Facts, knownOn: Day, cutOffDay: number): Rule {
  const { cancelledOn: on, requestedOn } = end;
  const reason = endReason(end.cause, facts);
  if (end.isAsPlanned) return create('end-as-planned', createMessage('end-as-planned', { ...reason, on }));
  if (!end.isRunning && isSameDay(on, knownOn)) {
    return create('end-without-ticket', createMessage('end-without-ticket', reason));
  }
  if (isBefore(requestedOn, on)) {
    const late = { ...reason, knownDay: knownOn.day, cutOffDay, on, requestedOn };
    return create('end-after-cut-off', createMessage('known-after-cut-off', late));
  }
  const id = end.cause === 'termination' ? 'end-after-termination' : 'end-at-earliest';
  return create(id, createMessage(id, { ...reason, on }));
}

export const endBeforeStart = (on: Day): Rule => create('end-before-start', createMessage('end-before-start', { on }));

export const endWithdrawn = (on: Day): Rule => create('end-taken-back', createMessage('end-taken-back', { on }));

export const endIsDue = (on: Day): Rule => create('end-has-come', createMessage('end-has-come', { on }));

function notSubscribedMessage(
  reason: NotSubscribedReason,
  { on, isKnown }: { on: Day; isKnown: boolean },
  { terminationDate }: Facts,
): Message {
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
  reason: NotSubscribedReason,
  start: { on: Day; isKnown: boolean },
  facts: Facts,
): Rule => create(`not-subscribed-${reason}`, notSubscribedMessage(reason, start, facts));
