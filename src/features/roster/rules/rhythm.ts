/** How many intervals between rosters are compared. With rosters on working days, they span two weekends. */
const comparedIntervals = 10;
/** Fewer say nothing about a rhythm. */
const minIntervals = 5;
const minMarginHours = 6;
const maxMarginHours = 12;

export const comparedSyncs = comparedIntervals + 1;

/**
 * Returns when the next roster is overdue, by the rhythm of the last ones. Undefined: there is no rhythm yet.
 *
 * A roster may take as long as the longest of the recent intervals, weekends included, and half of it more: at least six
 * hours, at most twelve. Once there are ten intervals, the longest one does not count, because it may be an outage.
 */
export function findRosterDue(syncedAt: readonly Temporal.Instant[]): Temporal.Instant | undefined {
  const times = syncedAt.map((at) => at.epochMilliseconds).sort((a, b) => b - a);
  const [last] = times;
  const intervals = times
    .slice(0, comparedSyncs)
    .flatMap((at, index, all) => (index === 0 ? [] : [(all[index - 1] ?? at) - at]))
    .sort((a, b) => b - a);
  const usual = intervals[intervals.length < comparedIntervals ? 0 : 1];
  if (last === undefined || usual === undefined || intervals.length < minIntervals) return undefined;
  const hour = 3_600_000;
  const margin = Math.min(Math.max(usual / 2, minMarginHours * hour), maxMarginHours * hour);
  return Temporal.Instant.fromEpochMilliseconds(Math.round(last + usual + margin));
}
