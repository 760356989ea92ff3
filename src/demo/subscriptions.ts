import type { ContractStatus, PlanType, SubscriptionStatus } from '../domain/vocabulary.ts';
import { type Calendar, earlier, firstMonthOffset } from './calendar.ts';
import type { Random } from './random.ts';

type Day = Temporal.PlainDate;

export interface Absence {
  startsOn: Day;
  endsOn: Day | null;
  approved: boolean;
}

/** The dates of a subscription, with the absences and the termination that led to them. */
export interface SubscriptionDates {
  startOn: Day | null;
  nextTicketOn: Day | null;
  pausedOn: Day | null;
  cancelledOn: Day | null;
  reactivatedOn: Day | null;
  terminatedOn: Day | null;
  absences: Absence[];
}

export interface Draw {
  calendar: Calendar;
  random: Random;
  /** How many with the same status came before: it decides the variant, so that each occurs whatever is drawn. */
  nth: number;
  contract: ContractStatus | null;
}

export const nothing: SubscriptionDates = {
  startOn: null,
  nextTicketOn: null,
  pausedOn: null,
  cancelledOn: null,
  reactivatedOn: null,
  terminatedOn: null,
  absences: [],
};

/** Half of the people were there when the company joined; `latest` is the offset of the last possible first month. */
function drawStart({ calendar, random }: Draw, latest: number): Day {
  const isFounder = random.chance(0.5);
  return calendar.month(isFounder ? firstMonthOffset : random.int(firstMonthOffset + 1, latest));
}

/** An approved absence for which exactly the months from `pausedOn` to before `resumesOn` are paused. */
const coveringAbsence = (random: Random, pausedOn: Day, resumesOn: Day | null): Absence => ({
  startsOn: pausedOn.subtract({ days: random.int(0, 14) }),
  endsOn: resumesOn?.add({ days: random.int(-1, 12) }) ?? null,
  approved: true,
});

const unapprovedAbsence = (random: Random, from: Day): Absence => {
  const startsOn = from.add({ days: random.int(5, 40) });
  return { startsOn, endsOn: startsOn.add({ days: random.int(30, 90) }), approved: false };
};

function active(draw: Draw): SubscriptionDates {
  const { calendar, random, nth } = draw;
  const running = { ...nothing, startOn: drawStart(draw, 0), nextTicketOn: calendar.month(1) };
  if (nth % 9 === 4) {
    const pausedOn = calendar.month(random.int(-8, -4));
    const reactivatedOn = pausedOn.add({ months: random.int(1, 4) });
    const absences = [coveringAbsence(random, pausedOn, reactivatedOn)];
    return { ...running, startOn: calendar.month(random.int(-11, -9)), pausedOn, reactivatedOn, absences };
  }
  if (nth % 13 === 5) {
    const again = calendar.month(random.int(-5, 0));
    return { ...running, startOn: again, reactivatedOn: again };
  }
  return nth % 11 === 6 ? { ...running, absences: [unapprovedAbsence(random, calendar.today)] } : running;
}

function scheduled({ calendar, random, nth, contract }: Draw): SubscriptionDates {
  // A start that waits for a signature is always the next one possible.
  const startOn = calendar.month(contract === 'pending' ? 1 : random.int(1, 3));
  return { ...nothing, startOn, nextTicketOn: startOn, reactivatedOn: nth % 5 === 4 ? startOn : null };
}

function scheduledPause(draw: Draw): SubscriptionDates {
  const { calendar, random, nth } = draw;
  const pausedOn = calendar.month(1 + (nth % 3));
  const resumesOn = nth % 2 === 0 ? null : pausedOn.add({ months: random.int(1, 4) });
  const nextTicketOn = nth % 3 === 0 ? resumesOn : calendar.month(1);
  const absences = [coveringAbsence(random, pausedOn, resumesOn)];
  return { ...nothing, startOn: drawStart(draw, -2), nextTicketOn, pausedOn, absences };
}

function paused({ calendar, random, nth }: Draw): SubscriptionDates {
  const pausedOn = calendar.month(-(nth % 5));
  const resumesOn = nth % 3 === 0 ? null : calendar.month(random.int(1, 4));
  const absences = [coveringAbsence(random, pausedOn, resumesOn)];
  if (nth % 4 === 1) absences.push(unapprovedAbsence(random, calendar.month(6)));
  return { ...nothing, startOn: calendar.month(random.int(-11, -6)), nextTicketOn: resumesOn, pausedOn, absences };
}

/** Who leaves the company is cancelled on the first day of the month after the last one of work. */
const terminationBefore = ({ random, nth }: Draw, cancelledOn: Day): Day | null =>
  nth % 3 === 1 ? null : cancelledOn.subtract({ days: random.int(1, 16) });

function scheduledCancellation(draw: Draw): SubscriptionDates {
  const { calendar, nth } = draw;
  const isSoon = nth % 2 === 0;
  const cancelledOn = calendar.month(isSoon ? 1 : 2);
  const nextTicketOn = isSoon ? null : calendar.month(1);
  const terminatedOn = terminationBefore(draw, cancelledOn);
  return { ...nothing, startOn: drawStart(draw, -3), nextTicketOn, cancelledOn, terminatedOn };
}

function cancelled(draw: Draw): SubscriptionDates {
  const { calendar, random, contract } = draw;
  if (contract === 'rejected') {
    const cancelledOn = calendar.today.subtract({ days: random.int(5, 150) });
    return { ...nothing, startOn: cancelledOn.with({ day: 1 }).add({ months: 1 }), cancelledOn };
  }
  const cancelledOn = calendar.month(-random.int(0, 3));
  const terminatedOn = terminationBefore(draw, cancelledOn);
  return { ...nothing, startOn: drawStart(draw, -4), cancelledOn, terminatedOn };
}

const drawByStatus: Record<SubscriptionStatus, (draw: Draw) => SubscriptionDates> = {
  'no-subscription': () => nothing,
  scheduled,
  active,
  'scheduled-pause': scheduledPause,
  paused,
  'scheduled-cancellation': scheduledCancellation,
  cancelled,
};

export const drawSubscription = (status: SubscriptionStatus, draw: Draw) => drawByStatus[status](draw);

export function contractOf(status: SubscriptionStatus, planType: PlanType, nth: number): ContractStatus | null {
  if (planType === 'fully-subsidized-plan') return null;
  if (status === 'no-subscription') return nth % 3 === 0 ? 'rejected' : null;
  if (status === 'scheduled') return nth % 2 === 0 ? 'pending' : 'accepted';
  return status === 'cancelled' && nth % 4 === 2 ? 'rejected' : 'accepted';
}

/** Whether a ticket was issued for the month that begins on `month`. */
export function ranIn(dates: SubscriptionDates, month: Day): boolean {
  const reached = (day: Day | null) => day !== null && Temporal.PlainDate.compare(day, month) <= 0;
  if (!reached(dates.startOn) || reached(dates.cancelledOn)) return false;
  return !reached(dates.pausedOn) || reached(dates.reactivatedOn);
}

/** The first of the dates that changed something, so that people do not appear before or after their own story. */
export const firstEvent = ({ startOn, cancelledOn }: SubscriptionDates): Day | null =>
  startOn && cancelledOn ? earlier(startOn, cancelledOn) : startOn;
