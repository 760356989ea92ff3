import { type Day, isBefore, isDue } from '../calendar.ts';
import type { ContractStatus, EndCause, NotSubscribedReason, PlanType, SubscriptionStatus } from '../enums.ts';
import type { Absence } from './absences.ts';
import type { Decision } from './transitions.ts';

export interface SubscriptionDates {
  startOn: Day | null;
  pausedOn: Day | null;
  /** When the pause in `pausedOn` will end, if that is known. The API does not show it. */
  resumesOn: Day | null;
  /** When it ended, or will end: an end that is known is kept in every status. */
  cancelledOn: Day | null;
  reactivatedOn: Day | null;
}

/** What a company pays for: what a subscription that begins now is given. */
export interface Plan {
  planType: PlanType;
  /** Only the split-pay plan has one. */
  contributionCents: number | null;
}

/** A subscription as it is stored. */
export interface Subscription extends SubscriptionDates, Plan {
  status: SubscriptionStatus;
  contractStatus: ContractStatus | null;
  /** Everything that wanted the end when it was last planned, in the order of `endCauses`. */
  cancelCauses: readonly EndCause[];
  /** A person asked for a pause until further notice. */
  pauseRequested: boolean;
  /** Why there is none, as it was last recorded; null: never said, or subscribed since. */
  notSubscribedBecause: NotSubscribedReason | null;
  /** What the HR system last said, so that a word said anew can be told from one repeated every night. */
  autoSubscribe: boolean | null;
  /** The first day of work that the subscription was last planned with, so that a moved one explains what it changes. */
  employedFrom: Day | null;
}

/** What is known of the person. */
export interface Facts {
  autoSubscribe: boolean | null;
  /** Null: employed already. */
  employedFrom: Day | null;
  terminatedOn: Day | null;
  absences: readonly Absence[];
  /** Absent from the roster and not back since. */
  offboarded: boolean;
}

export interface Settings extends Plan {
  /** 1 to 31. */
  cutOffDay: number;
}

/** What a plan is made from. */
export interface PlanningInput {
  facts: Facts;
  today: Day;
  cutOffDay: number;
  /** What a person has just decided. */
  decision: Decision | null;
}

export const noSubscription = ({ planType, contributionCents }: Plan): Subscription => ({
  status: 'no-subscription',
  startOn: null,
  pausedOn: null,
  resumesOn: null,
  cancelledOn: null,
  reactivatedOn: null,
  planType,
  contributionCents,
  contractStatus: null,
  cancelCauses: [],
  pauseRequested: false,
  notSubscribedBecause: null,
  autoSubscribe: null,
  employedFrom: null,
});

export const needsContract = (planType: PlanType): boolean => planType !== 'fully-subsidized-plan';

/** A ticket is valid now. */
export const runningStatuses = ['active', 'scheduled-pause', 'scheduled-cancellation'] as const;

export const isRunning = (status: SubscriptionStatus): boolean => runningStatuses.some((running) => running === status);

/** Nothing is running and nothing is planned. */
export const isUnsubscribed = (status: SubscriptionStatus): boolean =>
  status === 'no-subscription' || status === 'cancelled';

/** The pause that is planned or lasts; one that was followed by a reactivation is history. */
export const openPause = ({ pausedOn, reactivatedOn }: SubscriptionDates): Day | null =>
  pausedOn !== null && reactivatedOn !== null && isBefore(pausedOn, reactivatedOn) ? null : pausedOn;

function isPausedOn(dates: SubscriptionDates, today: Day): boolean {
  if (!isDue(dates.pausedOn, today) || isDue(dates.resumesOn, today)) return false;
  return openPause(dates) !== null || !isDue(dates.reactivatedOn, today);
}

/**
 * Status is a function of the dates and today (contract, section 5). What holds now comes before what is planned, and
 * a planned end before a planned pause.
 */
export function statusOf(dates: SubscriptionDates, today: Day): SubscriptionStatus {
  if (isDue(dates.cancelledOn, today)) return 'cancelled';
  if (dates.startOn === null) return 'no-subscription';
  if (!isDue(dates.startOn, today)) return 'scheduled';
  if (isPausedOn(dates, today)) return 'paused';
  if (dates.cancelledOn !== null) return 'scheduled-cancellation';
  return dates.pausedOn !== null && !isDue(dates.pausedOn, today) ? 'scheduled-pause' : 'active';
}
