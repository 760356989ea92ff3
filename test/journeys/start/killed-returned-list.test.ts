import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { setDelivery } from '../../../src/features/issuers/delivery.ts';
import { setIssuer } from '../../../src/features/issuers/settings.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { type Fixture, joinCompany, startFixture } from '../../support/daily-run.ts';
import { comingFirst, moveEnvironmentTo } from '../../support/environment.ts';
import { type FakeSftp, sftpUser, startFakeSftp } from '../../support/fake-hr/sftp.ts';
import { operatorContext, runOrders, subscribeEmployees } from '../../support/issuers.ts';
import { type Serving, work } from '../../support/process.ts';
import { until } from '../../support/until.ts';

/** A list is applied in steps of 1,000 tickets. */
const count = 1_200;
const stepSize = 1_000;

describe('a returned order list whose worker is killed', () => {
  const month = comingFirst();
  const earlier = month.subtract({ months: 1 });
  let fixture: Fixture;
  let server: FakeSftp;
  let folder: string;
  let companyId: CompanyId;
  const env: Record<string, string> = { SECRET: randomBytes(16).toString('hex'), WEBHOOK_ALLOW_PRIVATE: 'on' };
  const workers: Serving[] = [];

  /** Begins on the second of a month whose orders wait for their tickets. */
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-killed-list-'));
    server = await startFakeSftp();
    server.writable.add('/in');
    server.write('/out/readme.txt', 'Returned lists.');
    fixture = await startFixture(earlier.toString(), false, env);
    Object.assign(env, { DATABASE_URL: fixture.app.databaseUrl, DATA_DIR: folder, DEMO: 'off' });
    const company = await joinCompany(fixture);
    ({ companyId } = company);
    const start = month.toString();
    const begin = { start_on: start, next_ticket_on: start, due_on: start };
    await subscribeEmployees(fixture, companyId, count, { ...begin, subscription_status: 'scheduled' });
    const context = operatorContext(fixture, companyId);
    await setIssuer(context, { issuer: 'order-list' });
    const { port, hostKey } = server;
    const place = { host: '127.0.0.1', port, hostKey, ...sftpUser, folder: '/in', returned: '/out/%Y-%m-*.csv' };
    const delivery = { kind: 'sftp', format: 'csv', ...place } as const;
    assert.deepEqual(await setDelivery(context, delivery), { isStored: true, problems: [] });
    await company.runTo(earlier.with({ day: 15 }).toString());
    await runOrders(fixture, companyId);
    await company.runTo(month.add({ days: 1 }).toString());
    await moveEnvironmentTo(fixture.app.db, month.add({ days: 1 }));
  });
  after(async () => {
    for (const worker of workers) await worker.end('SIGKILL');
    await fixture.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const startWorker = async () => {
    const worker = await work({ env });
    workers.push(worker);
    return worker;
  };
  const listOrderIds = async () => {
    const { rows } = await sql<{ id: string }>`select order_id as id from ticket_orders
      where company_id = ${companyId} and state = 'ordered' order by order_id`.execute(fixture.app.db);
    return rows.map(({ id }) => id);
  };
  const listTickets = async () => {
    const { rows } = await sql<{ number: string; charges: number }>`
      select t.issuer_number as number, (select count(*)::int from billing_items b where b.company_id = t.company_id
        and b.employee_id = t.employee_id and b.charge_type = 'ticket-charge') as charges
      from tickets t where t.company_id = ${companyId}`.execute(fixture.app.db);
    return rows;
  };
  const listFiles = async () => {
    const { rows } = await sql<{ rows: number; isApplied: boolean }>`
      select f.row_count as rows, f.applied_at is not null as "isApplied" from returned_files f
      where f.company_id = ${companyId}`.execute(fixture.app.db);
    return rows;
  };
  const enqueue = () =>
    fixture.app.db.transaction().execute((tx) => fixture.app.deps.queue.enqueueOrders(tx, companyId, 0));

  it('is continued by the next worker: each line counts once, with one ticket and one charge', async () => {
    const { app } = fixture;
    const ids = await listOrderIds();
    assert.equal(ids.length, count);
    const lines = ids.map((id, index) => `${id};T-${index}`);
    server.write(`/out/${month.toString().slice(0, 7)}-list.csv`, `orderId;ticketNumber\n${lines.join('\n')}\n`);
    const inSecondStep = ids[stepSize + 100] ?? '';
    const blocker = await app.db.startTransaction().execute();
    await sql`select from ticket_orders where company_id = ${companyId} and order_id = ${inSecondStep}
      for update`.execute(blocker);
    const waiting = sql`wait_event_type = 'Lock' and query like '%update ticket_orders%'`;
    const first = await startWorker();
    await enqueue();
    await until('the worker is in the second step', async () => {
      const { rows } = await sql`select from pg_stat_activity where ${waiting}`.execute(app.db);
      return rows.length > 0;
    });
    await first.end('SIGKILL');
    // Otherwise the database would finish what it has received before the worker died.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`.execute(app.db);
    await blocker.rollback().execute();
    assert.deepEqual(
      [(await listTickets()).length, await listFiles()],
      [stepSize, [{ rows: count, isApplied: false }]],
    );

    await startWorker();
    await until('the list is applied', async () => (await listFiles())[0]?.isApplied === true);
    const tickets = await listTickets();
    assert.deepEqual(tickets.map(({ number }) => number).sort(), ids.map((_, index) => `T-${index}`).sort());
    assert.deepEqual([...new Set(tickets.map(({ charges }) => charges))], [1]);
    assert.deepEqual(await listFiles(), [{ rows: count, isApplied: true }]);
    assert.deepEqual(await listOrderIds(), []);
    const { rows: orders } = await sql<{ orders: number; attempts: number }>`
      select count(*)::int as orders, max(attempt) as attempts from ticket_orders
      where company_id = ${companyId} and state = 'issued'`.execute(app.db);
    assert.deepEqual(orders, [{ orders: count, attempts: 1 }]);
    const { rows: entries } = await sql<{ rows: number }>`select (detail->>'rows')::int as rows from audit_log
      where company_id = ${companyId} and action = 'issuer.import'`.execute(app.db);
    assert.deepEqual(entries, [{ rows: count }], 'it is recorded once');

    // The same list under another name changes nothing.
    server.write(`/out/${month.toString().slice(0, 7)}-again.csv`, `orderId;ticketNumber\n${lines.join('\n')}\n`);
    await runOrders(fixture, companyId);
    assert.deepEqual([(await listTickets()).length, (await listFiles()).length], [count, 1]);
  });
});
