import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../test/support/domain/runs.ts';
import { absence, day } from '../../../test/support/domain/scenario.ts';
import { type Day, firstOfMonth, firstOfNextMonth, isBefore } from '../calendar.ts';
import { type Absence, coveredMonths, firstCoveredMonth, firstFreeMonth, isCovered } from './absences.ts';

test('absences cover whole months', () => {
  const table: [string[], string[]][] = [
    [[], []],
    [['2026-11-15/2027-02-14'], ['2026-12-01/2027-02-01']],
    [['2026-11-15/2027-02-14?'], []],
    [['2026-11-10/'], ['2026-12-01/']],
    // Touching on the 14th and 15th, in any order. With a day between them they do not touch.
    [['2026-11-15/2026-12-31', '2026-11-01/2026-11-14'], ['2026-11-01/2027-01-01']],
    [['2026-11-01/2026-11-13', '2026-11-15/2026-12-31'], ['2026-12-01/2027-01-01']],
    // Overlapping, contained, and touching over the turn of the year.
    [['2026-11-01/2026-12-20', '2026-12-10/2027-01-31'], ['2026-11-01/2027-02-01']],
    [['2026-11-01/2026-12-31', '2026-11-05/2026-11-10'], ['2026-11-01/2027-01-01']],
    [['2026-12-01/2026-12-31', '2027-01-01/2027-01-31'], ['2026-12-01/2027-02-01']],
    // An absence after one without an end changes nothing.
    [['2026-11-01/', '2027-03-01/2027-03-31'], ['2026-11-01/']],
    // An unapproved absence joins nothing.
    [['2026-11-01/2026-11-14', '2026-11-15/2026-11-20?', '2026-11-21/2026-11-30'], []],
    // Covered months that are not adjacent.
    [
      ['2026-01-01/2026-01-31', '2026-06-01/2026-07-15'],
      ['2026-01-01/2026-02-01', '2026-06-01/2026-07-01'],
    ],
    [['2028-02-01/2028-02-28', '2028-02-29/2028-02-29'], ['2028-02-01/2028-03-01']],
  ];
  for (const [absences, covered] of table) {
    const months = coveredMonths(absences.map(absence));
    assert.deepEqual(
      months.map(({ from, until }) => `${from}/${until ?? ''}`),
      covered,
      absences.join(' and '),
    );
  }
});

const someDay = fc.integer({ min: 0, max: 500 }).map((days) => day('2027-01-01').add({ days }));
const someAbsence = fc
  .tuple(someDay, fc.option(fc.integer({ min: 0, max: 100 })), fc.boolean())
  .map(([startDate, days, approved]) => ({
    startDate,
    endDate: days === null ? null : startDate.add({ days }),
    approved,
  }));

const isAbsentOn = (absences: readonly Absence[], date: Day) =>
  absences.some(
    ({ startDate, endDate, approved }) =>
      approved && !isBefore(date, startDate) && (endDate === null || !isBefore(endDate, date)),
  );

/** Counts day by day, independently of the implementation. */
function isAbsentAllMonth(absences: readonly Absence[], month: Day): boolean {
  const days = Array.from({ length: month.daysInMonth }, (_, index) => month.add({ days: index }));
  return days.every((date) => isAbsentOn(absences, date));
}

test('a month is covered when every day of it is', () => {
  fc.assert(
    fc.property(fc.array(someAbsence, { maxLength: 6 }), someDay.map(firstOfMonth), (absences, month) => {
      const covered = coveredMonths(absences);
      assert.equal(isCovered(covered, month), isAbsentAllMonth(absences, month));
      const free = firstFreeMonth(covered, month);
      const paused = firstCoveredMonth(covered, month);
      for (let each = month; each.year < 2029; each = firstOfNextMonth(each)) {
        if (free === null || isBefore(each, free)) assert.ok(isAbsentAllMonth(absences, each));
        if (paused === null || isBefore(each, paused)) assert.ok(!isAbsentAllMonth(absences, each));
      }
      assert.ok(free === null || !isAbsentAllMonth(absences, free));
      assert.ok(paused === null || isAbsentAllMonth(absences, paused));
    }),
    { numRuns: runsOf(1000) },
  );
});
