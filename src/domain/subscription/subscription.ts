import { type Day, isBefore, isDue } from '../calendar.ts';
import type {
  ConsentWay,
  ContractStatus,
  EndCause,
  NotSubscribedReason,
  PlanType,
  SubscriptionStatus,
} from '../enums.ts';
import type { Absence } from './absences.ts';
import { noPast, openPauseOf, type PlannedDates } from './public-dates.ts';
import type { Decision } from './transitions.ts';

export interface SubscriptionDates {
  startOn: Day | null;
  pausedOn: Day | null;
  /** The day on which the pause in `pausedOn` will end, if known. */
  resumesOn: Day | null;
  /** The day on which it ended or will end. A known end is stored in every status. */
  cancelledOn: Day | null;
  reactivatedOn: Day | null;
}

/** What a company pays for. A new subscription receives the present plan. */
export interface Plan {
  planType: PlanType;
  /** Only the split-pay plan has a contribution. */
  contributionCents: number | null;
}

export interface Subscription extends SubscriptionDates, Plan {
  status: SubscriptionStatus;
  contractStatus: ContractStatus | null;
  /** The dates that the present plan has replaced although they were reached. Only readers need them. */
  past: PlannedDates<Day>['past'];
  /** All causes of the end when it was last planned, in the order of `endCauses`. */
  cancelCauses: readonly EndCause[];
  pauseRequested: boolean;
  /** The last recorded reason why there is no subscription. Null if none was recorded, or if subscribed since. */
  notSubscribedBecause: NotSubscribedReason | null;
  /** The last value from the HR system, which distinguishes a new request from one repeated every night. */
  autoSubscribe: boolean | null;
  /** The first day of work when last planned. If it differs, the move explains the changes it causes. */
  employedFrom: Day | null;
}

export interface Facts {
  autoSubscribe: boolean | null;
  employedFrom: Day | null;
  terminationDate: Day | null;
  absences: readonly Absence[];
  /** Absent from the roster and not returned since. */
  offboarded: boolean;
}

export interface Settings extends Plan {
  /** From 1 to 31. */
  cutOffDay: number;
}

export interface Consent {
  given: ConsentWay;
  on: Day;
}

export interface PlanningInput {
  facts: Facts;
  today: Day;
  cutOffDay: number;
  decision: Decision | null;
}

export const noSubscription = ({ planType, contributionCents }: Plan): Subscription => ({
  status: 'no-subscription',
  startOn: null,
  pausedOn: null,
  resumesOn: null,
  cancelledOn: null,
  reactivatedOn: null,
  past: noPast,
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

/** Statuses in which a ticket is valid now. */
export const runningStatuses = ['active', 'scheduled-pause', 'scheduled-cancellation'] as const;

export const isRunning = (status: SubscriptionStatus): boolean => runningStatuses.some((running) => running === status);

/** Returns whether nothing is running and nothing is planned. */
export const isUnsubscribed = (status: SubscriptionStatus): boolean =>
  status === 'no-subscription' || status === 'cancelled';

export const openPause = (dates: SubscriptionDates): Day | null => openPauseOf(dates, isBefore);

function isPausedOn(dates: SubscriptionDates, today: Day): boolean {
  if (!isDue(dates.pausedOn, today) || isDue(dates.resumesOn, today)) return false;
  return openPause(dates) !== null || !isDue(dates.reactivatedOn, today);
}

/** Returns the status (contract, section 5): the present before the planned, an end before a pause. */
export function statusOf(dates: SubscriptionDates, today: Day): SubscriptionStatus {
  if (isDue(dates.cancelledOn, today)) return 'cancelled';
  if (dates.startOn === null) return 'no-subscription';
  if (!isDue(dates.startOn, today)) return 'scheduled';
  if (isPausedOn(dates, today)) return 'paused';
  if (dates.cancelledOn !== null) return 'scheduled-cancellation';
  return dates.pausedOn !== null && !isDue(dates.pausedOn, today) ? 'scheduled-pause' : 'active';
}
