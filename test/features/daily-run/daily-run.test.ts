import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { type EmployeePlan, type EmployeeState, planDay } from '../../../src/domain/employee.ts';
import { createMessage } from '../../../src/domain/messages/message.ts';
import { getCompany } from '../../../src/features/companies/companies.ts';
import { catchUp, listDueCompanies, lockAndCatchUp } from '../../../src/features/daily-run/run.ts';
import { noEmployeeMails } from '../../../src/features/employee-mails/queue.ts';
import { loadEmployees } from '../../../src/features/employees/load.ts';
import { updateSubscriptions, writeHistoryAndDocuments } from '../../../src/features/employees/write.ts';
import { noNotices } from '../../../src/features/notices/notices.ts';
import type { RosterEntry } from '../../../src/features/roster/rules/entry.ts';
import { type Clock, type EnvironmentClock, openClock } from '../../../src/platform/clock/clock.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { isDatabaseUnavailable } from '../../../src/platform/db/unavailable.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { type Fixture, joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { useDatabase } from '../../support/database.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { makeCompany } from '../../support/factories.ts';
import { anEntry, entries } from '../../support/sync.ts';

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

/**
 * Returns everything that the daily runs have produced, without what names the company or is random, and without the documents
 * that jobs add after a run.
 */
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
        where d.company_id = ${companyId} and d.employee_id = e.id and d.kind not in ('ticket-confirmation', 'yearly-statement'))) as row
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

describe('a day that many employees have in common', () => {
  const fixture = useFixture('2026-01-15');

  it('does to each what it would do to them alone', async () => {
    const company = await joinCompany(fixture);
    const { companyId } = company;
    const absentUntil = (endDate: string) => [{ startDate: '2026-01-20', endDate, approved: true }];
    const special: Record<number, Partial<RosterEntry>> = {
      2: { absences: absentUntil('2026-03-10') },
      3: { startDate: '2014-03-03' },
      4: { startDate: '2019-07-15' },
      5: { terminationDate: '2026-02-20' },
      7: { absences: absentUntil('2026-01-25') },
      8: { startDate: '2012-01-01' },
      9: { startDate: '2026-01-05' },
    };
    const roster = entries(9, { autoSyncEmployee: true }).map((entry, index) => ({ ...entry, ...special[index + 1] }));
    await company.sync('one', roster);
    await company.runTo('2026-01-31');
    const { db } = fixture.app;
    const today = Temporal.PlainDate.from('2026-02-01');
    const { rows } = await sql<{
      id: number;
    }>`select id from employees where company_id = ${companyId} order by id`.execute(db);
    const ids = rows.map(({ id }) => id);
    // Nothing but the absence distinguishes them from the others on this day.
    await sql`insert into absences (company_id, employee_id, starts_on, ends_on, approved)
      select ${companyId}, unnest(${[ids[5], ids[7]]}::bigint[]), '2026-01-20', '2026-03-10', true`.execute(db);
    const known = await loadEmployees(db, companyId, ids, today);
    const { moved } = await company.runTo(today.toString());
    const plans = ids.map((id) => planDay(known.get(id) as EmployeeState, today));
    assert.equal(moved, plans.filter(({ subscriptionChanges }) => subscriptionChanges.length > 0).length);
    assert(moved > 6 && moved < 10);
    const loaded = await loadEmployees(db, companyId, ids, today);
    const plain = (states: (EmployeeState | undefined)[]) => JSON.parse(JSON.stringify(states));
    assert.deepEqual(plain(ids.map((id) => loaded.get(id))), plain(plans.map(({ employee }) => employee)));
    const { rows: history } = await sql`
      select employee_id as id, rule, to_status as status from subscription_changes
      where company_id = ${companyId} and known_on = ${today.toString()}::date order by id`.execute(db);
    const expected = plans.flatMap(({ subscriptionChanges }, index) =>
      subscriptionChanges.map(({ rule, to }) => ({ id: ids[index], rule: rule.id, status: to })),
    );
    assert.deepEqual(history, expected);
    const { rows: events } = await sql`
      select (payload->>'id')::bigint as id, payload->>'rule' as rule, payload->'subscription'->>'status' as status
      from events where company_id = ${companyId} and type = 'employee-subscription-changed'
      order by sequence desc limit ${expected.length}`.execute(db);
    assert.deepEqual(events.toReversed(), expected);
  });
});

describe('the rules at run time', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(): Promise<TestCompany> {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture);
    await company.sync('one', entries(3, { autoSyncEmployee: true }));
    await company.runTo('2026-02-01');
    return company;
  }

  const processedThrough = async ({ companyId }: TestCompany) =>
    (await getCompany(fixture.app.db, companyId)).processedThrough.toString();

  for (const [what, change, says] of [
    ['a status that stops a ticket', sql`subscription_status = 'paused'`, 'get a ticket'],
    ['a status that goes on after the end', sql`cancelled_on = '2026-02-10'`, 'get no ticket'],
  ] as const) {
    it(`issues no tickets of a month while the dates disagree with ${what}`, async () => {
      const company = await begin();
      const before = await company.tickets();
      const { id } = await company.employee('E2');
      const { rows } = await sql<{ subscription_status: string }>`
        select subscription_status from employees where company_id = ${company.companyId} and id = ${id}`.execute(
        fixture.app.db,
      );
      assert.equal(rows[0]?.subscription_status, 'active');
      await sql`update employees set ${change}, due_on = null where company_id = ${company.companyId}
        and id = ${id}`.execute(fixture.app.db);
      await assert.rejects(
        company.runTo('2026-03-01'),
        new RegExp(`No tickets were issued for 2026-03-01: .* ${says}`),
      );
      assert.deepEqual(await company.tickets(), before);
      assert.deepEqual(await company.items('2026-03-01'), []);
      assert.equal(await processedThrough(company), '2026-02-28');

      await sql`update employees set subscription_status = 'active', cancelled_on = null
        where company_id = ${company.companyId} and id = ${id}`.execute(fixture.app.db);
      await company.runTo('2026-03-01');
      assert.equal((await company.tickets()).length, before.length + 3);
    });
  }

  it('writes no change that the state machine does not allow', async () => {
    const { companyId, employee } = await begin();
    const { id } = await employee('E1');
    const { db } = fixture.app;
    const today = Temporal.PlainDate.from('2026-02-01');
    const loaded = (await loadEmployees(db, companyId, [id], today)).get(id);
    assert(loaded);
    const resurrected: EmployeePlan = {
      ...planDay(loaded, today),
      subscriptionChanges: [
        {
          knownOn: today,
          effectiveOn: today,
          cause: 'calendar',
          rule: { id: 'contract-accepted', sentence: 'Never written.', message: createMessage('contract-accepted') },
          from: 'cancelled',
          to: 'active',
          fields: [],
        },
      ],
    };
    const historyOf = async () => {
      const { rows } = await sql`select id from subscription_changes where company_id = ${companyId}`.execute(db);
      return rows.length;
    };
    const before = await historyOf();
    const now = fixture.clock.now();
    const actor = { type: 'service', name: null } as const;
    const changeContext = { actor, syncKey: null, hrIntegrationId: null, now, removedAt: now };
    const planned = [{ id, plan: resurrected }];
    const write = db.transaction().execute(async (tx) => {
      await updateSubscriptions(tx, companyId, planned, changeContext);
      await writeHistoryAndDocuments(tx, await getCompany(tx, companyId), planned, changeContext);
    });
    await assert.rejects(write, /No rule allows this change: calendar: cancelled to active\./);
    assert.equal(await historyOf(), before);
  });
});

const shifted = (seconds: number): Clock => ({ now: () => Temporal.Now.instant().add({ seconds }) });
const day = 86_400;
const queue = {
  enqueueDocuments: async () => {},
  enqueueFileRemoval: async () => {},
  enqueueInvoices: async () => {},
  enqueueOrders: async () => {},
};

describe('the daily run with a wrong clock', () => {
  const database = useDatabase();
  let companyId: CompanyId;
  before(async () => {
    companyId = await makeCompany(database.db);
  });

  /** The company has processed everything up to the day before yesterday, by the clock of the database server. */
  beforeEach(async () => {
    await sql`update environment set clock_ahead_seconds = 0`.execute(database.db);
    await sql`update companies set time_zone = 'UTC', processed_through = (now() at time zone 'UTC')::date - 2
      where id = ${companyId}`.execute(database.db);
  });

  /** How many days the company is behind the clock of the database server. */
  const readLag = async () => {
    const { rows } = await sql<{ lag: number }>`select (now() at time zone 'UTC')::date - processed_through as lag
      from companies where id = ${companyId}`.execute(database.db);
    return rows[0]?.lag;
  };
  const depsOf = (clock: EnvironmentClock) => ({ clock, queue, notices: noNotices, employeeMails: noEmployeeMails });

  for (const environment of ['production', 'staging'] as const) {
    it(`refuses on ${environment} if the clock of the process is ahead or behind`, async () => {
      for (const seconds of [20 * day, -20 * day, 90, -90]) {
        const clock = await openClock(database.db, environment, shifted(seconds));
        const attempts = {
          schedule: () => listDueCompanies(database.db, clock),
          catchUp: () => catchUp(database.db, depsOf(clock), companyId),
          change: () => writeCompany(database.db, companyId, (tx) => lockAndCatchUp(tx, depsOf(clock), companyId)),
        };
        for (const [name, attempt] of Object.entries(attempts)) {
          await assert.rejects(attempt, (error: Error) => {
            assert.match(error.message, /differs from that of the database server by \d+ s.*NTP/, name);
            // Jobs are repeated, and requests get 503.
            return isDatabaseUnavailable(error);
          });
        }
        assert.equal(await readLag(), 2);
        await clock.stop();
      }
    });
  }

  it('takes the day of the database server if the clocks differ by less than a minute', async () => {
    const clock = await openClock(database.db, 'production', shifted(40));
    assert.deepEqual((await listDueCompanies(database.db, clock)).companyIds.includes(companyId), true);
    assert.equal((await catchUp(database.db, depsOf(clock), companyId)).days, 2);
    assert.equal(await readLag(), 0);
  });

  it('processes the days of time travel, which adds to the right clock', async () => {
    await sql`update environment set clock_ahead_seconds = ${20 * day}`.execute(database.db);
    const clock = await openClock(database.db, 'staging', shifted(3));
    try {
      assert.equal((await catchUp(database.db, depsOf(clock), companyId)).days, 22);
      assert.equal(await readLag(), -20);
    } finally {
      await clock.stop();
    }
  });
});
