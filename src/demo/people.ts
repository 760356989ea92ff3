import {
  type ContractStatus,
  type PlanType,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../domain/vocabulary.ts';
import { type Calendar, earlier, firstMonthOffset, isBefore, later } from './calendar.ts';
import { drawName } from './names.ts';
import type { Random } from './random.ts';
import { contractOf, drawSubscription, firstEvent, nothing, type SubscriptionDates } from './subscriptions.ts';

type Day = Temporal.PlainDate;

export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: Day | null;
  profileImage: string | null;
  employedFrom: Day | null;
  autoSubscribe: boolean | null;
  status: SubscriptionStatus;
  planType: PlanType;
  contract: ContractStatus | null;
  contributionCents: number | null;
  dates: SubscriptionDates;
  createdOn: Day;
  createdAt: string;
  updatedAt: string;
  removedOn: Day | null;
}

/** 200 people in all. */
const peopleOfStatus: Record<SubscriptionStatus, number> = {
  'no-subscription': 18,
  scheduled: 15,
  active: 110,
  'scheduled-pause': 9,
  paused: 12,
  'scheduled-cancellation': 12,
  cancelled: 24,
};

/** Repeated within each status, so that each status has each plan; most have the company's own. */
const planCycle = [
  'split-pay-plan',
  'fully-subsidized-plan',
  'split-pay-plan',
  'deferred-plan',
  'split-pay-plan',
  'fully-subsidized-plan',
  'deferred-plan',
] as const;

/** 49.00 leaves the company less than a quarter of today's price, so those tickets are billed without the discount. */
const contributionCycle = [2000, 2000, 2000, 1500, 2000, 3000, 2000, 2000, 4900] as const;

const cycled = <T>(cycle: readonly [T, ...T[]], nth: number): T => cycle[nth % cycle.length] ?? cycle[0];

/** A subscription that began later than the company joined began because its owner was new. */
function drawEmployedFrom(
  random: Random,
  calendar: Calendar,
  { startOn, reactivatedOn }: SubscriptionDates,
): Day | null {
  const isNew = startOn && !reactivatedOn && isBefore(calendar.month(firstMonthOffset), startOn);
  if (isNew) return startOn.subtract({ days: random.int(0, 27) });
  return random.chance(0.1) ? null : calendar.joined.subtract({ days: random.int(30, 6000) });
}

function drawCreatedOn(random: Random, calendar: Calendar, dates: SubscriptionDates): Day {
  const event = firstEvent(dates) ?? calendar.yesterday.subtract({ days: random.int(0, 300) });
  const isAgain = dates.startOn !== null && dates.startOn === dates.reactivatedOn;
  if (isAgain) return calendar.joined.add({ days: random.int(2, 4) });
  if (event.equals(calendar.month(firstMonthOffset))) return calendar.joined.add({ days: random.int(0, 4) });
  const wanted = event.subtract({ days: random.int(3, 25) });
  return later(calendar.joined, earlier(wanted, calendar.yesterday));
}

/** The last day on which something changed; a change that is only planned became known in time for the cut-off. */
function changedOn(random: Random, calendar: Calendar, person: Pick<Person, 'dates' | 'status' | 'createdOn'>): Day {
  const { startOn, pausedOn, cancelledOn, reactivatedOn } = person.dates;
  const past = [startOn, pausedOn, cancelledOn, reactivatedOn].filter(
    (day) => day !== null && isBefore(day, calendar.today),
  );
  const isPlanned = person.status === 'scheduled-pause' || person.status === 'scheduled-cancellation';
  const cutOff = calendar.month(0).with({ day: 10 });
  if (isPlanned) past.push(earlier(calendar.yesterday, cutOff).subtract({ days: random.int(0, 9) }));
  return past.reduce<Day>((latest, day) => (day ? later(latest, day) : latest), person.createdOn);
}

const autoSubscribeOf = (random: Random, status: SubscriptionStatus, { terminatedOn }: SubscriptionDates) => {
  const isOver = status === 'cancelled' || status === 'scheduled-cancellation';
  if (isOver && terminatedOn === null) return false;
  if (status === 'no-subscription') return random.chance(0.5) ? false : null;
  return random.chance(0.85) ? true : null;
};

type Plan = Pick<Person, 'status' | 'planType' | 'contract' | 'dates'>;

export function createCrowd(random: Random, calendar: Calendar): Person[] {
  const taken = new Set<string>();
  const time = () => `08:${random.int(10, 59)}:${random.int(10, 59)}`;

  function complete(plan: Plan, nth: number, removedOn: Day | null = null): Person {
    const { status, planType, contract, dates } = plan;
    const createdOn = drawCreatedOn(random, calendar, dates);
    const changed = changedOn(random, calendar, { dates, status, createdOn });
    const createdAt = calendar.at(createdOn, time());
    const employedFrom = drawEmployedFrom(random, calendar, dates);
    const bornOn = (employedFrom ?? calendar.joined).subtract({ days: random.int(6_700, 17_000) });
    return {
      ...drawName(random, taken),
      ...plan,
      dateOfBirth: random.chance(0.12) ? null : bornOn,
      employedFrom,
      autoSubscribe: contract === 'rejected' ? null : autoSubscribeOf(random, status, dates),
      contributionCents: planType === 'split-pay-plan' ? cycled(contributionCycle, nth) : null,
      createdOn,
      createdAt,
      updatedAt: changed.equals(createdOn) ? createdAt : calendar.at(changed, '00:05'),
      removedOn,
    };
  }

  const visible = subscriptionStatuses.flatMap((status) =>
    Array.from({ length: peopleOfStatus[status] }, (_, nth) => {
      const planType = cycled(planCycle, nth);
      const contract = contractOf(status, planType, nth);
      return complete(
        { status, planType, contract, dates: drawSubscription(status, { calendar, random, nth, contract }) },
        nth,
      );
    }),
  );
  const removed = removedPlans(calendar).map((plan, nth) => complete(plan, nth, plan.dates.cancelledOn));
  // Ids follow the order in which people came, as they would in a company that grew.
  return [...visible, ...removed].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/** Gone from the roster: two when their last ticket ended, one at once because no ticket was running. */
function removedPlans(calendar: Calendar): Plan[] {
  const end = calendar.month(-1);
  const gone = (startOffset: number) => ({ ...nothing, startOn: calendar.month(startOffset), cancelledOn: end });
  const pausedOn = calendar.month(-4);
  const offParent: SubscriptionDates = {
    ...gone(firstMonthOffset),
    pausedOn,
    cancelledOn: calendar.today.subtract({ days: 20 }),
    absences: [{ startsOn: pausedOn.subtract({ days: 9 }), endsOn: null, approved: true }],
  };
  return [
    { status: 'cancelled', planType: 'split-pay-plan', contract: 'accepted', dates: gone(firstMonthOffset) },
    { status: 'cancelled', planType: 'fully-subsidized-plan', contract: null, dates: gone(-8) },
    { status: 'cancelled', planType: 'deferred-plan', contract: 'accepted', dates: offParent },
  ];
}
