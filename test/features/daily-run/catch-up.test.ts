import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { RosterEntry } from '../../../src/features/roster/rules/entry.ts';
import { type Fixture, joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { anEntry } from '../../support/sync.ts';

/** The days after this one include a leap day, a new year with its new price, and both clock changes. */
const firstDay = Temporal.PlainDate.from('2023-10-05');

const near = fc.integer({ min: -40, max: 120 });
const absence = fc.record({ from: near, days: fc.option(fc.integer({ min: 5, max: 90 })), approved: fc.boolean() });

/** The data of the HR system about one employee at one moment. Days are relative to that moment. */
const word = fc.record({
  isThere: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  subscribe: fc.constantFrom(true, true, false, null),
  terminated: fc.option(near, { freq: 3 }),
  absences: fc.array(absence, { maxLength: 2 }),
});
const year = fc.array(
  fc.record({ daysLater: fc.integer({ min: 3, max: 35 }), words: fc.array(word, { minLength: 6, maxLength: 6 }) }),
  {
    minLength: 3,
    maxLength: 5,
  },
);
type Word = typeof word extends fc.Arbitrary<infer T> ? T : never;

function toEntry({ subscribe, terminated, absences }: Word, number: number, today: Temporal.PlainDate): RosterEntry {
  const day = (days: number) => today.add({ days }).toString();
  return anEntry(number, {
    autoSyncEmployee: subscribe,
    terminationDate: terminated === null ? null : day(terminated),
    absences: absences.map(({ from, days, approved }) => ({
      startDate: day(from),
      endDate: days === null ? null : day(from + days),
      approved,
    })),
  });
}

/** Returns everything that the daily runs have produced, without what names the company or is random. */
async function traces({ app }: Fixture, { companyId }: TestCompany): Promise<string> {
  const { rows } = await sql<{ row: unknown }>`
    with e as (select *, row_number() over (order by id) as n from employees where company_id = ${companyId})
    select json_build_array(e.email, e.subscription_status, e.start_on, e.next_ticket_on, e.paused_on, e.resumes_on,
      e.cancelled_on, e.reactivated_on, e.due_on, e.removes_on, e.is_leaving, e.removed_at is null,
      (select json_agg(t.month order by t.month) from tickets t where t.company_id = ${companyId} and t.employee_id = e.id),
      (select json_agg(json_build_array(b.period, b.gross_cents, b.hr_id) order by b.period) from billing_items b
        where b.company_id = ${companyId} and b.employee_id = e.id),
      (select json_agg(json_build_array(c.known_on, c.effective_on, c.cause, c.rule, c.from_status, c.to_status) order by c.id)
        from subscription_changes c where c.company_id = ${companyId} and c.employee_id = e.id),
      (select json_agg(json_build_array(d.kind, d.about) order by d.kind, d.about) from documents d
        where d.company_id = ${companyId} and d.employee_id = e.id and d.kind <> 'ticket-confirmation')) as row
    from e order by e.n`.execute(app.db);
  return JSON.stringify(rows, null, 1);
}

describe('running every day', () => {
  const fixture = useFixture(firstDay.toString());

  it('has the same result as catching up later, however many days were missed', async () => {
    await fc.assert(
      fc.asyncProperty(year, async (events) => {
        fixture.clock.moveTo(firstDay.toString());
        const settings = { guard_maximum_absent_percent: 100, retention_days: 20 };
        const daily = await joinCompany(fixture, settings);
        const late = await joinCompany(fixture, settings);
        let today = firstDay;
        for (const [index, { daysLater, words }] of events.entries()) {
          for (let day = 0; day < daysLater; day++) {
            today = today.add({ days: 1 });
            await daily.runTo(today.toString());
          }
          const present = words.flatMap((one, number) => (one.isThere ? [toEntry(one, number, today)] : []));
          const roster = present.length > 0 ? present : [anEntry(99)];
          await daily.sync(`sync ${index}`, roster);
          await late.sync(`sync ${index}`, roster);
          assert.equal(await traces(fixture, late), await traces(fixture, daily), `${today}`);
        }
      }),
      // Do not shrink, which would take minutes here: the seed repeats the case.
      { numRuns: runsOf(4), endOnFailure: true },
    );
  });
});
