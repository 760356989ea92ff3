import type { SubscriptionStatus } from '../enums.ts';

/**
 * The dates of a subscription as API, events, history and portal show them (contract, section 16). The rules plan ahead:
 * a start, a pause or an end has its date before it is reached. Outside, a date tells what has happened, and `upcoming`
 * what comes next.
 *
 * Both follow from the status and the dates, so that they agree with the status until the daily run has processed the
 * day. They are generic, because a page of employees is presented without parsing its dates: ISO texts compare alike.
 */

type ReplacedDates<D> = Record<'startOn' | 'pausedOn' | 'cancelledOn' | 'reactivatedOn', D | null>;

export interface PlannedDates<D> extends ReplacedDates<D> {
  status: SubscriptionStatus;
  resumesOn: D | null;
  /** The last date of each kind that was reached before the present plan replaced it. */
  past: ReplacedDates<D>;
}

export const noPast = { startOn: null, pausedOn: null, cancelledOn: null, reactivatedOn: null };

export const upcomingTypes = ['start', 'pause', 'resumption', 'cancellation'] as const;
export type UpcomingType = (typeof upcomingTypes)[number];

export interface Upcoming<D> {
  type: UpcomingType;
  at: D;
}

export interface PublicDates<D> {
  startAt: D | null;
  pausedAt: D | null;
  cancelledAt: D | null;
  reactivatedAt: D | null;
  upcoming: Upcoming<D> | null;
}

type IsBefore<D> = (one: D, other: D) => boolean;

/** Returns the start of the planned or present pause. A pause that was followed by a reactivation is over. */
export const openPauseOf = <D>(
  { pausedOn, reactivatedOn }: Pick<PlannedDates<D>, 'pausedOn' | 'reactivatedOn'>,
  isBefore: IsBefore<D>,
): D | null => (pausedOn !== null && reactivatedOn !== null && isBefore(pausedOn, reactivatedOn) ? null : pausedOn);

/** Returns the next change of the status. An end on the same day as a pause or resumption comes first. */
export function nextChange<D>(dates: Omit<PlannedDates<D>, 'past'>, isBefore: IsBefore<D>): Upcoming<D> | null {
  const { status, startOn, resumesOn, cancelledOn } = dates;
  const change = (type: Upcoming<D>['type'], at: D | null) => (at === null ? null : { type, at });
  if (status === 'scheduled') return change('start', startOn);
  if (status === 'no-subscription' || status === 'cancelled') return null;
  const end = change('cancellation', cancelledOn);
  const other = status === 'paused' ? change('resumption', resumesOn) : change('pause', openPauseOf(dates, isBefore));
  return end === null || (other !== null && isBefore(other.at, end.at)) ? other : end;
}

function reachedDates<D>(dates: PlannedDates<D>, isBefore: IsBefore<D>): ReplacedDates<D> {
  const { status, startOn, pausedOn, cancelledOn, reactivatedOn, past } = dates;
  const isScheduled = status === 'scheduled';
  const isPlannedPause =
    (status === 'scheduled-pause' || status === 'scheduled-cancellation') && openPauseOf(dates, isBefore) !== null;
  // A new subscription that was cancelled before its start has ended nothing: the end of the one before it stands.
  const hasEnded = status === 'cancelled' && (startOn !== null || past.startOn === null);
  return {
    startOn: isScheduled ? null : startOn,
    pausedOn: isPlannedPause ? null : pausedOn,
    cancelledOn: hasEnded ? cancelledOn : null,
    reactivatedOn: isScheduled ? null : reactivatedOn,
  };
}

export function publicDates<D>(dates: PlannedDates<D>, isBefore: IsBefore<D>): PublicDates<D> {
  const { status, past } = dates;
  const reached = reachedDates(dates, isBefore);
  const isOver = status === 'cancelled' || status === 'scheduled';
  return {
    startAt: reached.startOn ?? past.startOn,
    pausedAt: reached.pausedOn ?? past.pausedOn,
    cancelledAt: isOver ? (reached.cancelledOn ?? past.cancelledOn) : null,
    reactivatedAt: reached.reactivatedOn ?? past.reactivatedOn,
    upcoming: nextChange(dates, isBefore),
  };
}

export function pastAfter<D>(
  before: PlannedDates<D>,
  after: Omit<PlannedDates<D>, 'past'>,
  isBefore: IsBefore<D>,
): ReplacedDates<D> {
  const reached = reachedDates({ ...after, past: before.past }, isBefore);
  const shown = publicDates(before, isBefore);
  return {
    startOn: reached.startOn === null ? shown.startAt : null,
    pausedOn: reached.pausedOn === null ? shown.pausedAt : null,
    cancelledOn: reached.cancelledOn === null ? shown.cancelledAt : null,
    reactivatedOn: reached.reactivatedOn === null ? shown.reactivatedAt : null,
  };
}

export const isTextBefore: IsBefore<string> = (one, other) => one < other;

export const publicTexts = (dates: PlannedDates<string>): PublicDates<string> => publicDates(dates, isTextBefore);
