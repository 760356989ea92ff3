import { contractDecisions, type EndCause, endCauses, type SubscriptionStatus } from '../enums.ts';

/** What a user may decide about a subscription: requests of the company, and how the employee decided about the contract. */
export const decisions = ['subscribe', 'cancel', 'pause', 'resume', ...contractDecisions] as const;
export type Decision = (typeof decisions)[number];

export const causes = [
  ...endCauses,
  'subscribe',
  'start',
  'absence',
  'absence-withdrawn',
  'pause',
  'resume',
  'termination-withdrawn',
  'return',
  'contract-accepted',
  'plan-change',
  'undo',
  'not-subscribed',
  'calendar',
] as const;
export type Cause = (typeof causes)[number];

interface Transition {
  cause: Cause;
  from: readonly SubscriptionStatus[];
  to: readonly SubscriptionStatus[];
  changes: string;
}

const running = ['active', 'scheduled-pause', 'scheduled-cancellation'] as const;

const wantedEnds: Partial<Record<EndCause, string>> = {
  termination: 'the first of the month after the last day',
  cancel: 'the first of the month that was asked for, or of the next one',
};

const ending = (cause: EndCause): Transition[] => [
  {
    cause,
    from: running,
    to: ['scheduled-cancellation'],
    changes: `cancelledOn = ${wantedEnds[cause] ?? 'the first of the next month'}, cut-off permitting`,
  },
  {
    cause,
    from: ['scheduled', 'paused'],
    to: ['cancelled'],
    changes: 'cancelledOn = today; planned dates that were not reached become null',
  },
];

/** Returns the transitions when a cause of an end is withdrawn. If another remains, the end stays or moves. */
const endWithdrawn = (cause: Cause): Transition[] => [
  {
    cause,
    from: ['scheduled-cancellation'],
    to: running,
    changes: 'cancelledOn = null, or the date of the remaining causes',
  },
  { cause, from: ['paused'], to: ['paused'], changes: 'cancelledOn = null, or the date of the remaining causes' },
];

/** The state machine as data, from which docs and tests derive. A row with one status moves a date. */
export const transitions: readonly Transition[] = [
  {
    cause: 'subscribe',
    from: ['no-subscription'],
    to: ['scheduled'],
    changes: 'startOn = the first possible month; contract pending if the plan needs one',
  },
  {
    cause: 'subscribe',
    from: ['cancelled'],
    to: ['scheduled'],
    changes: 'cancelledOn = null; startOn = reactivatedOn = the first possible month; plan and contract as at first',
  },
  ...endWithdrawn('subscribe'),
  { cause: 'subscribe', from: ['scheduled'], to: ['scheduled'], changes: 'cancelledOn = null' },
  {
    cause: 'start',
    from: ['scheduled'],
    to: ['scheduled'],
    changes: 'startOn follows the first day of employment and the absences',
  },
  {
    cause: 'start',
    from: ['active', 'scheduled-pause'],
    to: ['scheduled-pause'],
    changes:
      'pausedOn = the first of the next month, cut-off permitting; resumesOn = the first month that begins on or after the first day of employment',
  },
  {
    cause: 'start',
    from: ['scheduled-pause'],
    to: ['active'],
    changes: 'the pause is no longer needed: pausedOn = resumesOn = null',
  },
  {
    cause: 'start',
    from: ['scheduled-cancellation'],
    to: ['scheduled-cancellation'],
    changes: 'as from `active`',
  },
  {
    cause: 'start',
    from: ['paused'],
    to: ['paused'],
    changes: 'resumesOn = the first possible month that begins on or after the first day of employment',
  },
  {
    cause: 'contract-accepted',
    from: ['scheduled'],
    to: ['scheduled'],
    changes: 'contract accepted; the start is no longer postponed',
  },
  ...endWithdrawn('contract-accepted'),
  {
    cause: 'absence',
    from: ['active', 'scheduled-pause'],
    to: ['scheduled-pause'],
    changes:
      'pausedOn = the first completely covered month, cut-off permitting; resumesOn = the first month after it that is not',
  },
  {
    cause: 'absence',
    from: ['scheduled-cancellation'],
    to: ['scheduled-cancellation'],
    changes: 'as from `active`',
  },
  {
    cause: 'absence',
    from: ['paused'],
    to: ['paused'],
    changes: 'resumesOn = the first month that is not completely covered',
  },
  {
    cause: 'absence-withdrawn',
    from: ['scheduled-pause'],
    to: ['active'],
    changes: 'pausedOn = resumesOn = null',
  },
  {
    cause: 'absence-withdrawn',
    from: ['scheduled-cancellation'],
    to: ['scheduled-cancellation'],
    changes: 'pausedOn = resumesOn = null',
  },
  {
    cause: 'absence-withdrawn',
    from: ['paused'],
    to: ['paused'],
    changes: 'resumesOn = the first of the next month, or the first month that is not completely covered',
  },
  {
    cause: 'pause',
    from: ['active', 'scheduled-pause'],
    to: ['scheduled-pause'],
    changes:
      'pausedOn = the first month that was asked for, cut-off permitting; resumesOn = the first month after it that nothing pauses, if it is known',
  },
  {
    cause: 'pause',
    from: ['scheduled-cancellation'],
    to: ['scheduled-cancellation'],
    changes: 'as from `active`',
  },
  {
    cause: 'pause',
    from: ['paused'],
    to: ['paused'],
    changes: 'resumesOn = the first possible month that nothing pauses, if it is known',
  },
  {
    cause: 'pause',
    from: ['scheduled'],
    to: ['scheduled'],
    changes: 'startOn = the first possible month that nothing pauses',
  },
  {
    cause: 'resume',
    from: ['scheduled'],
    to: ['scheduled'],
    changes: 'startOn = the first possible month that nothing pauses',
  },
  {
    cause: 'resume',
    from: ['scheduled-pause'],
    to: ['active', 'scheduled-pause'],
    changes: 'pausedOn = resumesOn = null, or the dates of the other pauses',
  },
  {
    cause: 'resume',
    from: ['scheduled-cancellation'],
    to: ['scheduled-cancellation'],
    changes: 'pausedOn = resumesOn = null, or the dates of the other pauses',
  },
  { cause: 'resume', from: ['paused'], to: ['paused'], changes: 'resumesOn = the first possible month' },
  ...endCauses.flatMap(ending),
  {
    cause: 'cancel',
    from: ['scheduled'],
    to: ['scheduled'],
    changes: 'cancelledOn = the first of the month that was asked for, if that leaves a month with a ticket',
  },
  {
    cause: 'cancel',
    from: ['paused'],
    to: ['paused'],
    changes: 'cancelledOn = the first of the month that was asked for, if that leaves a month with a ticket',
  },
  {
    cause: 'undo',
    from: ['scheduled'],
    to: ['no-subscription', 'cancelled', 'scheduled'],
    changes: 'the dates before the request',
  },
  {
    cause: 'undo',
    from: ['cancelled'],
    to: ['scheduled', 'paused'],
    changes: 'the dates before the request',
  },
  {
    cause: 'undo',
    from: ['active'],
    to: ['scheduled-pause', 'scheduled-cancellation'],
    changes: 'the dates before the request',
  },
  {
    cause: 'undo',
    from: ['scheduled-pause', 'scheduled-cancellation'],
    to: running,
    changes: 'the dates before the request',
  },
  { cause: 'undo', from: ['paused'], to: ['paused'], changes: 'the dates before the request' },
  {
    cause: 'termination',
    from: ['scheduled'],
    to: ['scheduled'],
    changes: 'cancelledOn = the first of the month after the last day, if that leaves a month with a ticket',
  },
  {
    cause: 'termination',
    from: ['paused'],
    to: ['paused'],
    changes: 'cancelledOn = the first of the month after the last day, if the pause ends before it',
  },
  { cause: 'termination-withdrawn', from: ['scheduled'], to: ['scheduled'], changes: 'cancelledOn = null' },
  ...endWithdrawn('termination-withdrawn'),
  ...endWithdrawn('return'),
  ...(['scheduled', 'active', 'scheduled-pause', 'paused', 'scheduled-cancellation'] as const).map(
    (status): Transition => ({
      cause: 'plan-change',
      from: [status],
      to: [status],
      changes: 'the plan from a later month on, and contract pending if the share of the employee rises',
    }),
  ),
  {
    cause: 'not-subscribed',
    from: ['no-subscription'],
    to: ['no-subscription'],
    changes: 'none: the reason is recorded, once',
  },
  {
    cause: 'not-subscribed',
    from: ['cancelled'],
    to: ['cancelled'],
    changes: 'none: the reason is recorded, unless the earlier end explains it',
  },
  {
    cause: 'calendar',
    from: ['scheduled'],
    to: ['active', 'scheduled-cancellation'],
    changes: 'startOn is reached',
  },
  {
    cause: 'calendar',
    from: ['scheduled'],
    to: ['scheduled'],
    changes: 'the contract is not accepted, or the absence has no end: startOn is postponed',
  },
  {
    cause: 'calendar',
    from: ['scheduled'],
    to: ['cancelled'],
    changes: 'the start was postponed past the end: no month is left',
  },
  {
    cause: 'calendar',
    from: ['scheduled-pause', 'scheduled-cancellation'],
    to: ['paused'],
    changes: 'pausedOn is reached',
  },
  {
    cause: 'calendar',
    from: ['paused'],
    to: ['active', 'scheduled-cancellation'],
    changes: 'resumesOn is reached: reactivatedOn = that day, resumesOn = null, pausedOn stays',
  },
  {
    cause: 'calendar',
    from: ['scheduled-cancellation', 'paused'],
    to: ['cancelled'],
    changes: 'cancelledOn is reached; a planned pause is dropped',
  },
];

const nameOf = (cause: Cause, from: SubscriptionStatus, to: SubscriptionStatus) => `${cause}: ${from} to ${to}`;

/** All transitions by name, because a hundred thousand changes are looked up on the first of a month. */
const known: ReadonlySet<string> = new Set(
  transitions.flatMap(({ cause, from, to }) => from.flatMap((status) => to.map((next) => nameOf(cause, status, next)))),
);

export const isTransition = (cause: Cause, from: SubscriptionStatus, to: SubscriptionStatus): boolean =>
  known.has(nameOf(cause, from, to));

/** Throws if the state machine does not allow the change: the caller's plan is wrong, and none of it may be written. */
export function assertTransition(cause: Cause, from: SubscriptionStatus, to: SubscriptionStatus): void {
  if (!isTransition(cause, from, to)) throw new Error(`No rule allows this change: ${nameOf(cause, from, to)}.`);
}

export const isPossible = (cause: Cause, status: SubscriptionStatus): boolean =>
  transitions.some((row) => row.cause === cause && row.from.includes(status));
