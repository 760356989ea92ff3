import { type Day, firstOfMonth, isBefore, isDue } from '../calendar.ts';
import type {
  ConsentWay,
  ContractStatus,
  EndCause,
  JoiningWay,
  NotSubscribedReason,
  SubscriptionStatus,
} from '../enums.ts';
import { appliedPlanOn, type Plan, type PolicyBook, type PolicyHolder } from '../policies.ts';
import type { Absence } from './absences.ts';
import { noPast, openPauseOf, type PlannedDates } from './public-dates.ts';
import { nothingRequested, type Requested } from './requested.ts';

export interface SubscriptionDates {
  startOn: Day | null;
  pausedOn: Day | null;
  /** The day on which the pause in `pausedOn` will end, if known. */
  resumesOn: Day | null;
  /** The day on which it ended or will end. A known end is stored in every status. */
  cancelledOn: Day | null;
  reactivatedOn: Day | null;
}

export type { Plan };

/** A plan that is to apply to a subscription from a month on. What applies now stays until then, or until it is accepted. */
export interface NextPlan extends Plan {
  /** The first of a month, as text, as it is stored. */
  from: string;
  /** The change of the company of which it is a part. */
  changeId: number;
  /** What applies to the contract if it does not come to the new plan. */
  contractBefore: ContractStatus | null;
}

export interface Subscription extends SubscriptionDates, Plan, Requested {
  status: SubscriptionStatus;
  contractStatus: ContractStatus | null;
  /** The plan that is to replace the present one. While the contract is pending, nobody has agreed to it. */
  nextPlan: NextPlan | null;
  /** The dates that the present plan has replaced although they were reached. Only readers need them. */
  past: PlannedDates<Day>['past'];
  /** All causes of the end when it was last planned, in the order of `endCauses`. */
  cancelCauses: readonly EndCause[];
  /** The last recorded reason why there is no subscription. Null if none was recorded, or if subscribed since. */
  notSubscribedBecause: NotSubscribedReason | null;
  /** The last value from the HR system, which distinguishes a new wish from one repeated every night. */
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
  /** Months after the first day of work in which there is no ticket, by the policy. Absent: none. */
  waitingMonths?: number;
}

export interface Settings extends Plan {
  /** From 1 to 31. */
  cutOffDay: number;
  joining: JoiningWay;
  /** Absent: the company has only its default policy, which says what the settings say. */
  policies?: PolicyBook | undefined;
  /** Whom the settings are for. Absent: nobody in particular. */
  holder?: PolicyHolder | undefined;
}

export interface Consent {
  given: ConsentWay;
  on: Day;
}

/** What the facts are planned by. */
export interface PlanningDay {
  facts: Facts;
  today: Day;
  cutOffDay: number;
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
  nextPlan: null,
  cancelCauses: [],
  ...nothingRequested,
  notSubscribedBecause: null,
  autoSubscribe: null,
  employedFrom: null,
});

export const needsContract = (planType: Plan['planType']): boolean => planType !== 'fully-subsidized-plan';

/**
 * Returns whether a subscription waits for its first agreement. One that is asked about a new plan runs meanwhile. States of
 * requests that were stored before there were new plans have none.
 */
export const awaitsContract = ({ contractStatus, nextPlan }: Pick<Subscription, 'contractStatus' | 'nextPlan'>) =>
  contractStatus === 'pending' && !nextPlan;

/** Returns whether employees may subscribe themselves. Pausing, resuming and cancelling is always theirs. */
export const canJoin = ({ joining }: Pick<Settings, 'joining'>): boolean => joining !== 'roster';

/**
 * Returns whether the roster asks for a subscription. If employees join only by themselves, its `true` asks for nothing;
 * its `false` always ends.
 */
export const isRequestedByRoster = ({ autoSubscribe }: Facts, { joining }: Pick<Settings, 'joining'>): boolean =>
  autoSubscribe === true && joining !== 'employee';

const nobody: PolicyHolder = { policyId: null, group: null };

/** Returns the policy that applies in a month by the settings. Undefined: the plan of the settings does. */
export const appliedPolicy = ({ policies, holder = nobody }: Settings, month: Day) =>
  policies && appliedPlanOn(policies, holder, month);

/** Returns the plan that a subscription has that starts in a month. */
export const startingPlan = (settings: Settings, month: Day): Plan => appliedPolicy(settings, month)?.plan ?? settings;

/** Returns the settings for one employee: with the plan that applies to them in the month of a day. */
export function settingsFor<S extends Settings>(settings: S, holder: PolicyHolder, today: Day): S {
  if (settings.policies === undefined) return settings;
  const { planType, contributionCents } = startingPlan({ ...settings, holder }, firstOfMonth(today));
  return { ...settings, holder, planType, contributionCents };
}

/** Shows somebody without a subscription the plan that would apply today. A company without policies shows it as before. */
export function withPresentPlan(subscription: Subscription, settings: Settings): Subscription {
  if (settings.policies === undefined || !isUnsubscribed(subscription.status)) return subscription;
  const { planType, contributionCents } = settings;
  return { ...subscription, planType, contributionCents };
}

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
