import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Clock } from '../src/clock.ts';
import { type Config, readConfig } from '../src/config.ts';
import type { Db } from '../src/db/database.ts';
import { createCalendar } from '../src/demo/calendar.ts';
import { ensureDemo } from '../src/demo/index.ts';
import { printable } from '../src/demo/pdf.ts';
import { createCrowd, type Person } from '../src/demo/people.ts';
import { createRandom } from '../src/demo/random.ts';
import { ranIn } from '../src/demo/subscriptions.ts';
import { chargeTypes, contractStatuses, planTypes, subscriptionStatuses } from '../src/domain/vocabulary.ts';
import { type DocumentStore, openDocumentStore } from '../src/employee-documents/store.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { makeCompany } from './support/factories.ts';
import { watchStatements } from './support/statements.ts';

const clockOn = (date: string, time = '12:00'): Clock => ({
  now: () => Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: time }).toInstant(),
});
const clock = clockOn('2026-11-15');

interface Place {
  database: TestDatabase;
  db: Db;
  documents: DocumentStore;
  config: Config;
  close(): Promise<void>;
}

/** An empty database and an empty folder. */
async function createPlace(): Promise<Place> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'transit-demo-'));
  const config = readConfig({ DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url });
  return {
    database,
    db: watchStatements(database.db),
    documents: await openDocumentStore(config.documentStore),
    config,
    async close() {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const keyFileOf = ({ config }: Place) => join(config.dataDir, 'demo-key.json');

type Row = Record<string, unknown>;
const rowsOf = async ({ database }: Place, text: string) => (await sql.raw<Row>(text).execute(database.db)).rows;
const valuesOf = async (place: Place, text: string) => (await rowsOf(place, text)).map((row) => Object.values(row)[0]);

describe('people of the demo', () => {
  const days = ['2026-11-15', '2026-12-01', '2026-12-31', '2027-01-01', '2027-03-31', '2028-02-29', '2028-03-01'];
  const crowds = days.map((day) => {
    const calendar = createCalendar(clockOn(day, '00:30').now());
    return { day, calendar, people: createCrowd(createRandom(20_230_501), calendar) };
  });

  const monthEnd = (month: Temporal.PlainDate) => month.add({ months: 1 }).subtract({ days: 1 }).toString();
  const isAbsent = ({ dates }: Person, month: Temporal.PlainDate) =>
    dates.absences.some(
      ({ approved, startsOn, endsOn }) =>
        approved && `${startsOn}` <= `${month}` && (endsOn === null || `${endsOn}` >= monthEnd(month)),
    );
  /** What the contract says of a month, from the causes rather than from the dates that follow from them. */
  const hasTicket = (person: Person, month: Temporal.PlainDate) => {
    const { startOn, cancelledOn } = person.dates;
    const isRunning =
      startOn !== null && `${startOn}` <= `${month}` && !(cancelledOn && `${cancelledOn}` <= `${month}`);
    return isRunning && !isAbsent(person, month);
  };

  function expectedStatus({ dates }: Person, today: string) {
    const has = (date: Temporal.PlainDate | null) => date !== null;
    const past = (date: Temporal.PlainDate | null) => date !== null && `${date}` <= today;
    if (!has(dates.startOn)) return 'no-subscription';
    if (past(dates.cancelledOn)) return 'cancelled';
    if (!past(dates.startOn)) return 'scheduled';
    if (has(dates.cancelledOn)) return 'scheduled-cancellation';
    if (has(dates.pausedOn) && !past(dates.reactivatedOn)) return past(dates.pausedOn) ? 'paused' : 'scheduled-pause';
    return 'active';
  }

  for (const { day, calendar, people } of crowds) {
    it(`is 200 visible people with every status, plan and contract on ${day}`, () => {
      const visible = people.filter((person) => person.removedOn === null);
      assert.deepEqual([visible.length, people.length], [200, 203]);
      for (const status of subscriptionStatuses) {
        for (const plan of planTypes) assert(visible.some((one) => one.status === status && one.planType === plan));
      }
      for (const plan of ['deferred-plan', 'split-pay-plan']) {
        const found = new Set(visible.filter((one) => one.planType === plan).map((one) => one.contract));
        for (const contract of contractStatuses) assert(found.has(contract), `${plan} ${contract}`);
      }
      assert.equal(new Set(people.map((one) => one.email)).size, people.length);
      for (const { email } of people) assert.match(email, /^[a-z]+\.[a-z]+@musterwerk\.example$/);
    });

    it(`has statuses that fit the dates on ${day}`, () => {
      for (const person of people) {
        const about = `${person.email} ${JSON.stringify(person.dates)}`;
        assert.equal(person.status, expectedStatus(person, day), about);
        const coming = Array.from({ length: 24 }, (_, index) => calendar.month(index + 1));
        const next = coming.find((month) => hasTicket(person, month));
        assert.equal(`${person.dates.nextTicketOn}`, `${next ?? null}`, about);
        for (const month of calendar.months) assert.equal(ranIn(person.dates, month), hasTicket(person, month), about);
        if (person.contract === 'pending') assert.equal(person.status, 'scheduled');
        if (person.contract === 'rejected') assert.match(person.status, /^(cancelled|no-subscription)$/);
        const { startOn, nextTicketOn, pausedOn, reactivatedOn } = person.dates;
        for (const date of [startOn, nextTicketOn, pausedOn, reactivatedOn]) assert((date?.day ?? 1) === 1, about);
      }
    });

    it(`tells nothing of the future on ${day}`, () => {
      const now = clockOn(day, '00:30').now().toString();
      for (const person of people) {
        assert(person.createdAt <= person.updatedAt && person.updatedAt <= now, `${person.email} ${person.updatedAt}`);
        assert(`${person.createdOn}` >= `${calendar.joined}`);
        const { dateOfBirth, employedFrom } = person;
        if (dateOfBirth && employedFrom) assert(dateOfBirth.until(employedFrom, { largestUnit: 'years' }).years >= 18);
      }
    });
  }
});

describe('the demo company', () => {
  let place: Place;
  let twin: Place;
  before(async () => {
    [place, twin] = await Promise.all([createPlace(), createPlace()]);
    await Promise.all([ensureDemo(place, place.config, clock), ensureDemo(twin, twin.config, clock)]);
  });
  after(async () => {
    await place.close();
    await twin.close();
  });

  it('is one company with a key that may do everything', async () => {
    assert.deepEqual(await rowsOf(place, 'select name, locale, plan_type, contribution_cents from companies'), [
      { name: 'Musterwerk GmbH', locale: 'de-DE', plan_type: 'split-pay-plan', contribution_cents: 2000 },
    ]);
    assert.deepEqual(await rowsOf(place, 'select name, cardinality(permissions) as n from api_keys'), [
      { name: 'Demo', n: 6 },
    ]);
  });

  it('has integrations in every state', async () => {
    const states = `select type || ' ' || status || ' ' || initial_connection_status || ' ' || coalesce(last_sync_status, 'never')
      from hr_integrations order by id`;
    assert.deepEqual(await valuesOf(place, states), [
      'api-integration active completed succeeded',
      'hr-integration active incomplete never',
      'hr-integration invalid completed authentication-failed',
      'api-integration inactive completed failed',
      'api-integration active final-sync-pending never',
      'hr-integration active completed partially-failed',
    ]);
    const different = `select i.name from hr_integrations i left join lateral (
        select sync_id, state from syncs s where s.hr_integration_id = i.id order by s.id desc limit 1) s on true
      where (i.last_sync_id, i.last_sync_status) is distinct from (s.sync_id, s.state)`;
    assert.deepEqual(await valuesOf(place, different), []);
    const lastSynced = `select i.name from hr_integrations i where i.last_synced_at is distinct from (
      select max(finished_at) from syncs s where s.hr_integration_id = i.id and s.state in ('succeeded', 'partially-failed'))`;
    assert.deepEqual(await valuesOf(place, lastSynced), []);
  });

  it('has people linked in every way', async () => {
    const kinds = `select distinct kinds from (
      select coalesce(string_agg(case when l.hr_integration_id is not null then 'hr' when l.id is not null then 'custom' end, ' ' order by l.id), '') as kinds
      from employees e left join hr_links l on l.employee_id = e.id where e.removed_at is null group by e.id) k order by 1`;
    assert.deepEqual(await valuesOf(place, kinds), ['', 'custom', 'hr', 'hr custom', 'hr hr']);
    const early = `select e.email from employees e join hr_links l on l.employee_id = e.id where l.last_synced_at < e.created_at`;
    assert.deepEqual(await valuesOf(place, early), []);
    assert.deepEqual(await valuesOf(place, 'select distinct approved from absences order by 1'), [false, true]);
  });

  it('has a ticket this month for whoever is running', async () => {
    const running = `select e.subscription_status, count(*) = count(t.month) as all_have, count(t.month) > 0 as some_have
      from employees e left join tickets t on t.employee_id = e.id and t.month = '2026-11-01'
      where e.removed_at is null group by 1 order by 1`;
    const holders = ['active', 'scheduled-cancellation', 'scheduled-pause'];
    for (const row of await rowsOf(place, running)) {
      const expected = holders.includes(String(row.subscription_status));
      assert.deepEqual([row.all_have, row.some_have], [expected, expected], String(row.subscription_status));
    }
    const odd = `select ticket_id from tickets where ticket_id !~ '^DT-20\\d{4}-\\d{6}$' or length(wallet_token) <> 43`;
    assert.deepEqual(await valuesOf(place, odd), []);
  });

  it('was billed every month, every type, to the cent', async () => {
    const types = `select charge_type from billing_items group by 1 having count(distinct period) = 12 order by 1`;
    assert.deepEqual(await valuesOf(place, types), chargeTypes.toSorted());
    const unbalanced = `select id from billing_items where net_cents + tax_cents <> gross_cents
      or company_share_cents + employee_share_cents <> gross_cents`;
    assert.deepEqual(await valuesOf(place, unbalanced), []);
    const prices = `select distinct on (period >= '2026-01-01', gross_cents) plan_type, gross_cents, tax_cents,
        company_share_cents, employee_share_cents
      from billing_items where charge_type = 'ticket-charge' and (plan_type <> 'split-pay-plan' or employee_share_cents = 4900)
      order by period >= '2026-01-01', gross_cents, plan_type, id`;
    const priceRow = (...cells: unknown[]) => cells;
    assert.deepEqual(
      (await rowsOf(place, prices)).map((row) => Object.values(row)),
      [
        priceRow('fully-subsidized-plan', 5510, 360, 5510, 0),
        priceRow('deferred-plan', 5800, 379, 0, 5800),
        priceRow('fully-subsidized-plan', 5985, 392, 5985, 0),
        priceRow('deferred-plan', 6300, 412, 0, 6300),
      ],
    );
    const unmatched = `select 1 from tickets t full join (select * from billing_items where charge_type = 'ticket-charge') b
      on b.employee_id = t.employee_id and b.period = t.month where t.month is null or b.id is null`;
    assert.deepEqual(await valuesOf(place, unmatched), []);
    const fees = `select b.period from billing_items b where b.charge_type = 'service-charge'
      and (b.net_cents <> 150 * (select count(*) from tickets t where t.month = b.period)
        or b.tax_cents <> round(b.net_cents * 0.19))`;
    assert.deepEqual(await valuesOf(place, fees), []);
    const unlinked = `select b.id from billing_items b left join hr_integrations i on i.id = b.hr_integration_id
      where (b.charge_type = 'hr-integration-charge') is distinct from (coalesce(i.status, '') = 'active')`;
    assert.deepEqual(await valuesOf(place, unlinked), []);
  });

  it('keeps counts that equal what is there', async () => {
    const employees = `(select subscription_status, plan_type, count(*) from employees where removed_at is null group by 1, 2)
      except (select subscription_status, plan_type, employees from employee_counts)`;
    assert.deepEqual(await rowsOf(place, employees), []);
    assert.deepEqual(await valuesOf(place, 'select sum(employees)::int from employee_counts'), [200]);
    const documents = `select documents - (select count(*) from documents where removed_at is null) from document_counts`;
    assert.deepEqual(await valuesOf(place, documents), [0]);
    const totals = `(select period, charge_type, count(*), sum(net_cents), sum(tax_cents), sum(gross_cents) from billing_items
      group by 1, 2) except (select period, charge_type, items, net_cents, tax_cents, gross_cents from billing_totals)`;
    assert.deepEqual(await rowsOf(place, totals), []);
  });

  it('has removed people with their charges and hidden documents', async () => {
    const removed = `select count(*) as documents, bool_and(d.removed_at = e.removed_at) as hidden,
        (select count(*) from billing_items b where b.employee_id = e.id) > 0 as billed
      from employees e join documents d on d.employee_id = e.id where e.removed_at is not null group by e.company_id, e.id`;
    const rows = await rowsOf(place, removed);
    assert.equal(rows.length, 3);
    for (const row of rows) assert(Number(row.documents) >= 4 && row.hidden && row.billed, JSON.stringify(row));
    const visible = 'select 1 from documents where removed_at is not null and employee_id is null';
    assert.deepEqual(await valuesOf(place, visible), []);
  });

  it('has documents of every kind, and whole PDFs', async () => {
    const rows = await place.database.db.selectFrom('documents').selectAll().orderBy('id').execute();
    assert(rows.length > 200 && rows.length <= 250, `${rows.length} documents`);
    assert.equal(rows.filter((row) => row.employee_id === null).length, 2);
    const kinds = new Set(rows.map((row) => `${row.file_type} ${row.sha256 === null ? 'missing' : 'stored'}`));
    assert.deepEqual([...kinds].sort(), ['docx stored', 'pdf missing', 'pdf stored', 'png stored']);
    for (const name of [
      'Abo-Bestätigung',
      'Beitragsvereinbarung',
      'Kündigungsbestätigung',
      'Ticket-Bestätigung November 2026',
    ]) {
      assert(
        rows.some((row) => row.name === name && row.downloadable),
        name,
      );
    }
    for (const row of rows.filter((row) => row.downloadable)) {
      const bytes = await buffer(await place.documents.open(row.store_key ?? '', row.size_bytes ?? 0));
      assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
      assert.equal(bytes.toString('latin1').trimEnd().slice(-5), '%%EOF');
      assert.equal(bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 1, row.name);
      assert.deepEqual(createHash('sha256').update(bytes).digest(), row.sha256);
    }
  });

  it('is the same company again on the same day', async () => {
    const secrets: Record<string, string[]> = {
      employees: [],
      hr_links: [],
      absences: [],
      hr_integrations: [],
      companies: [],
      billing_items: [],
      billing_totals: [],
      tickets: ['wallet_token'],
      documents: ['store_key'],
      syncs: ['pushed_by'],
    };
    for (const [table, columns] of Object.entries(secrets)) {
      const text = `select to_jsonb(t) - array[${columns.map((column) => `'${column}'`).join()}]::text[] from ${table} t order by 1`;
      assert.deepEqual(await valuesOf(place, text), await valuesOf(twin, text), table);
    }
  });
});

describe('ensureDemo', () => {
  it('makes one company when two processes start at once, and remembers its key', async () => {
    const place = await createPlace();
    try {
      const keys = await Promise.all([ensureDemo(place, place.config, clock), ensureDemo(place, place.config, clock)]);
      assert(keys[0]);
      assert.deepEqual(keys[1], keys[0]);
      assert.deepEqual(await valuesOf(place, 'select count(*) from companies'), [1]);
      assert.equal((await stat(keyFileOf(place))).mode & 0o777, 0o600);
      assert.deepEqual(await ensureDemo(place, place.config), keys[0]);
      assert.deepEqual(await readdir(place.config.dataDir), ['demo-key.json', 'documents']);
      await sql`update api_keys set revoked_at = now()`.execute(place.database.db);
      assert.equal(await ensureDemo(place, place.config), undefined);
      await unlink(keyFileOf(place));
      assert.equal(await ensureDemo(place, place.config), undefined);
      assert.deepEqual(await valuesOf(place, 'select count(*) from companies'), [1]);

      const other = await createPlace();
      await makeCompany(other.database.db);
      assert.equal(await ensureDemo(other, { ...other.config, dataDir: place.config.dataDir }), undefined);
      assert.deepEqual(await valuesOf(other, 'select count(*) from companies'), [1]);
      await other.close();
    } finally {
      await place.close();
    }
  });

  it('leaves nothing behind when it fails', async () => {
    const place = await createPlace();
    try {
      let stored = 0;
      const documents: DocumentStore = {
        ...place.documents,
        put: (...args) => (++stored > 40 ? Promise.reject(new Error('disk full')) : place.documents.put(...args)),
      };
      await assert.rejects(ensureDemo({ ...place, documents }, place.config, clock), /disk full/);
      assert.deepEqual(await valuesOf(place, 'select count(*) from companies'), [0]);
      assert.deepEqual(await readdir(join(place.config.dataDir, 'documents', 'company-1')), []);
      assert(await ensureDemo(place, place.config, clock));
    } finally {
      await place.close();
    }
  });
});

describe('printable', () => {
  it('keeps what the standard fonts know and strips the rest', () => {
    assert.equal(printable('Jürgen Groß, Zoë, Søren, Œuvre – 5,00 €'), 'Jürgen Groß, Zoë, Søren, Œuvre – 5,00 €');
    assert.equal(printable('Łukasz Zając, Ayşe Yıldız, İlker, 東'), 'Lukasz Zajac, Ayse Yildiz, Ilker, ?');
  });
});
