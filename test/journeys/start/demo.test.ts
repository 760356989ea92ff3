import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { access, mkdtemp, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import {
  contractStatuses,
  payrollSystems,
  permissions,
  planTypes,
  subscriptionStatuses,
} from '../../../src/domain/enums.ts';
import { updateSettings } from '../../../src/features/companies/change-settings.ts';
import { type DocumentStore, openDocumentStore } from '../../../src/features/documents/files.ts';
import { startRenderer } from '../../../src/features/documents/pdf/renderer.ts';
import { writeDocuments } from '../../../src/features/documents/write.ts';
import renderInvoice from '../../../src/features/invoices/files.ts';
import { type StoredInvoiceFiles, writeInvoices } from '../../../src/features/invoices/write.ts';
import { previewPayroll } from '../../../src/features/payroll/preview.ts';
import { readRoster } from '../../../src/features/roster/read-roster.ts';
import { readRosterTable } from '../../../src/features/roster/read-table.ts';
import { createCalendar } from '../../../src/operator/demo/calendar.ts';
import { ensureDemo } from '../../../src/operator/demo/index.ts';
import { comingPriceMonth } from '../../../src/operator/demo/policies.ts';
import type { Clock } from '../../../src/platform/clock/clock.ts';
import { type Config, readConfig } from '../../../src/platform/config/config.ts';
import { asCompanyId } from '../../../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../../../src/platform/db/database.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { openQueue, type Queue } from '../../../src/platform/jobs/queue.ts';
import { unpackWorkbook } from '../../../src/platform/table/unpack-workbook.ts';
import { type Credentials, startTestApp, type TestApp } from '../../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { rulesMissing, validateInvoices } from '../../support/einvoice-rules.ts';
import { makeCompany } from '../../support/factories.ts';
import { watchStatements } from '../../support/statements.ts';
import { until } from '../../support/until.ts';

interface Place {
  day: string;
  clock: Clock;
  database: TestDatabase;
  db: Db;
  queue: Queue;
  documents: DocumentStore;
  config: Config;
  close(): Promise<void>;
}

/** Creates an empty database and an empty folder, on the given day. */
async function createPlace(day: string, time = '12:00'): Promise<Place> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'transit-demo-'));
  const config = readConfig({ DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url, SECRET: 'd'.repeat(32) });
  const queue = await openQueue({ url: database.url, worker: false, log: pino({ level: 'silent' }) });
  // Connect with the role of the service, so that the demo fails if it needs a privilege that the service lacks.
  const service = connectDatabase({ url: database.url, max: 8, applicationName: 'demo', streaming: true });
  const now = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: time }).toInstant();
  return {
    day,
    clock: { now: () => now },
    database,
    db: watchStatements(service.db),
    queue,
    documents: await openDocumentStore(config.documentStore),
    config,
    async close() {
      await queue.stop();
      await service.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const makeDemo = (place: Place, parts: Partial<Place> = {}) =>
  ensureDemo({ ...place, ...parts }, place.config, place.clock);

const accessFileOf = ({ config }: Place) => join(config.dataDir, 'demo-access.json');

type Row = Record<string, unknown>;
const rowsOf = async ({ database }: Place, text: string) => (await sql.raw<Row>(text).execute(database.db)).rows;
const valuesOf = async (place: Place, text: string) => (await rowsOf(place, text)).map((row) => Object.values(row)[0]);

async function assertNothingLeft(place: Place): Promise<void> {
  for (const table of ['companies', 'employees', 'audit_log', 'queue.job']) {
    assert.deepEqual(await valuesOf(place, `select count(*) from ${table}`), [0], table);
  }
  await assert.rejects(access(accessFileOf(place)));
  const files = await readdir(join(place.config.dataDir, 'documents'), { recursive: true }).catch(() => []);
  assert.deepEqual(
    files.filter((name) => name.includes('.')),
    [],
  );
}

/** Terminates the connections in the middle of the year, as when the process dies. */
async function killInTheMiddle(place: Place): Promise<void> {
  const made = makeDemo(place).then(
    () => 'made',
    () => 'killed',
  );
  const kill = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and xact_start < clock_timestamp() - interval '700 ms'`;
  await until('the command is killed', async () => (await valuesOf(place, kill)).length > 0);
  assert.equal(await made, 'killed');
}

const diskIsFull = ({ documents }: Place): DocumentStore => {
  let stored = 0;
  return {
    ...documents,
    put: (...args) => (++stored > 3 ? Promise.reject(new Error('disk full')) : documents.put(...args)),
  };
};

let ordinary: Place;
let twin: Place;
let newYear: Place;
let leapDay: Place;
let accesses: Awaited<ReturnType<typeof ensureDemo>>[];

before(async () => {
  ordinary = await createPlace('2026-11-15');
  twin = await createPlace('2026-11-15');
  // At 00:02, the daily run usually has not started yet.
  newYear = await createPlace('2027-01-01', '00:02');
  leapDay = await createPlace('2028-02-29', '23:59');
  await Promise.all([
    makeDemo(ordinary),
    Promise.all([makeDemo(twin), makeDemo(twin)]).then((both) => {
      accesses = both;
    }),
  ]);
});
after(async () => {
  for (const place of [ordinary, twin, newYear, leapDay]) await place.close();
});

describe('a failed start', () => {
  it('leaves nothing behind when it is killed in the middle of the year', async () => {
    await killInTheMiddle(newYear);
    await assertNothingLeft(newYear);
    assert(await makeDemo(newYear));
  });

  it('leaves nothing behind when it fails at the end', async () => {
    await assert.rejects(makeDemo(leapDay, { documents: diskIsFull(leapDay) }), /disk full/);
    await assertNothingLeft(leapDay);
    assert(await makeDemo(leapDay));
  });
});

interface Dates {
  email: string;
  subscription_status: string;
  contract_status: string | null;
  plan_change: object | null;
  start_on: string | null;
  paused_on: string | null;
  resumes_on: string | null;
  cancelled_on: string | null;
  reactivated_on: string | null;
  next_ticket_on: string | null;
  has_ticket: boolean;
}

/** Returns the status by the table of the contract, section 5. */
function expectedStatus(dates: Dates, today: string): string {
  const { start_on: start, paused_on: paused, cancelled_on: cancelled, reactivated_on: reactivated } = dates;
  const isPast = (date: string | null) => date !== null && date <= today;
  if (isPast(cancelled)) return 'cancelled';
  if (start === null) return 'no-subscription';
  if (!isPast(start)) return 'scheduled';
  const isResumed = paused !== null && reactivated !== null && reactivated > paused;
  if (paused !== null && isPast(paused) && !isResumed) return 'paused';
  if (cancelled !== null) return 'scheduled-cancellation';
  return paused !== null && !isPast(paused) ? 'scheduled-pause' : 'active';
}

/** The month of the coming price, and the last day on which employees can agree to their share of it. */
const coming: Record<string, { from: string; deadline: string }> = {
  '2026-11-15': { from: '2027-01-01', deadline: '2026-12-09' },
  '2027-01-01': { from: '2027-03-01', deadline: '2027-02-09' },
  '2028-02-29': { from: '2028-04-01', deadline: '2028-03-09' },
};

const describeDay = (day: string, placeOf: () => Place) =>
  describe(`the demo company on ${day}`, () => {
    let place: Place;
    before(() => {
      place = placeOf();
      assert.equal(place.day, day);
    });

    it('has employees with every status, plan and contract', async () => {
      const seen = async (column: string) =>
        (await valuesOf(place, `select distinct ${column} from employees where removed_at is null`)).filter(Boolean);
      assert.deepEqual((await seen('subscription_status')).sort(), subscriptionStatuses.toSorted());
      assert.deepEqual((await seen('plan_type')).sort(), planTypes.toSorted());
      assert.deepEqual((await seen('contract_status')).sort(), contractStatuses.toSorted());
      const [visible] = await valuesOf(place, 'select count(*) from employees where removed_at is null');
      assert(Number(visible) >= 200 && Number(visible) <= 250, `${visible} employees`);
      const odd = `select email from employees where email !~ '^[a-z]+\\.[a-z]+@musterwerk\\.example$'`;
      assert.deepEqual(await valuesOf(place, odd), []);
    });

    it('has statuses that match the dates, and tickets for running subscriptions', async () => {
      const month = `${day.slice(0, 8)}01`;
      const employees = (await rowsOf(
        place,
        `select e.*, t.month is not null as has_ticket from employees e
          left join tickets t on t.company_id = e.company_id and t.employee_id = e.id and t.month = '${month}'
          where e.removed_at is null`,
      )) as unknown as Dates[];
      for (const employee of employees) {
        const about = JSON.stringify(employee);
        const { subscription_status: status, contract_status: contract } = employee;
        assert.equal(status, expectedStatus(employee, day), about);
        assert.equal(
          employee.has_ticket,
          ['active', 'scheduled-pause', 'scheduled-cancellation'].includes(status),
          about,
        );
        // Whoever has a ticket already is asked about a higher share.
        if (contract === 'pending' && employee.plan_change === null) assert.equal(status, 'scheduled', about);
        if (contract === 'rejected') assert.equal(status, 'cancelled', about);
        for (const date of [employee.start_on, employee.paused_on, employee.resumes_on, employee.next_ticket_on]) {
          assert.match(date ?? '0000-00-01', /-01$/, about);
        }
      }
    });

    it('has a history for every subscription that ends with its current status', async () => {
      const broken = `select e.email from employees e left join lateral (
          select array_agg(to_status order by id) as tos, array_agg(from_status order by id) as froms
          from subscription_changes c where c.company_id = e.company_id and c.employee_id = e.id) h on true
        where coalesce(h.tos[array_length(h.tos, 1)], 'no-subscription') <> e.subscription_status
          or h.froms[1] <> 'no-subscription' or h.froms[2:] <> h.tos[:array_length(h.tos, 1) - 1]`;
      assert.deepEqual(await valuesOf(place, broken), []);
    });

    it('has a charge for every ticket, at the price of its month', async () => {
      const months = await valuesOf(place, 'select distinct period from billing_items order by 1');
      const first = Temporal.PlainDate.from(day).with({ day: 1 }).subtract({ months: 11 });
      assert.deepEqual(
        months,
        Array.from({ length: 12 }, (_, index) => first.add({ months: index }).toString()),
      );
      const unmatched = `select 1 from tickets t full join (select * from billing_items
          where charge_type = 'ticket-charge' and corrects_id is null and employee_id is not null) b
        on b.company_id = t.company_id and b.employee_id = t.employee_id and b.period = t.month and b.plan_type = t.plan_type
        where t.month is null or b.id is null`;
      assert.deepEqual(await valuesOf(place, unmatched), []);
      const charges = await rowsOf(
        place,
        `select distinct period, plan_type, gross_cents, tax_cents, company_share_cents, employee_share_cents
          from billing_items where charge_type = 'ticket-charge' and corrects_id is null`,
      );
      for (const charge of charges) {
        const list = String(charge.period) < '2026-01-01' ? 5800 : 6300;
        const gross = charge.plan_type === 'deferred-plan' ? list : list * 0.95;
        const { gross_cents, tax_cents, company_share_cents, employee_share_cents } = charge;
        // Standard, and in the months with policies: 70 % of the price, and 45 euros, from the company.
        const splits = String(charge.period) < first.add({ months: 10 }).toString() ? [2000] : [2000, 1795, 1485];
        const shares = { 'deferred-plan': [gross], 'split-pay-plan': splits, 'fully-subsidized-plan': [0] };
        const share = shares[charge.plan_type as keyof typeof shares].find((cents) => cents === employee_share_cents);
        assert.deepEqual(
          [gross_cents, tax_cents, company_share_cents, employee_share_cents],
          [gross, Math.round((gross * 7) / 107), gross - Number(share), share],
          JSON.stringify(charge),
        );
      }
      const fees = `select b.period from billing_items b where b.charge_type = 'service-charge'
        and b.net_cents <> 150 * (select count(*) from billing_items t
          where t.company_id = b.company_id and t.period = b.period and t.charge_type = 'ticket-charge'
            and t.corrects_id is null)`;
      assert.deepEqual(await valuesOf(place, fees), []);
      const unlinked = `select b.id from billing_items b left join hr_integrations i
          on i.company_id = b.company_id and i.id = b.hr_integration_id
        where (b.charge_type = 'hr-integration-charge') is distinct from (i.last_synced_at is not null and i.type = 'hr-integration')`;
      assert.deepEqual(await valuesOf(place, unlinked), []);
    });

    it('has three groups with policies of their own, which apply to running subscriptions', async () => {
      const groups = `select p.name, v.plan_type as plan, array_agg(distinct e.contribution_cents) as cents,
          count(distinct e.id) > 3 as several
        from policies p join policy_versions v on v.company_id = p.company_id and v.policy_id = p.id
        join employees e on e.company_id = p.company_id and e.roster_group = any(p.groups) and e.removed_at is null
          and e.plan_type = v.plan_type
        group by 1, 2 order by 1`;
      assert.deepEqual(await rowsOf(place, groups), [
        { name: 'Auszubildende', plan: 'fully-subsidized-plan', cents: [null], several: true },
        { name: 'Niederlassung Kiel', plan: 'split-pay-plan', cents: [1795], several: true },
        { name: 'Werk Süd', plan: 'split-pay-plan', cents: [1485], several: true },
      ]);
      const over = `select p.name, bool_or(i.outcome = 'changed') as changed, bool_or(i.outcome = 'kept') as kept
        from plan_changes c join policies p on p.company_id = c.company_id and p.id = c.policy_id
        join plan_change_items i on i.company_id = c.company_id and i.change_id = c.id
        where c.finished_at is not null group by 1 order by 1`;
      assert.deepEqual(await rowsOf(place, over), [
        { name: 'Auszubildende', changed: true, kept: false },
        { name: 'Niederlassung Kiel', changed: true, kept: true },
        { name: 'Werk Süd', changed: true, kept: false },
      ]);
    });

    it('has a change for the coming price that is half done, before its deadline', async () => {
      const { from, deadline } = coming[day] ?? assert.fail(day);
      const prices = `select list_cents from ticket_prices where valid_from <= '${from}' order by valid_from desc limit 2`;
      assert.deepEqual(await valuesOf(place, prices), [6600, 6300]);
      const changes = `select c.from_on as from, c.deadline_on as deadline, p.name from plan_changes c
        join policies p on p.company_id = c.company_id and p.id = c.policy_id where c.finished_at is null`;
      assert.deepEqual(await rowsOf(place, changes), [{ from, deadline, name: 'Niederlassung Kiel' }]);
      assert(day < deadline);
      const [found] = await rowsOf(
        place,
        `select count(*) as asked, count(*) filter (where not i.needs_agreement) as announced,
          count(*) filter (where e.plan_change is null) as rejected,
          count(*) filter (where e.plan_change is not null and e.contract_status = 'accepted') as accepted,
          count(*) filter (where e.plan_change is not null and e.contract_status = 'pending') as pending
        from plan_change_items i join employees e on e.company_id = i.company_id and e.id = i.employee_id
        where i.outcome is null`,
      );
      const { asked, announced, rejected, accepted, pending } = found as Record<string, number>;
      assert.deepEqual([announced, rejected], [0, 1], JSON.stringify(found));
      for (const some of [accepted, pending]) assert(Number(some) > 0.3 * Number(asked), JSON.stringify(found));
      const later = 'select distinct new_share_cents, outcome from plan_change_items where new_share_cents > 1795';
      assert.deepEqual(await rowsOf(place, later), [{ new_share_cents: 1881, outcome: null }]);
    });

    it('has removed employees whose charges remain, and erased ones', async () => {
      const removed = `select bool_and(d.removed_at is not null) as hidden, e.removed_at > '${day}'::date - 91 as kept,
          (select count(*) from billing_items b where b.company_id = e.company_id and b.employee_id = e.id) > 0 as billed
        from employees e left join documents d on d.company_id = e.company_id and d.employee_id = e.id
        where e.removed_at is not null
        group by e.company_id, e.id`;
      const rows = await rowsOf(place, removed);
      assert(rows.length >= 4);
      for (const row of rows) assert.deepEqual(row, { hidden: true, kept: true, billed: true });
      const erased = `select count(distinct hr_id) from billing_items
        where charge_type = 'ticket-charge' and employee_id is null and first_name is null and email is null`;
      assert.deepEqual(await valuesOf(place, erased), [2]);
    });

    it('has stored counts that match the rows', async () => {
      const employees = `select coalesce(r.subscription_status, c.subscription_status) from employee_counts c full join
        (select subscription_status, plan_type, count(*) as n from employees where removed_at is null group by 1, 2) r
        using (subscription_status, plan_type) where c.employees is distinct from r.n`;
      assert.deepEqual(await valuesOf(place, employees), []);
      const documents = `select documents - (select count(*) from documents where removed_at is null) from document_counts`;
      assert.deepEqual(await valuesOf(place, documents), [0]);
      const totals = `(select period, charge_type, count(*), sum(net_cents), sum(tax_cents), sum(gross_cents) from billing_items
        group by 1, 2) except (select period, charge_type, items, net_cents, tax_cents, gross_cents from billing_totals)`;
      assert.deepEqual(await rowsOf(place, totals), []);
    });

    it('has done everything since it joined, and nothing in the future', async () => {
      const columns = `select c.table_name, c.column_name from information_schema.columns c
        where c.table_schema = 'public' and c.data_type = 'timestamp with time zone'
          -- What is due lies in the future.
          and c.column_name not like '%due_at' and (c.table_name = 'companies' or
          exists (select from information_schema.columns i
            where i.table_schema = 'public' and i.table_name = c.table_name and i.column_name = 'company_id'))`;
      const joined = (await valuesOf(place, 'select created_at from companies'))[0];
      const found = await rowsOf(place, columns);
      assert(found.length > 15);
      for (const { table_name, column_name } of found) {
        const odd = `select ${column_name} from ${table_name}
          where ${column_name} < '${joined}' or ${column_name} > '${place.clock.now()}'`;
        assert.deepEqual(await valuesOf(place, odd), [], `${table_name}.${column_name}`);
      }
      assert.deepEqual(await valuesOf(place, 'select processed_through from companies'), [day]);
    });
  });

describeDay('2026-11-15', () => ordinary);
describeDay('2027-01-01', () => newYear);
describeDay('2028-02-29', () => leapDay);

describe('the demo company', () => {
  it('has a key with all permissions, and has changed its plan', async () => {
    assert.deepEqual(
      await rowsOf(ordinary, 'select name, locale, plan_type, contribution_cents, created_at from companies'),
      [
        {
          name: 'Musterwerk GmbH',
          locale: 'de-DE',
          plan_type: 'split-pay-plan',
          contribution_cents: 2000,
          created_at: '2025-11-11T08:00:00.15Z',
        },
      ],
    );
    assert.deepEqual(await rowsOf(ordinary, 'select name, cardinality(permissions) as n from api_keys'), [
      { name: 'Demo', n: permissions.length },
    ]);
    const plans = `select detail->>'to' from audit_log
      where action = 'company.change-setting' and target = 'planType' order by at`;
    assert.deepEqual(await valuesOf(ordinary, plans), ['split-pay-plan', 'fully-subsidized-plan', 'split-pay-plan']);
  });

  it('has integrations in every state', async () => {
    const states = `select type || ' ' || status || ' ' || initial_connection_status || ' ' || coalesce(last_sync_status, 'never')
      from hr_integrations order by id`;
    assert.deepEqual(await valuesOf(ordinary, states), [
      'api-integration active completed succeeded',
      'hr-integration inactive completed failed',
      'hr-integration invalid completed authentication-failed',
      'hr-integration active completed partially-failed',
      'hr-integration active incomplete never',
      'api-integration active final-sync-pending never',
    ]);
    const pulled = `select s.hr_integration_id, s.state, s.message->>'key' as reason, count(*) > 1 as several from syncs s
      join pulls p on p.company_id = s.company_id and p.hr_integration_id = s.hr_integration_id and p.sync_id = s.sync_id
      where s.pushed_by = 'connector personio' group by 1, 2, 3 order by 1, 2`;
    assert.deepEqual(await rowsOf(ordinary, pulled), [
      { hr_integration_id: 2, state: 'failed', reason: 'connector-error-status', several: false },
      { hr_integration_id: 2, state: 'succeeded', reason: null, several: true },
      { hr_integration_id: 3, state: 'authentication-failed', reason: 'personio-refused', several: true },
      { hr_integration_id: 3, state: 'succeeded', reason: null, several: true },
    ]);
    const pushed = `select distinct hr_integration_id from syncs where pushed_by like 'tk\\_%' order by 1`;
    assert.deepEqual(await valuesOf(ordinary, pushed), [1, 4]);
    const different = `select i.name from hr_integrations i left join lateral (select sync_id, state from syncs s
        where s.company_id = i.company_id and s.hr_integration_id = i.id order by s.accepted_at desc limit 1) s on true
      where (i.last_sync_id, i.last_sync_status) is distinct from (s.sync_id, s.state)`;
    assert.deepEqual(await valuesOf(ordinary, different), []);
    const lastSynced = `select i.name from hr_integrations i where i.last_synced_at is distinct from (
      select max(finished_at) from syncs s where s.company_id = i.company_id and s.hr_integration_id = i.id
        and s.state in ('succeeded', 'partially-failed'))`;
    assert.deepEqual(await valuesOf(ordinary, lastSynced), []);
  });

  it('has syncs with a failed record, and with pending removals', async () => {
    const problems = `select s.held_state, r.outcome, r.code, count(*) > 0 as some from syncs s
      join sync_records r on r.company_id = s.company_id and r.sync_key = s.id and r.outcome in ('failed', 'held')
      where s.state = 'partially-failed' group by 1, 2, 3 order by 2`;
    assert.deepEqual(await rowsOf(ordinary, problems), [
      { held_state: null, outcome: 'failed', code: 'email-taken', some: true },
      { held_state: 'pending', outcome: 'held', code: 'removal-held', some: true },
    ]);
    const codes = await valuesOf(ordinary, 'select distinct code from sync_records order by 1');
    for (const code of ['created', 'updated', 'linked', 'offboarded', 'removed', 'returned'])
      assert(codes.includes(code));
  });

  it('pushes at least once a week', async () => {
    const gaps = `select max(gap) <= interval '7 days 2 hours' from (
      select accepted_at - lag(accepted_at) over (order by accepted_at) as gap from syncs where hr_integration_id = 1) g`;
    assert.deepEqual(await valuesOf(ordinary, gaps), [true]);
  });

  it('has employees linked in every way', async () => {
    const kinds = `select distinct kinds from (
      select coalesce(string_agg(case when l.hr_integration_id is not null then 'hr' when l.id is not null then 'custom' end, ' ' order by l.id), '') as kinds
      from employees e left join hr_links l on l.company_id = e.company_id and l.employee_id = e.id
      where e.removed_at is null group by e.company_id, e.id) k order by 1`;
    assert.deepEqual(await valuesOf(ordinary, kinds), ['hr', 'hr custom', 'hr hr']);
    assert.deepEqual(await valuesOf(ordinary, 'select distinct approved from absences order by 1'), [false, true]);
  });

  it('has applied every rule that can occur in a year', async () => {
    const rules = new Set(await valuesOf(ordinary, 'select distinct rule from subscription_changes'));
    for (const rule of [
      ...['start-next-month', 'start-with-employment', 'start-awaits-contract', 'start-has-come', 'contract-accepted'],
      ...['pause-whole-months', 'pause-requested', 'pause-taken-back', 'pause-has-come', 'resumption-has-come'],
      ...['end-after-termination', 'end-at-earliest', 'end-after-cut-off', 'end-without-ticket', 'end-taken-back'],
    ]) {
      assert(rules.has(rule), rule);
    }
    const decisions = await valuesOf(
      ordinary,
      `select distinct action from audit_log where action like 'subscription.%' order by 1`,
    );
    assert.deepEqual(
      decisions,
      ['cancel', 'contract-accepted', 'contract-rejected', 'pause', 'resume', 'subscribe'].map(
        (decision) => `subscription.${decision}`,
      ),
    );
  });

  it('has one charge that was reversed', async () => {
    const corrected = `select c.gross_cents + i.gross_cents as left, c.reason is not null as explained
      from billing_items c join billing_items i on i.company_id = c.company_id and i.id = c.corrects_id`;
    assert.deepEqual(await rowsOf(ordinary, corrected), [{ left: 0, explained: true }]);
  });

  it('has used its key in the last seven days, with nothing personal in the log', async () => {
    const requests = `(select to_timestamp(r.at / 1000) as at, r.status, r.path from api_request_batches b,
      json_to_recordset(b.requests) as r(at float8, status integer, path text)) r`;
    const days = `select distinct (at at time zone 'Europe/Berlin')::date::text as day from ${requests} order by 1`;
    const expected = [9, 10, 11, 12, 13, 14, 15].map((day) => `2026-11-${String(day).padStart(2, '0')}`);
    assert.deepEqual(await valuesOf(ordinary, days), expected);
    const sums = `select count(*) as requests, count(*) filter (where status >= 400) > 0 as refused,
      count(*) = (select sum(requests) from api_key_usage) as counted,
      max(at) = (select last_used_at from api_keys) as used from ${requests}`;
    const [log] = await rowsOf(ordinary, sums);
    assert(Number(log?.requests) > 100 && Number(log?.requests) < 400, `${log?.requests} requests`);
    assert.deepEqual({ ...log, requests: 0 }, { requests: 0, refused: true, counted: true, used: true });
    const paths = (await valuesOf(ordinary, `select distinct path from ${requests}`)).map(String);
    const known =
      /^\/v1\/(employees|billing|events|hr-integrations)(\/(\d+|items|syncs|sync|roster-[-\d]+|subscription-history))*(\?|$)/;
    assert.deepEqual(
      paths.filter((path) => !known.test(path)),
      [],
    );
    const values = paths.flatMap((path) => [...new URLSearchParams(path.split('?')[1]).values()]);
    assert.deepEqual(
      values.filter((value) => value !== '…' && !/^\d+$/.test(value)),
      [],
    );
  });

  it('is the same company again on the same day', async () => {
    const secrets: Record<string, string[]> = {
      api_keys: ['id', 'secret_hash'],
      api_request_batches: ['id', 'requests'],
      api_key_usage: ['key_id'],
      tickets: ['wallet_token'],
      documents: ['store_key'],
      events: ['id'],
      hr_connectors: ['encrypted_credentials'],
    };
    const tables = `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'company_id'`;
    for (const table of ['companies', ...(await valuesOf(ordinary, tables))]) {
      const columns = (secrets[String(table)] ?? []).map((column) => `'${column}'`).join();
      const contents = (username: string) =>
        `select replace((to_jsonb(t) - array[${columns}]::text[])::text, '${username}', 'KEY') from ${table} t order by 1`;
      const username = async (place: Place) =>
        (await valuesOf(place, "select pushed_by from syncs where pushed_by like 'tk%' limit 1"))[0];
      const [one, other] = await Promise.all(
        [ordinary, twin].map(async (place) => valuesOf(place, contents(String(await username(place))))),
      );
      assert.deepEqual(one, other, String(table));
    }
  });

  it('leaves one job to the worker, which renders PDFs of every kind', async () => {
    const jobs = await valuesOf(ordinary, `select name || ' ' || state from queue.job`);
    assert.deepEqual(jobs, ['write-documents created', 'write-invoices created']);
    const { db, clock, documents } = ordinary;
    const renderer = startRenderer(true);
    const queue = { enqueueDocuments: async () => {} };
    const signal = new AbortController().signal;
    const onError = (error: unknown) => assert.fail(String(error));
    // Write the first thousand only: the others are of the same kinds.
    await writeDocuments({ db, clock, queue, documents, renderer, signal, onError }, asCompanyId(1), null);
    await renderer.stop();
    const all = await ordinary.database.db.selectFrom('documents').selectAll().orderBy('id').execute();
    const rows = all.filter((row) => row.content === null);
    const kinds = new Set(rows.map((row) => `${row.kind ?? 'by hand'} ${row.file_type}`));
    assert.deepEqual([...kinds].sort(), [
      'by hand docx',
      'by hand pdf',
      'by hand png',
      'cancellation-confirmation pdf',
      'contribution-agreement pdf',
      'subscription-confirmation pdf',
      'ticket-confirmation pdf',
    ]);
    for (const row of rows.filter((row, index) => row.kind === null || index % 20 === 0)) {
      assert.equal(row.downloadable, row.file_type === 'pdf');
      const bytes = await buffer(await documents.open(row.store_key ?? '', row.size_bytes ?? 0));
      assert.deepEqual(createHash('sha256').update(bytes).digest(), row.sha256);
      if (row.file_type !== 'pdf') continue;
      assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
      assert.equal(bytes.toString('latin1').trimEnd().slice(-5), '%%EOF');
      assert.equal(bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 1, row.name);
    }
    const dated = all.filter((row) => row.name === 'Ticket-Bestätigung Dezember 2025').map((row) => row.created_at);
    assert(dated.length > 40 && dated.every((at) => at.startsWith('2025-11-30T23:05')));
  });

  it('has an invoice per billed month and a credit note', async () => {
    const { db, clock, documents } = ordinary;
    await writeInvoices({ db, clock, documents, renderer: { render: renderInvoice } }, asCompanyId(1));
    const months = await valuesOf(
      ordinary,
      `select distinct period::text from billing_items where corrects_id is null`,
    );
    const invoiced = await valuesOf(ordinary, `select period::text from invoices where kind = 'invoice'`);
    assert.deepEqual(invoiced.sort(), months.sort());
    assert.deepEqual(await valuesOf(ordinary, `select count(*) from invoices where kind = 'credit-note'`), [1]);
    const numbers = await valuesOf(ordinary, 'select number from invoices order by id');
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
  });

  it('has invoices that pass the official rules of EN 16931', { skip: rulesMissing }, async () => {
    const { documents } = ordinary;
    const rows = await ordinary.database.db.selectFrom('invoices').select(['number', 'files']).execute();
    const files: Record<string, Buffer> = {};
    for (const { number, files: stored } of rows) {
      for (const format of ['cii', 'xrechnung'] as const) {
        const { key, sizeBytes } = (stored as StoredInvoiceFiles | null)?.[format] ?? { key: '', sizeBytes: 0 };
        files[`${number}-${format}`] = await buffer(await documents.open(key, sizeBytes));
      }
    }
    assert.ok(rows.length >= 12);
    await validateInvoices(files);
  });

  it('has the records that the README requests', async () => {
    const named = `select (select removed_at is null from employees where company_id = 1 and id = 1) as employee,
      (select downloadable and removed_at is null from documents where company_id = 1 and id = 1) as document,
      (select status from hr_integrations where company_id = 1 and id = 1) as integration,
      exists (select from documents where company_id = 1 and employee_id = 1) as has_documents,
      exists (select from employees
        where company_id = 1 and search_text like '%mueller%' and subscription_status = 'active') as mueller`;
    assert.deepEqual(await rowsOf(ordinary, named), [
      { employee: true, document: true, integration: 'active', has_documents: true, mueller: true },
    ]);
  });
});

describe('the payroll of the demo company', () => {
  it('can export everybody of every month to every payroll system', async () => {
    const { db, clock } = leapDay;
    const companyId = asCompanyId(Number((await valuesOf(leapDay, 'select id from companies'))[0]));
    const periods = await valuesOf(leapDay, 'select distinct period from billing_items order by 1');
    assert.equal(periods.length, 12);
    for (const payrollSystem of payrollSystems) {
      await writeCompany(db, companyId, (tx) => updateSettings(tx, companyId, { payrollSystem }, { at: clock.now() }));
      for (const period of periods.map(String)) {
        const preview = await previewPayroll(db, { companyId, period }, clock.now());
        assert(preview && preview.employees > 10, `${payrollSystem} ${period}`);
        assert.deepEqual(preview.problems, [], `${payrollSystem} ${period}`);
      }
    }
  });
});

describe('the month of the coming price', () => {
  it('is January while employees can still agree to it, else the month after next', () => {
    const cases = {
      '2026-09-30': '2026-11-01',
      '2026-10-01': '2027-01-01',
      '2026-11-30': '2027-01-01',
      '2026-12-05': '2027-01-01',
      '2026-12-06': '2027-02-01',
      '2027-01-31': '2027-03-01',
    };
    for (const [day, month] of Object.entries(cases)) {
      const now = Temporal.Instant.from(`${day}T11:00:00Z`);
      assert.equal(comingPriceMonth(createCalendar(now)).toString(), month, day);
    }
  });
});

describe('the source of the demo', () => {
  it('writes to no table by itself: everything happens as in the product', async () => {
    const folder = new URL('../../../src/operator/demo/', import.meta.url);
    const writes =
      /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(|\b(?:insert into|delete from|merge into|truncate|update \w+( \w+)? set)\b/i;
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    assert(files.length > 5);
    for (const name of files) assert.doesNotMatch(await readFile(new URL(name, folder), 'utf8'), writes, name);
  });
});

describe('the example rosters', () => {
  const folder = new URL('../../../docs/examples/', import.meta.url);
  const today = Temporal.PlainDate.from('2026-11-15');
  const limits = { maxBytes: 2 ** 20, maxEntries: 10, today, unpack: unpackWorkbook };
  const bodyOf = async function* (name: string) {
    yield await readFile(new URL(name, folder));
  };
  let app: TestApp;
  let key: Credentials;
  before(async () => {
    key = JSON.parse(await readFile(accessFileOf(ordinary), 'utf8')).key;
    app = await startTestApp({ databaseUrl: ordinary.database.url, clock: ordinary.clock });
  });
  after(() => app.close());

  const preview = async (integrationId: number) => {
    const body = await readFile(new URL('roster.json', folder), 'utf8');
    const headers = { 'content-type': 'application/json' };
    return app.request(`/hr-integrations/${integrationId}/sync?dryRun=true`, { method: 'POST', key, headers, body });
  };

  it('contain the same data as CSV and as JSON', async () => {
    const [json, csv] = [
      await readRoster(bodyOf('roster.json'), limits),
      (await readRosterTable(bodyOf('roster.csv'), limits)).roster,
    ];
    assert.deepEqual(csv.contentHash, json.contentHash);
    assert.deepEqual([json.warnings, csv.warnings], [[], []]);
  });

  it('are safe where the README pushes them: nobody is linked there', async () => {
    const { status, body } = await preview(6);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.data.counts, { created: 3, updated: 0, unchanged: 0, offboarded: 0, held: 0, failed: 0 });
  });

  it('offboard nobody if pushed by mistake: the removals require approval', async () => {
    const { body } = await preview(1);
    const { created, offboarded, held, failed } = body.data.counts;
    assert.deepEqual([created, offboarded, failed, held > 100], [3, 0, 0, true]);
  });
});

describe('ensureDemo', () => {
  it('creates one company when two processes start concurrently, and stores the access data', async () => {
    const [access] = accesses;
    assert(access?.key && access.login);
    assert.deepEqual(accesses[1], access);
    assert.deepEqual(await valuesOf(twin, 'select count(*) from companies'), [1]);
    assert.equal((await stat(accessFileOf(twin))).mode & 0o777, 0o600);
    assert.deepEqual(await makeDemo(twin), access);
    assert.deepEqual(await readdir(twin.config.dataDir), ['demo-access.json', 'documents']);
    await sql`update api_keys set revoked_at = now()`.execute(twin.database.db);
    assert.deepEqual(await makeDemo(twin), { key: undefined, login: access.login });
    await unlink(accessFileOf(twin));
    assert.deepEqual(await makeDemo(twin), { key: undefined, login: undefined });
    assert.deepEqual(await valuesOf(twin, 'select count(*) from companies'), [1]);
  });

  it('leaves a database with a company unchanged', async () => {
    const other = await createPlace('2026-11-15');
    try {
      await makeCompany(other.database.db);
      const access = await ensureDemo(other, { ...other.config, dataDir: ordinary.config.dataDir });
      assert.deepEqual(access, { key: undefined, login: undefined });
      assert.deepEqual(await valuesOf(other, 'select count(*) from companies'), [1]);
    } finally {
      await other.close();
    }
  });
});
