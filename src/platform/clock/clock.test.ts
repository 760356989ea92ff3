import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { todayIn } from './clock.ts';

const at = (instant: Temporal.Instant) => ({ now: () => instant });
const instant = (text: string) => Temporal.Instant.from(text);

/** Whole and half hours from UTC, with and without daylight saving time, on both sides of the date line. */
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'];

/** Returns the days that the service sees at these instants. */
function daysOf(zone: string, instants: Iterable<Temporal.Instant>): string[] {
  const days: string[] = [];
  for (const now of instants) {
    const day = todayIn(at(now), zone).toString();
    if (day !== days.at(-1)) days.push(day);
  }
  return days;
}

function* every(minutes: number, from: Temporal.Instant, to: Temporal.Instant) {
  for (let now = from; Temporal.Instant.compare(now, to) <= 0; now = now.add({ minutes })) yield now;
}

/** Yields the last instant of each previous day and the first instant of each day. */
function* midnights(zone: string, first: Temporal.PlainDate, last: Temporal.PlainDate) {
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    const start = day.toZonedDateTime(zone).toInstant();
    yield start.subtract({ nanoseconds: 1 });
    yield start;
  }
}

function calendar(first: Temporal.PlainDate, last: Temporal.PlainDate): string[] {
  const days: string[] = [];
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) days.push(`${day}`);
  return days;
}

for (const zone of zones) {
  test(`days in ${zone} never go back and never skip one`, () => {
    // A leap year and a common year.
    for (const year of [2026, 2028]) {
      const [from, to] = [instant(`${year}-01-01T00:00Z`), instant(`${year + 1}-01-01T00:00Z`)];
      const [first, last] = [todayIn(at(from), zone), todayIn(at(to), zone)];
      assert.deepEqual(daysOf(zone, every(30, from, to)), calendar(first, last));
      const next = first.add({ days: 1 });
      assert.deepEqual(daysOf(zone, midnights(zone, next, last)), calendar(first, last));
    }
  });
}

// The shortest day has 23 hours.
test('a later instant is never an earlier day, and within 23 hours at most one day begins', () => {
  const span = { min: Date.UTC(2020), max: Date.UTC(2045) };
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer(span),
      fc.integer({ min: 0, max: 23 * 3_600_000 }),
      (zone, ms, later) => {
        const now = Temporal.Instant.fromEpochMilliseconds(ms);
        const [today, then] = [todayIn(at(now), zone), todayIn(at(now.add({ milliseconds: later })), zone)];
        const { days } = today.until(then, { largestUnit: 'days' });
        assert.ok(days === 0 || days === 1, `${today} ${then}`);
      },
    ),
    { numRuns: 1000 },
  );
});

test('the day turns at midnight of the company, also on the days of 23 and 25 hours', () => {
  const table = [
    ['Europe/Berlin', '2026-03-28T22:59:59Z', '2026-03-28'],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-26'],
    ['America/New_York', '2026-11-01T03:59:59Z', '2026-10-31'],
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-01'],
    ['America/New_York', '2026-11-02T04:59:59Z', '2026-11-01'],
    ['America/New_York', '2026-11-02T05:00:00Z', '2026-11-02'],
    ['Asia/Kolkata', '2026-12-31T18:29:59Z', '2026-12-31'],
    ['Asia/Kolkata', '2026-12-31T18:30:00Z', '2027-01-01'],
    ['Pacific/Apia', '2026-12-31T10:59:59Z', '2026-12-31'],
    ['Pacific/Apia', '2026-12-31T11:00:00Z', '2027-01-01'],
    // Samoa crossed the date line and skipped 30 December 2011, so a run must not wait for every date.
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
  ] as const;
  for (const [zone, now, day] of table) assert.equal(todayIn(at(instant(now)), zone).toString(), day, `${zone} ${now}`);
});
