import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { describeHead, findLogLine } from '../../support/api/compare-responses.ts';
import { type Credentials, startTestApp, testClock, useApp } from '../../support/app.ts';
import {
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeDocument,
  makeEmployee,
  makeIntegration,
  makeKey,
  makePayrollExport,
} from '../../support/factories.ts';
import { before } from '../../support/prepare.ts';
import { until } from '../../support/until.ts';

const app = useApp(() => ({ env: { PAGE_CACHE_MB: '8' }, clock: { now: () => now } }));
let companyId: CompanyId;
let key: Credentials;
let now = testClock.now();
/** The paths of one response of each kind that is kept. */
let paths: string[];
before(async () => {
  companyId = await makeCompany(app.db);
  key = await makeKey(app.db, companyId);
  const employee = await makeEmployee(app.db, companyId);
  const document = await makeDocument(app.db, companyId, { employeeId: employee });
  await makeBillingItems(app.db, companyId, [aTicketCharge(employee)]);
  const { id: item } = await app.db.selectFrom('billing_items').select('id').executeTakeFirstOrThrow();
  const payrollExport = await makePayrollExport(app.db, companyId);
  const integration = await makeIntegration(app.db, companyId);
  paths = [
    '/employees',
    '/employees?search=muster&perPage=5',
    `/employees/${employee}`,
    `/employees/${employee}/documents`,
    '/employee-documents',
    `/employee-documents/${document}`,
    '/billing/items',
    `/billing/items/${item}`,
    '/billing/payroll-exports',
    `/billing/payroll-exports/${payrollExport}`,
    '/hr-integrations',
    `/hr-integrations/${integration}`,
    `/hr-integrations/${integration}/syncs`,
  ];
});

const get = (path: string, etag?: string, who = key) =>
  app.request(path, { key: who, headers: etag === undefined ? {} : { 'if-none-match': etag } });

async function etagOf(path: string, who = key): Promise<string> {
  const { status, headers } = await get(path, undefined, who);
  assert.equal(status, 200);
  const etag = headers.get('etag');
  assert(etag);
  return etag;
}

/** Changes an employee as the service does. */
const change = (company = companyId) =>
  writeCompany(app.serviceDb, company, async (tx) => {
    await sql`update employees e set first_name = e.first_name || 'x' where e.company_id = ${company}`.execute(tx);
  });

describe('Validators of responses', () => {
  it('are strong and the same as long as nothing changes', async () => {
    for (const path of paths) {
      const { headers } = await get(path);
      assert.match(headers.get('etag') ?? '', /^"[\w-]{27}"$/, path);
      assert.equal(headers.get('cache-control'), 'private, no-cache', path);
      assert.equal(await etagOf(path), headers.get('etag'), path);
    }
  });

  it('give 304 without a body', async () => {
    for (const path of paths) {
      const etag = await etagOf(path);
      const { status, headers, bytes } = await get(path, etag);
      assert.deepEqual([status, bytes.length, headers.get('etag')], [304, 0, etag], path);
      assert.equal(headers.get('cache-control'), 'private, no-cache', path);
    }
  });

  it('are accepted as weak ones, among others and as a star', async () => {
    const etag = await etagOf('/employees');
    for (const given of [`W/${etag}`, `"other", ${etag}`, '*']) {
      assert.equal((await get('/employees', given)).status, 304, given);
    }
  });

  it('give 200 again after a change, with the new content', async () => {
    for (const path of paths) {
      const etag = await etagOf(path);
      await change();
      const { status, headers } = await get(path, etag);
      assert.equal(status, 200, path);
      assert.notEqual(headers.get('etag'), etag, path);
    }
  });

  it('differ by path, query and company', async () => {
    const other = await makeKey(app.db, await makeCompany(app.db));
    const etags = [await etagOf('/employees'), await etagOf('/employees?page=2'), await etagOf('/employees', other)];
    assert.equal(new Set(etags).size, 3);
    assert.equal((await get('/employees', etags[0], other)).status, 200);
  });

  it('change with the day of the company', async () => {
    const etag = await etagOf('/employees');
    now = now.add({ hours: 24 });
    assert.equal((await get('/employees', etag)).status, 200);
  });

  it('are sent for HEAD as for GET', async () => {
    const etag = await etagOf('/employees');
    const head = await app.request('/employees', { key, method: 'HEAD' });
    assert.equal(head.headers.get('etag'), etag);
  });

  it('are not sent with errors, and do not replace them', async () => {
    const cases = [
      ['/employees?perPage=1000', 400],
      ['/employees/999999999', 404],
    ] as const;
    for (const [path, expected] of cases) {
      const { status, headers } = await get(path, '*');
      assert.deepEqual([status, headers.get('etag'), headers.get('cache-control')], [expected, null, 'no-store'], path);
    }
  });

  it('need the same key and permission as the response', async () => {
    const etag = await etagOf('/employees');
    const lacking = await makeKey(app.db, companyId, ['view-billing']);
    assert.equal((await get('/employees', etag, lacking)).status, 403);
    assert.equal((await get('/employees', etag, { ...key, password: 'wrong' })).status, 401);
  });

  it('are not sent where the response depends on the key, or is a stream', async () => {
    for (const path of ['/me', '/billing/items/2026-11-01/ticket-charge']) {
      const { headers } = await get(path);
      assert.deepEqual([headers.get('etag'), headers.get('cache-control')], [null, 'no-store'], path);
    }
  });
});

describe('Kept responses', () => {
  /** Returns whether the response arrives while nobody can read employees. */
  async function isKept(path: string, etag?: string): Promise<boolean> {
    const blocker = await app.db.startTransaction().execute();
    let underWay: Promise<unknown> | undefined;
    try {
      await sql`lock table employees`.execute(blocker);
      let isAnswered = false;
      underWay = get(path, etag).then(() => {
        isAnswered = true;
      });
      const isWaiting = async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%employees%'`.execute(app.db);
        return rows.length > 0;
      };
      await until('it is answered or waits', async () => isAnswered || (await isWaiting()));
      return isAnswered;
    } finally {
      await blocker.rollback().execute();
      await underWay;
    }
  }

  /** Requests a response until it is kept. Returns the last one that was rendered. */
  async function keep(path: string) {
    await get(path);
    const rendered = await get(path);
    assert.equal(await isKept(path), true);
    return rendered;
  }

  it('are those that were requested twice', async () => {
    const path = '/employees?perPage=2';
    await get(path);
    assert.equal(await isKept(path), false);
    assert.equal(await isKept(path), true);
    await change();
    assert.equal(await isKept(path), false);
    assert.equal(await isKept(path), true);
  });

  it('need no body if the client has it', async () => {
    const path = '/employees?perPage=8';
    const etag = await etagOf(path);
    assert.equal((await get(path, etag)).status, 304);
    // From here on the validator is kept, and nothing else.
    const again = await get(path, etag);
    assert.deepEqual([again.status, again.headers.get('etag')], [304, etag]);
    assert.equal(await isKept(path, etag), true);
    assert.equal(await isKept(path, '*'), false);
    const { status, body } = await get(path);
    assert.deepEqual([status, body.data.perPage], [200, 8]);
    assert.equal(await isKept(path), true);
    assert.equal((await get(path, '*')).status, 304);
    await change();
    assert.equal((await get(path, etag)).status, 200);
  });

  it('are answered without reading a record, byte for byte', async () => {
    const first = await keep('/employees?perPage=3');
    const second = await get('/employees?perPage=3');
    assert.deepEqual(second.bytes, first.bytes);
    assert.equal(second.headers.get('content-type'), first.headers.get('content-type'));
  });

  it('have the headers and the log line of any other response', async () => {
    const path = '/employees?perPage=6';
    const rendered = await keep(path);
    const etag = rendered.headers.get('etag') ?? '';
    const kept = await get(path);
    assert.deepEqual(describeHead(kept), describeHead(rendered));
    const unchanged = await get(path, etag);
    const { others, ...rest } = describeHead(rendered);
    const withoutContent = others.filter(([name]) => !name.startsWith('content-') || name.startsWith('content-sec'));
    assert.deepEqual(describeHead(unchanged), { ...rest, status: 304, others: withoutContent });
    const first = await findLogLine(app, rendered);
    assert.deepEqual(await findLogLine(app, kept), first);
    assert.deepEqual(await findLogLine(app, unchanged), { ...first, status: 304 });
  });

  it('need the permission, the limit and a valid head as any other response', async () => {
    const path = '/employees?perPage=7';
    await keep(path);
    const lacking = await makeKey(app.db, companyId, ['view-billing']);
    for (const _ of [1, 2]) assert.equal((await get(path, undefined, lacking)).status, 403);
    await using limited = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { PAGE_CACHE_MB: '8', RATE_LIMIT_PER_MINUTE: '3' },
    });
    const own = await makeKey(app.db, companyId);
    const answers = [];
    for (let count = 0; count < 5; count++) {
      const { status, headers } = await limited.request(path, { key: own });
      answers.push([status, headers.get('ratelimit-remaining')]);
    }
    assert.deepEqual(answers, [
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
      [429, '0'],
    ]);
  });

  it('are forgotten with any change of the company, and only of that company', async () => {
    await keep('/employees?perPage=4');
    await change(await makeCompany(app.db));
    assert.equal(await isKept('/employees?perPage=4'), true);
    await change();
    assert.equal(await isKept('/employees?perPage=4'), false);
  });

  it('are not used by a process that keeps none, but validators are', async () => {
    await using bare = await startTestApp({ databaseUrl: app.databaseUrl, env: { PAGE_CACHE_MB: '0' } });
    const { headers } = await bare.request('/hr-integrations', { key });
    const etag = headers.get('etag') ?? '';
    const again = await bare.request('/hr-integrations', { key, headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
  });
});
