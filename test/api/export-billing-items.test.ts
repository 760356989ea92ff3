import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { CompanyId } from '../../src/db/company-scope.ts';
import { chargeTypes } from '../../src/domain/enums.ts';
import { basic, type Credentials, startTestApp, type TestApp } from '../support/app.ts';
import { connectAs } from '../support/database.ts';
import {
  anEmployee,
  aServiceCharge,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployees,
  makeKey,
} from '../support/factories.ts';
import { until } from '../support/until.ts';
import { refusesOtherMethods } from './shared/every-list.ts';
import { assertInvalid, assertProblem } from './shared/problems.ts';

/** Returns the server processes of this application's connections for streams. */
async function streamsOf({ db }: TestApp, condition = `state <> 'idle'`): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'stream' and ${sql.raw(condition)}`.execute(db);
  return rows.map((row) => row.pid);
}

const allStreamsEnd = (app: TestApp) =>
  until('all queries of exports have ended', async () => (await streamsOf(app)).length === 0);

describe('GET /billing/items/{period}/{chargeType}', () => {
  let app: TestApp;
  let companyId: CompanyId;
  let key: Credentials;
  let employees: number[];
  before(async () => {
    app = await startTestApp();
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-billing']);
    employees = await makeEmployees(
      app.db,
      companyId,
      Array.from({ length: 1203 }, () => anEmployee()),
    );
    await makeBillingItems(app.db, companyId, [
      ...employees.map((id) => aTicketCharge(id)),
      ...employees.slice(0, 2).map((id) => aTicketCharge(id, { period: '2026-10-01' })),
      ...chargeTypes.filter((type) => type !== 'ticket-charge').map((charge_type) => aServiceCharge({ charge_type })),
    ]);
    const other = await makeCompany(app.db);
    const [stranger = 0] = await makeEmployees(app.db, other, [anEmployee()]);
    await makeBillingItems(app.db, other, [aTicketCharge(stranger), aTicketCharge(stranger, { period: '2026-09-01' })]);
  });
  after(() => app.close());

  const get = (path: string, query = '') => app.request(`/billing/items/${path}${query}`, { key });

  refusesOtherMethods(() => ({ app, key, path: '/billing/items/2026-11-01/ticket-charge', allow: 'GET' }));

  it('refuses HEAD, which would run the whole query for nothing', async () => {
    const path = '/billing/items/2026-11-01/ticket-charge';
    const answer = await app.request(path, { method: 'HEAD', key });
    assert.deepEqual([answer.status, answer.headers.get('allow'), answer.bytes.length], [405, 'GET', 0]);
  });

  it('answers every item of the period and charge type, in the order of their ids', async () => {
    const answer = await get('2026-11-01/ticket-charge');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(Object.keys(answer.body), ['data']);
    const items: { id: number; charge: { employee: { profile: { id: number } } } }[] = answer.body.data;
    assert.deepEqual(
      items.map((item) => item.charge.employee.profile.id),
      employees,
    );
    assert.deepEqual(
      items.map((item) => item.id),
      items.map((item) => item.id).toSorted((a, b) => a - b),
    );
  });

  it('tells everything of an item', async () => {
    const { data } = (await get('2026-10-01/ticket-charge')).body;
    const [employee] = employees;
    assert.equal(data.length, 2);
    assert.deepEqual(data[0], {
      id: data[0].id,
      billing: {
        period: '2026-10-01',
        total: { label: '55,93\u00a0€', value: 5593 },
        tax: { label: '3,92\u00a0€', value: 392 },
        overall: { label: '59,85\u00a0€', value: 5985 },
      },
      charge: {
        type: 'ticket-charge',
        employee: {
          profile: {
            id: employee,
            firstName: 'Anna',
            lastName: 'Muster',
            email: 'anna@example.com',
            hrId: `E-${employee}`,
          },
          exists: true,
        },
        plan: {
          type: 'fully-subsidized-plan',
          companyAmount: { label: '59,85\u00a0€', value: 5985 },
          employeeAmount: { label: '0,00\u00a0€', value: 0 },
        },
      },
      billedAt: '2026-11-01T00:05:00Z',
      corrects: null,
      reason: null,
      resource: 'billing-item',
      _links: {
        self: { href: `http://localhost:3000/v1/billing/items/${data[0].id}`, type: 'application/json' },
        employee: { href: `http://localhost:3000/v1/employees/${employee}`, type: 'application/json' },
      },
    });
    assert.deepEqual(data[0], (await get(String(data[0].id))).body.data);
  });

  for (const type of chargeTypes.filter((one) => one !== 'ticket-charge')) {
    it(`answers the one ${type} of the month`, async () => {
      const { data } = (await get(`2026-11-01/${type}`)).body;
      assert.deepEqual(
        data.map((item: { charge: unknown }) => item.charge),
        [{ type, employee: null, plan: null }],
      );
    });
  }

  it('answers {"data":[]} where nothing was billed', async () => {
    for (const path of [
      '2026-10-01/api-charge',
      '2026-09-01/ticket-charge',
      '0001-01-01/api-charge',
      '9999-12-01/ticket-charge',
    ]) {
      const answer = await get(path);
      assert.equal(answer.status, 200);
      assert.equal(answer.bytes.toString(), '{"data":[]}');
    }
  });

  it('hides what is no longer known of removed employees', async () => {
    const other = await makeCompany(app.db);
    const [id = 0] = await makeEmployees(app.db, other, [anEmployee({ removed_at: '2026-11-10T00:00:00Z' })]);
    await makeBillingItems(app.db, other, [aTicketCharge(id, { hr_id: 'E-9' })]);
    const itsKey = await makeKey(app.db, other);
    const { data } = (await app.request('/billing/items/2026-11-01/ticket-charge', { key: itsKey })).body;
    assert.deepEqual(data[0].charge.employee, {
      profile: { id: null, firstName: null, lastName: null, email: null, hrId: 'E-9' },
      exists: false,
    });
    assert.deepEqual(Object.keys(data[0]._links), ['self']);
  });

  for (const [path, expected] of [
    ['2026-11-15/ticket-charge', { period: 'format' }],
    ['2026-11/ticket-charge', { period: 'format' }],
    ['2026-13-01/ticket-charge', { period: 'format' }],
    ['0000-01-01/ticket-charge', { period: 'format' }],
    ['2026-11-01%00/ticket-charge', { period: 'format' }],
    ['null/ticket-charge', { period: 'format' }],
    ['1/ticket-charge', { period: 'format' }],
    ['2026-11-01/ticket', { chargeType: 'enum' }],
    ['2026-11-01/TICKET-CHARGE', { chargeType: 'enum' }],
    ['2026-11-01/ticket-charge%00', { chargeType: 'enum' }],
    ['2026-11-01/null', { chargeType: 'enum' }],
    [`2026-11-01/${'x'.repeat(1000)}`, { chargeType: 'enum' }],
    ['yesterday/everything', { period: 'format', chargeType: 'enum' }],
  ] as [string, Record<string, string>][]) {
    it(`refuses ${path.slice(0, 40)}`, async () => {
      assertInvalid(await get(path), expected);
    });
  }

  for (const path of ['%ZZ/ticket-charge', '2026-11-01/%FF']) {
    it(`refuses ${path}, which is no percent-encoded UTF-8`, async () => {
      assertProblem(await get(path), 400, 'malformed-request');
    });
  }

  it('has no pages and refuses parameters of the query', async () => {
    const answer = await get('2026-11-01/ticket-charge', '?page=2&perPage=-1&perPage=3&sortOrder=desc');
    assertInvalid(answer, { page: 'unknown', perPage: 'unknown', sortOrder: 'unknown' });
  });
});

describe('An export of 200,000 items', () => {
  const rows = 200_000;
  const path = '/billing/items/2026-11-01/ticket-charge';
  let app: TestApp;
  let key: Credentials;
  before(async () => {
    app = await startTestApp();
    const companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-billing']);
    await sql`
      insert into billing_items (company_id, period, charge_type, net_cents, tax_cents, gross_cents, hr_id, plan_type,
        company_share_cents, employee_share_cents, billed_at)
      select ${companyId}, '2026-11-01', 'ticket-charge', 5593, 392, 5985, 'E-' || n, 'split-pay-plan', 3985, 2000,
        '2026-11-01T00:05:00Z'
      from generate_series(1, ${rows}::int) n`.execute(app.db);
    await sql`
      insert into billing_totals (company_id, period, charge_type, items, net_cents, tax_cents, gross_cents)
      select company_id, period, charge_type, count(*), sum(net_cents), sum(tax_cents), sum(gross_cents)
      from billing_items where company_id = ${companyId} group by 1, 2, 3`.execute(app.db);
    await sql`analyze billing_items`.execute(app.db);
  });
  after(() => app.close());

  /**
   * Opens a raw reader, since a response of this size must not be buffered in memory. Other tests check the form of the
   * response on small ones.
   */
  async function open(signal?: AbortSignal) {
    const response = await fetch(`${app.url}${path}`, {
      headers: { authorization: basic(key) },
      ...(signal ? { signal } : {}),
    });
    assert.equal(response.status, 200);
    assert(response.body);
    return response.body.getReader();
  }

  it('is complete, and needs no more memory than a small one', async () => {
    const reader = await open();
    const mark = '"resource":"billing-item"';
    // The whole response has more than 100 MB as text, and more than twice that as rows. Garbage that is not collected
    // yet accounts for some tens of MB. If the service buffered the response before sending it, or ran ahead of its
    // reader, the process would grow by several hundred MB.
    const before = process.memoryUsage().rss;
    let growth = 0;
    let bytes = 0;
    let items = 0;
    let tail = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const text = tail + Buffer.from(next.value).toString('latin1');
      items += text.split(mark).length - 1;
      tail = text.slice(Math.max(text.lastIndexOf(mark) + mark.length, text.length - mark.length));
      bytes += next.value.length;
      growth = Math.max(growth, process.memoryUsage().rss - before);
    }
    assert.equal(items, rows);
    assert(tail.endsWith('}]}') || tail === ']}', tail);
    assert(bytes > 100_000_000, `${bytes} bytes`);
    assert(growth < 150_000_000, `grew by ${Math.round(growth / 1e6)} MB`);
    await allStreamsEnd(app);
  });

  it('ends its query when the client goes away early', async () => {
    const client = new AbortController();
    const reader = await open(client.signal);
    await reader.read();
    assert.equal((await streamsOf(app)).length, 1);
    client.abort();
    await allStreamsEnd(app);
  });

  it('breaks off when the database does, so that nobody takes it for complete', async () => {
    // Repeat more often than there are connections for streams, so that losing one each time would show.
    for (let times = 0; times < 5; times++) {
      const client = new AbortController();
      const reader = await open(client.signal);
      await reader.read();
      // The client has stopped reading, so the response is still under way: it is far larger than all buffers in
      // between.
      const [pid] = await streamsOf(app);
      await sql`select pg_terminate_backend(${pid}::int)`.execute(app.db);
      const end = performance.now() + 120_000;
      const readOn = async () => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) assert(performance.now() < end);
      };
      const outcome = await Promise.race([
        readOn().then(
          () => 'complete',
          () => 'broken off',
        ),
        new Promise((resolve) => setTimeout(resolve, 120_000, 'neither ended nor broken off').unref()),
      ]);
      client.abort();
      assert.equal(outcome, 'broken off');
      await until('the connection is gone', async () => (await streamsOf(app, `pid = ${pid}`)).length === 0);
    }
    assert.equal((await app.request('/health')).status, 204);
    const small = await app.request('/billing/items/2026-10-01/ticket-charge', { key });
    assert.equal(small.bytes.toString(), '{"data":[]}');
  });

  it('does not stand in the way of other requests while its readers are slow', async () => {
    const client = new AbortController();
    const readers = await Promise.all(Array.from({ length: 4 }, () => open(client.signal)));
    await Promise.all(readers.map((reader) => reader.read()));
    assert.equal((await streamsOf(app)).length, 4);
    const page = await app.request('/billing/items?perPage=1', { key });
    assert.equal(page.body.data.total, rows);
    const fifth = await app.request('/billing/items/2026-10-01/ticket-charge', { key });
    assertProblem(fifth, 503, 'unavailable');
    client.abort();
    await allStreamsEnd(app);
    assert.equal((await app.request('/billing/items/2026-10-01/ticket-charge', { key })).status, 200);
  });
});

describe('An export whose client goes away before the first item is found', () => {
  it('ends its query and gives its connection back', async () => {
    const app = await startTestApp();
    const key = await makeKey(app.db, await makeCompany(app.db));
    const locker = await connectAs(app.databaseUrl);
    // Repeat more often than there are connections for streams, so that leaking one each time would show.
    for (let times = 0; times < 5; times++) {
      await locker.query('begin');
      await locker.query('lock table billing_items in access exclusive mode');
      const client = new AbortController();
      const request = fetch(`${app.url}/billing/items/2026-11-01/ticket-charge`, {
        headers: { authorization: basic(key) },
        signal: client.signal,
      });
      await until('the query waits', async () => (await streamsOf(app, `wait_event_type = 'Lock'`)).length === 1);
      client.abort();
      await assert.rejects(request, { name: 'AbortError' });
      await locker.query('rollback');
      await allStreamsEnd(app);
    }
    const answer = await app.request('/billing/items/2026-11-01/ticket-charge', { key });
    assert.equal(answer.bytes.toString(), '{"data":[]}');
    await locker.end();
    await app.close();
  });
});
