import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { RosterEntry } from '../../src/features/roster/rules/entry.ts';
import type { Clock } from '../../src/platform/clock/clock.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import type { Credentials, RequestOptions, TestApp, TestResponse } from './app.ts';
import { makeCompany, makeIntegration, makeKey } from './factories.ts';
import { prepare } from './prepare.ts';
import { until } from './until.ts';

/** A company with an API integration, and a key with full access to it. */
export interface Pusher {
  app: TestApp;
  companyId: CompanyId;
  integrationId: number;
  key: Credentials;
  push(syncId: string, employees: object[], query?: string): Promise<TestResponse>;
  /** Sends the body unchanged. */
  send(body: string, options?: RequestOptions): Promise<TestResponse>;
  /** Waits until the sync has its outcome, and returns it. */
  finished(syncId: string): Promise<TestResponse['body']>;
  /** Pushes, throws unless the status is 204, and waits for the outcome. */
  sync(syncId: string, employees: object[]): Promise<TestResponse['body']>;
  preview(employees: object[]): Promise<TestResponse['body']>;
  get(path: string): Promise<TestResponse>;
  integration(): Promise<TestResponse['body']>;
  /** Returns all records of a sync. */
  records(syncId: string, query?: string): Promise<TestResponse['body'][]>;
  /** Returns the visible employees, oldest first. */
  employees(): Promise<TestResponse['body'][]>;
  /** Returns the one visible employee with this id in the integration. */
  employee(hrId: string): Promise<TestResponse['body']>;
  /** Returns the same company, accessed through another application on the same database or another integration. */
  through(other: TestApp): Pusher;
  withIntegration(integrationId: number): Pusher;
}

interface Seat {
  companyId: CompanyId;
  integrationId: number;
  key: Credentials;
}

async function allPages(get: Pusher['get'], path: string): Promise<TestResponse['body'][]> {
  const separator = path.includes('?') ? '&' : '?';
  const rows: TestResponse['body'][] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await get(`${path}${separator}perPage=100&page=${page}`);
    assert.equal(status, 200, JSON.stringify(body));
    rows.push(...body.data.data);
    if (page >= body.data.totalPages) {
      assert.equal(body.data.total, rows.length);
      return rows;
    }
  }
}

function sit(app: TestApp, seat: Seat): Pusher {
  const { integrationId, key } = seat;
  const base = `/hr-integrations/${integrationId}`;
  const get = (path: string) => app.request(path, { key });
  const send = (body: string, options: RequestOptions = {}) =>
    app.request(`${base}/sync`, {
      method: 'POST',
      key,
      body,
      ...options,
      headers: { 'content-type': 'application/json', ...options.headers },
    });
  const push = (syncId: string, employees: object[], query = '') =>
    app.request(`${base}/sync${query}`, {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ syncId, employees }),
    });
  const pathOf = (syncId: string) => `${base}/syncs/${encodeURIComponent(syncId)}`;
  async function finished(syncId: string) {
    let response: TestResponse | undefined;
    await until(`${syncId} has its outcome`, async () => {
      response = await get(pathOf(syncId));
      assert.equal(response.status, 200, JSON.stringify(response.body));
      return !['accepted', 'processing'].includes(response.body.data.state);
    });
    return response?.body.data;
  }
  const employees = () => allPages(get, '/employees');
  return {
    app,
    ...seat,
    push,
    send,
    finished,
    get,
    employees,
    async sync(syncId, entries) {
      const { status, body } = await push(syncId, entries);
      assert.equal(status, 204, JSON.stringify(body));
      return finished(syncId);
    },
    async preview(entries) {
      const { status, body } = await push('a preview', entries, '?dryRun=true');
      assert.equal(status, 200, JSON.stringify(body));
      return body.data;
    },
    integration: async () => (await get(base)).body.data,
    records: (syncId, query = '') => allPages(get, `${pathOf(syncId)}/records${query}`),
    async employee(hrId) {
      const found = (await employees()).filter((one) =>
        one.hrIntergartionLinks.some(
          (link: { hrId: string; hrIntegrationId: number | null }) =>
            link.hrId === hrId && link.hrIntegrationId === integrationId,
        ),
      );
      assert.equal(found.length, 1, `${hrId} is linked ${found.length} times`);
      return found[0];
    },
    through: (other) => sit(other, seat),
    withIntegration: (other) => sit(app, { ...seat, integrationId: other }),
  };
}

export async function makePusher(app: TestApp): Promise<Pusher> {
  const companyId = await makeCompany(app.db);
  const integrationId = await makeIntegration(app.db, companyId);
  const key = await makeKey(app.db, companyId);
  return sit(app, { companyId, integrationId, key });
}

/** Creates a company with an integration and a key for the tests of a suite or file. */
export const usePusher = (app: TestApp): Pusher => prepare(() => makePusher(app));

/** Creates another integration of the same company, with the same key. */
export const makeSecondPusher = async (pusher: Pusher): Promise<Pusher> =>
  pusher.withIntegration(await makeIntegration(pusher.app.db, pusher.companyId));

export const anEntry = (number: number, fields: Partial<RosterEntry> = {}): RosterEntry => ({
  hrId: `E${number}`,
  firstName: 'Anna',
  lastName: `Muster${number}`,
  email: `anna${number}@example.com`,
  ...fields,
});

/** Returns entries 1 to `count`. */
export const entries = (count: number, fields: Partial<RosterEntry> = {}): RosterEntry[] =>
  Array.from({ length: count }, (_, index) => anEntry(index + 1, fields));

/** Returns a clock that stands at noon of a day in Berlin. */
export const clockOn = (day: string): Clock => ({
  now: () =>
    Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: '12:00' }).toInstant(),
});

/**
 * Throws unless the stored totals equal the real ones and no employee is left with a placeholder email key from a swap
 * of addresses.
 */
export async function assertKeptCounts({ app, companyId }: Pick<Pusher, 'app' | 'companyId'>): Promise<void> {
  const { rows: kept } = await sql`select subscription_status, plan_type, employees from employee_counts
    where company_id = ${companyId} order by 1, 2`.execute(app.db);
  const { rows: real } = await sql`select subscription_status, plan_type, count(*) as employees from employees
    where company_id = ${companyId} and removed_at is null group by 1, 2 order by 1, 2`.execute(app.db);
  assert.deepEqual(kept, real);
  const { rows: documents } = await sql<{ kept: number; real: number }>`
    select coalesce((select documents from document_counts where company_id = ${companyId}), 0) as kept,
      (select count(*) from documents where company_id = ${companyId} and removed_at is null) as real`.execute(app.db);
  assert.equal(documents[0]?.kept, documents[0]?.real);
  const { rows: odd } = await sql`select id, email, email_key from employees
    where company_id = ${companyId} and email_key <> lower(email)`.execute(app.db);
  assert.deepEqual(odd, []);
}

/** Makes every integration of the company one that pulls: their links cost a fee, and they accept pushes as well. */
export const makePulling = (db: Db, { companyId }: { companyId: number }) =>
  sql`update hr_integrations set type = 'hr-integration' where company_id = ${companyId}`.execute(db);
