import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '../../test/support/domain/scenario.ts';
import {
  compareDays,
  earliestEffect,
  firstOfMonth,
  firstOfMonthOnOrAfter,
  firstOfNextMonth,
  isSameDay,
  nextCutOff,
  wholeMonths,
} from './calendar.ts';

test('first days of months', () => {
  const table = [
    // Columns: a day, its month, the next month, the first month on or after the day.
    ['2026-11-01', '2026-11-01', '2026-12-01', '2026-11-01'],
    ['2026-11-02', '2026-11-01', '2026-12-01', '2026-12-01'],
    ['2026-12-31', '2026-12-01', '2027-01-01', '2027-01-01'],
    ['2027-02-28', '2027-02-01', '2027-03-01', '2027-03-01'],
    ['2028-02-29', '2028-02-01', '2028-03-01', '2028-03-01'],
    ['2028-01-31', '2028-01-01', '2028-02-01', '2028-02-01'],
  ] as const;
  for (const [text, month, next, onOrAfter] of table) {
    assert.equal(firstOfMonth(day(text)).toString(), month);
    assert.equal(firstOfNextMonth(day(text)).toString(), next);
    assert.equal(firstOfMonthOnOrAfter(day(text)).toString(), onOrAfter);
  }
});

test('the cut-off decides between the next month and the one after', () => {
  const table = [
    ['2026-11-01', 10, '2026-12-01'],
    ['2026-11-10', 10, '2026-12-01'],
    ['2026-11-11', 10, '2027-01-01'],
    ['2026-11-30', 10, '2027-01-01'],
    ['2026-12-10', 10, '2027-01-01'],
    ['2026-12-11', 10, '2027-02-01'],
    ['2026-11-01', 1, '2026-12-01'],
    ['2026-11-02', 1, '2027-01-01'],
    ['2027-02-28', 31, '2027-03-01'],
    ['2028-02-29', 30, '2028-03-01'],
    ['2028-02-29', 28, '2028-04-01'],
    ['2027-04-30', 31, '2027-05-01'],
    ['2027-01-31', 30, '2027-03-01'],
    ['2027-01-31', 31, '2027-02-01'],
  ] as const;
  for (const [knownOn, cutOffDay, effect] of table) {
    assert.equal(earliestEffect(day(knownOn), cutOffDay).toString(), effect, `${knownOn}, cut-off ${cutOffDay}`);
  }
});

test('the next cut-off is the last day that is in time for the next month', () => {
  const table = [
    ['2026-11-01', 10, '2026-11-10'],
    ['2026-11-10', 10, '2026-11-10'],
    ['2026-11-11', 10, '2026-12-10'],
    ['2026-12-31', 10, '2027-01-10'],
    ['2027-02-28', 31, '2027-02-28'],
    ['2027-01-31', 30, '2027-02-28'],
    ['2028-02-29', 28, '2028-03-28'],
  ] as const;
  for (const [today, cutOffDay, cutOff] of table) {
    assert.equal(nextCutOff(day(today), cutOffDay).toString(), cutOff, `${today}, cut-off ${cutOffDay}`);
  }
  for (let today = day('2027-01-01'); today.year < 2029; today = today.add({ days: 1 })) {
    for (const cutOffDay of [1, 10, 28, 29, 30, 31]) {
      const cutOff = nextCutOff(today, cutOffDay);
      const isInTime = (known: typeof today) => isSameDay(earliestEffect(known, cutOffDay), firstOfNextMonth(known));
      assert(compareDays(today, cutOff) <= 0 && isInTime(cutOff));
      const dayAfter = cutOff.add({ days: 1 });
      assert(dayAfter.day === 1 || !isInTime(dayAfter));
      assert.equal(isInTime(today), cutOff.month === today.month);
    }
  }
});

test('the whole months of a span', () => {
  const table = [
    ['2026-11-01', '2026-11-30', '2026-11-01', '2026-12-01'],
    ['2026-11-02', '2026-12-30', null, null],
    ['2026-11-15', '2027-02-14', '2026-12-01', '2027-02-01'],
    ['2028-02-01', '2028-02-28', null, null],
    ['2028-02-01', '2028-02-29', '2028-02-01', '2028-03-01'],
    ['2027-02-01', '2027-02-28', '2027-02-01', '2027-03-01'],
    ['2026-11-15', null, '2026-12-01', null],
  ] as const;
  for (const [startDate, endDate, from, until] of table) {
    const months = wholeMonths(day(startDate), endDate === null ? null : day(endDate));
    assert.equal(months?.from.toString() ?? null, from, startDate);
    assert.equal(months?.until?.toString() ?? null, until, startDate);
  }
});
