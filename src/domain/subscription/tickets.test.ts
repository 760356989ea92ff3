import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../test/support/domain/runs.ts';
import { overYears, rosterTimeline, runTimeline, type Timeline } from '../../../test/support/domain/timeline.ts';
import type { Day } from '../calendar.ts';
import type { Facts } from './subscription.ts';
import { ticketDue } from './tickets.ts';

/**
 * Applies the contract's rules a second time as a plain model: month by month, from the facts known on each evening of
 * the month before. It uses neither statuses nor dates of a subscription.
 */
function ticketsByHand(evenings: Map<string, Facts>, { settings, begin }: Timeline, end: Day): string[] {
  const tickets: string[] = [];
  let hadTicket = false;
  for (let month = begin.with({ day: 1 }).add({ months: 1 }); month.toString() <= end.toString(); ) {
    const before = month.subtract({ months: 1 });
    const lastKnown = evenings.get(month.subtract({ days: 1 }).toString());
    assert.ok(lastKnown !== undefined);
    if (hadTicket) {
      // A fact that took effect in time was known on the evening of the cut-off and on every later evening.
      const cutOff = Math.min(settings.cutOffDay, before.daysInMonth);
      const late: (Facts | undefined)[] = [];
      for (let day = cutOff; day <= before.daysInMonth; day++) late.push(evenings.get(before.with({ day }).toString()));
      const isKnownInTime = (holds: (facts: Facts, month: Day) => boolean) =>
        late.every((facts) => facts !== undefined && holds(facts, month));
      hadTicket = !isKnownInTime(isAbsentAllMonth) && !isKnownInTime(isNotWanted);
    } else {
      hadTicket = !isAbsentAllMonth(lastKnown, month) && !isNotWanted(lastKnown, month);
    }
    if (hadTicket) tickets.push(month.toString());
    month = month.add({ months: 1 });
  }
  return tickets;
}

function isAbsentAllMonth({ absences }: Facts, month: Day): boolean {
  for (let day = month; day.month === month.month; day = day.add({ days: 1 })) {
    const date = day.toString();
    const isAbsent = absences.some(
      ({ startDate, endDate, approved }) =>
        approved && startDate.toString() <= date && (endDate === null || date <= endDate.toString()),
    );
    if (!isAbsent) return false;
  }
  return true;
}

const isNotWanted = ({ autoSubscribe, offboarded, terminationDate }: Facts, month: Day): boolean =>
  autoSubscribe === false || offboarded || (terminationDate !== null && terminationDate.toString() < month.toString());

test('tickets are issued for exactly the months that the rules determine', () => {
  let withGap = 0;
  fc.assert(
    fc.property(fc.oneof(rosterTimeline, overYears(rosterTimeline)), (scenario) => {
      const evenings = new Map<string, Facts>();
      const issued: string[] = [];
      let end = scenario.begin;
      runTimeline(scenario, {
        morning: (_before, { subscription }, _facts, today) => {
          if (today.day === 1 && ticketDue(subscription, today)) issued.push(today.toString());
        },
        evening: (_subscription, facts, today) => {
          evenings.set(today.toString(), facts);
          end = today;
        },
      });
      assert.deepEqual(issued, ticketsByHand(evenings, scenario, end));
      if (issued.length > 0 && issued.length < 6) withGap++;
    }),
    { numRuns: runsOf(2000) },
  );
  assert.ok(withGap > runsOf(500), 'the timelines vary');
});
