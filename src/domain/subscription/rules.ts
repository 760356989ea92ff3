import { type Day, firstOfNextMonth, isBefore, isSameDay } from '../calendar.ts';
import type { EndCause, NotSubscribedReason } from '../enums.ts';
import type { Facts, PlanningInput, Subscription } from './subscription.ts';

/**
 * Describes every rule and when it applies, for the docs. Ids are stored with every change and never renamed. Sentences
 * are for readers and may be improved.
 */
export const describe = {
  'start-next-month': 'The next month is possible: employment has begun by then, and absences do not cover all of it.',
  'start-with-employment': 'Employment begins later: the first month that begins on or after its first day.',
  'start-after-absence':
    'Approved absences cover the earlier months completely: the first month that they do not cover.',
  'start-awaits-absence-end':
    'An approved absence without an end covers the first possible month: the start is postponed until an end is known.',
  'start-awaits-contract':
    'The start date is reached, but the contract is not accepted: the start is postponed to the next possible month.',
  'start-has-come': 'The planned start date is reached, and nothing prevents the start.',
  'contract-accepted': 'The contract is accepted and no longer delays the start.',
  'pause-whole-months':
    'Approved absences cover whole months and became known in time: paused from the first such month.',
  'pause-after-cut-off':
    'A pause (because of an absence, a later first day of work or a request) became known after the cut-off: it starts with the first month that is still possible.',
  'pause-requested':
    'A user requested a pause in time: paused from the next month until a user resumes the subscription.',
  'pause-until-employment':
    'The first day of work moves past the current month: paused from the next month until the first month that begins on or after that day.',
  'pause-taken-back': 'There is no longer a reason for the planned pause.',
  'pause-has-come': 'The date of the planned pause is reached.',
  'resumption-known':
    'While paused: tickets resume with the first possible month in which the employee works and is not absent for the whole month.',
  'resumption-unknown': 'While paused: the absence has no end, or a user requested the pause until further notice.',
  'resumption-has-come': 'The date of the planned resumption is reached.',
  'end-after-termination': 'The end of employment became known in time: the first of the month after its last day.',
  'end-at-earliest': 'Another reason to end became known in time: the first of the next month.',
  'end-after-cut-off':
    'A reason to end became known after the cut-off: the first of the earliest month that is still possible.',
  'end-without-ticket': 'No ticket is running, and none would be issued before the end: it ends immediately.',
  'end-as-planned': 'A reason to end was added or withdrawn, and the planned date stays the same.',
  'end-before-start': 'The start was postponed, and no month is left before the end: it ends immediately.',
  'end-taken-back': 'The last reason to end was withdrawn before the end date.',
  'end-has-come': 'The date of the planned end is reached.',
  'not-subscribed-opted-out': 'No subscription: `autoSyncEmployee` is `false` in the roster.',
  'not-subscribed-not-requested':
    'No subscription: `autoSyncEmployee` is empty in the roster, and no user has subscribed the employee.',
  'not-subscribed-employment-ends':
    'No subscription: employment ends before the first month for which a ticket could be issued.',
  'not-subscribed-pause-requested':
    'No new subscription: a user requested a pause until further notice before the last subscription ended.',
} as const;

type RuleId = keyof typeof describe;
export const ruleIds = Object.keys(describe) as RuleId[];

export interface Rule {
  id: RuleId;
  /** One sentence that users who manage employees understand. */
  sentence: string;
}

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/**
 * Formats a day without Intl, which takes about fifty times as long: a large roster brings a hundred thousand changes.
 */
const write = (day: Day) => `${day.day} ${monthNames[day.month - 1]} ${day.year}`;

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return `${day}th`;
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`;
}

const lateFor = (knownOn: Day, cutOffDay: number, effect: Day, requestedOn: Day) =>
  `known on the ${ordinal(knownOn.day)}, after the cut-off on the ${ordinal(cutOffDay)}: ` +
  `takes effect on ${write(effect)} instead of ${write(requestedOn)}`;

export function startRule(start: { on: Day; isKnown: boolean }, facts: Facts, today: Day): Rule {
  const on = write(start.on);
  if (!start.isKnown) {
    const sentence = `Absent without a known end: the start is postponed month by month, currently to ${on}.`;
    return { id: 'start-awaits-absence-end', sentence };
  }
  const { employedFrom } = facts;
  if (isSameDay(start.on, firstOfNextMonth(today))) {
    return { id: 'start-next-month', sentence: `Starts on ${on}, with the next whole month.` };
  }
  if (employedFrom !== null && isBefore(start.on.subtract({ months: 1 }), employedFrom)) {
    const sentence = `Employed from ${write(employedFrom)}: starts on ${on}, the first month that begins on or after that.`;
    return { id: 'start-with-employment', sentence };
  }
  const sentence = `Absent for whole months before: starts on ${on}, the first month that is not wholly covered.`;
  return { id: 'start-after-absence', sentence };
}

export const startAwaitsContract = (start: Day): Rule => ({
  id: 'start-awaits-contract',
  sentence: `The contract is not accepted yet: the start is postponed to ${write(start)}.`,
});

export const startIsDue = (start: Day): Rule => ({
  id: 'start-has-come',
  sentence: `The subscription starts as planned on ${write(start)}.`,
});

export const contractAccepted = ({ startOn, status }: Subscription): Rule => ({
  id: 'contract-accepted',
  sentence:
    status === 'scheduled' && startOn !== null
      ? `The contract is accepted: the subscription can start on ${write(startOn)}.`
      : 'The contract is accepted.',
});

const until = (resumesOn: Day | null) =>
  resumesOn === null ? 'until further notice' : `until tickets resume on ${write(resumesOn)}`;

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

function pauseReason(reason: Pause['reason'], { employedFrom }: Facts): string {
  if (reason === 'request') return 'Paused on request';
  return reason === 'absence' || employedFrom === null
    ? 'Absent for whole months'
    : `Employed from ${write(employedFrom)} only`;
}

export function pauseRule(pause: Pause, { facts, today, cutOffDay }: PlanningInput): Rule {
  const reason = pauseReason(pause.reason, facts);
  if (isBefore(pause.requestedOn, pause.on)) {
    const sentence = `${reason}, ${lateFor(today, cutOffDay, pause.on, pause.requestedOn)}.`;
    return { id: 'pause-after-cut-off', sentence };
  }
  const sentence = `${reason}: paused from ${write(pause.on)} ${until(pause.resumesOn)}.`;
  return { id: pauseRuleIds[pause.reason], sentence };
}

export const pauseWithdrawn = (pausedOn: Day): Rule => ({
  id: 'pause-taken-back',
  sentence: `There is no longer a reason for a pause: the pause planned for ${write(pausedOn)} is withdrawn.`,
});

export const pauseIsDue = (pausedOn: Day, resumesOn: Day | null): Rule => ({
  id: 'pause-has-come',
  sentence: `The pause begins as planned on ${write(pausedOn)} and lasts ${until(resumesOn)}.`,
});

export const resumptionRule = (resumesOn: Day | null): Rule =>
  resumesOn === null
    ? { id: 'resumption-unknown', sentence: 'The pause lasts until further notice, because its end is not known.' }
    : {
        id: 'resumption-known',
        sentence: `Tickets resume on ${write(resumesOn)}, the first possible month.`,
      };

export const resumptionIsDue = (resumesOn: Day): Rule => ({
  id: 'resumption-has-come',
  sentence: `Tickets resume as planned on ${write(resumesOn)}.`,
});

const endReason = (cause: EndCause, { terminatedOn }: Facts): string => {
  if (cause === 'termination' && terminatedOn !== null) return `Employment ends on ${write(terminatedOn)}`;
  const reasons: Record<EndCause, string> = {
    termination: 'Employment ends',
    offboard: 'No longer in the roster',
    'contract-rejected': 'The contract is rejected',
    'opt-out': 'Opted out in the HR system',
    cancel: 'Cancelled on request',
  };
  return reasons[cause];
};

interface End {
  cause: EndCause;
  /** The day on which the end takes effect. */
  on: Day;
  /** The first day on which it could have taken effect without a cut-off. */
  requestedOn: Day;
  isRunning: boolean;
  /** Whether the date was planned before and stays. */
  isAsPlanned: boolean;
}

export function endRule(end: End, facts: Facts, knownOn: Day, cutOffDay: number): Rule {
  const reason = endReason(end.cause, facts);
  const on = write(end.on);
  if (end.isAsPlanned) return { id: 'end-as-planned', sentence: `${reason}: ends on ${on}, as planned before.` };
  if (!end.isRunning && isSameDay(end.on, knownOn)) {
    return { id: 'end-without-ticket', sentence: `${reason}: no ticket is running or planned, so it ends today.` };
  }
  if (isBefore(end.requestedOn, end.on)) {
    return { id: 'end-after-cut-off', sentence: `${reason}, ${lateFor(knownOn, cutOffDay, end.on, end.requestedOn)}.` };
  }
  return end.cause === 'termination'
    ? { id: 'end-after-termination', sentence: `${reason}: ends on ${on}, the first of a month after that.` }
    : { id: 'end-at-earliest', sentence: `${reason}: ends on ${on}, with the current month's ticket.` };
}

export const endBeforeStart = (start: Day): Rule => ({
  id: 'end-before-start',
  sentence: `The next possible start, ${write(start)}, leaves no month before the end, so it ends today.`,
});

export const endWithdrawn = (cancelledOn: Day): Rule => ({
  id: 'end-taken-back',
  sentence: `There is no longer a reason to end: the end planned for ${write(cancelledOn)} is withdrawn.`,
});

export const endIsDue = (cancelledOn: Day): Rule => ({
  id: 'end-has-come',
  sentence: `The subscription ends as planned on ${write(cancelledOn)}.`,
});

export function notSubscribedRule(
  reason: NotSubscribedReason,
  start: { on: Day; isKnown: boolean },
  facts: Facts,
): Rule {
  const ends = facts.terminatedOn === null ? 'employment ends' : `employment ends on ${write(facts.terminatedOn)}`;
  const sentences: Record<NotSubscribedReason, string> = {
    'opted-out': 'No subscription: the employee is opted out in the HR system.',
    'not-requested':
      'No subscription: the HR system does not specify whether to subscribe this employee, and no user has subscribed them.',
    'employment-ends': start.isKnown
      ? `No subscription: ${ends}, before the first possible ticket on ${write(start.on)}.`
      : `No subscription: absent without a known end, and ${ends}.`,
    'pause-requested':
      'No new subscription: a requested pause is still in effect. A user can subscribe this employee again.',
  };
  return { id: `not-subscribed-${reason}`, sentence: sentences[reason] };
}
