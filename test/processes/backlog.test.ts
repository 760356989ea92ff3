import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase } from '../../src/platform/db/database.ts';
import {
  countWaitingDocuments,
  findDailyRunBacklog,
  findMailBacklog,
  findSyncBacklog,
  listQueueBacklogs,
} from '../../src/processes/monitoring/backlog.ts';
import { restoreLostJobs } from '../../src/processes/monitoring/lost-jobs.ts';
import { testClock, useApp } from '../support/app.ts';
import { connectAs } from '../support/database.ts';
import { makeCompany, makeEmployee } from '../support/factories.ts';
import { useResource } from '../support/prepare.ts';
import { entries, makePusher, usePusher } from '../support/sync.ts';
import { until } from '../support/until.ts';

const queues = [
  'apply-syncs',
  'collect-scim-changes',
  'decide-contracts',
  'expire-requests',
  'mail-access-link',
  'process-orders',
  'pull-rosters',
  'remove-files',
  'restore-lost-jobs',
  'run-daily',
  'schedule-daily-runs',
  'schedule-pulls',
  'send-employee-mails',
  'send-mails',
  'write-documents',
  'write-invoices',
];

const now = testClock.now();

describe('The backlog', () => {
  /** These statements are not about one company, so they do not go through the connections of requests and jobs. */
  const app = useApp();
  const service = useResource(() => connectDatabase({ url: app.databaseUrl, max: 1, applicationName: 'operations' }));

  const queueOf = async (name: string) => (await listQueueBacklogs(service.db)).find(({ queue }) => queue === name);

  it('is empty in an environment without work', async () => {
    const backlogs = await listQueueBacklogs(service.db);
    assert.deepEqual(
      backlogs,
      queues.map((queue) => ({ queue, waiting: 0, delayed: 0, active: 0, setAside: 0, oldestSeconds: 0 })),
    );
    assert.deepEqual(await findDailyRunBacklog(service.db, now), { companies: 0, days: 0, isComplete: true });
    assert.deepEqual(await countWaitingDocuments(service.db), { documents: 0, isComplete: true });
    assert.deepEqual(await findSyncBacklog(service.db, now), { syncs: 0, oldestSeconds: 0, isComplete: true });
  });

  it('of syncs counts those without an outcome, of all companies, and the age of the oldest', async () => {
    for (const pusher of [await makePusher(app), await makePusher(app)]) {
      assert.equal((await pusher.push('first', entries(1))).status, 204);
    }
    const later = now.add({ seconds: 90 });
    assert.deepEqual(await findSyncBacklog(service.db, later), { syncs: 2, oldestSeconds: 90, isComplete: true });
    await sql`update syncs set state = 'succeeded'`.execute(app.db);
    assert.deepEqual(await findSyncBacklog(service.db, later), { syncs: 0, oldestSeconds: 0, isComplete: true });
  });

  it('of mails counts those that wait, of all companies, and the age of the oldest', async () => {
    assert.deepEqual(await findMailBacklog(service.db), { mails: 0, oldestSeconds: 0, isComplete: true });
    for (const minutes of [1, 5]) {
      const companyId = await makeCompany(app.db);
      await sql`
        insert into mails (company_id, key, template, language, recipient, encrypted_values, next_attempt_at, expires_at,
          created_at)
        values (${companyId}, 'test/1', 'test', 'en', 'a@example.com', 'x', now(), now() + interval '1 day',
          now() - make_interval(mins => ${minutes}))`.execute(app.db);
    }
    const { mails, oldestSeconds } = await findMailBacklog(service.db);
    assert.equal(mails, 2);
    assert(oldestSeconds >= 300 && oldestSeconds < 3_000);
    await sql`update mails set state = 'sent', encrypted_values = null, next_attempt_at = null`.execute(app.db);
    assert.equal((await findMailBacklog(service.db)).mails, 0);
  });

  it('of a queue separates jobs that wait, are delayed and are active', async () => {
    const jobs = () =>
      sql`update queue.job set state = 'created', retry_count = 0, start_after = now(), created_on = now()
      where name = 'apply-syncs'`.execute(app.db);
    const counts = async () => {
      const { waiting, delayed, active } = (await queueOf('apply-syncs')) ?? {};
      return [waiting, delayed, active];
    };
    await jobs();
    assert.deepEqual(await counts(), [2, 0, 0]);
    await sql`update queue.job set state = 'active' where name = 'apply-syncs'`.execute(app.db);
    assert.deepEqual(await counts(), [0, 0, 2]);
    await sql`update queue.job set state = 'retry', retry_count = 1, start_after = now() + interval '1 hour'
      where name = 'apply-syncs'`.execute(app.db);
    assert.deepEqual(await counts(), [0, 2, 0]);
    await sql`update queue.job set state = 'completed' where name = 'apply-syncs'`.execute(app.db);
    assert.deepEqual(await counts(), [0, 0, 0]);
  });

  it('of a queue has the age of the oldest job, also while it waits for another attempt', async () => {
    const age = async (state: string, change: string) => {
      await sql`update queue.job set state = ${state}, ${sql.raw(change)} where name = 'apply-syncs'`.execute(app.db);
      return Math.floor(((await queueOf('apply-syncs'))?.oldestSeconds ?? 0) / 3600);
    };
    const hours = (count: number) => `now() + interval '${count} hours'`;
    assert.equal(await age('created', `created_on = ${hours(-2)}, start_after = ${hours(-2)}, retry_count = 0`), 2);
    assert.equal(await age('active', `started_on = now()`), 2);
    assert.equal(await age('retry', `start_after = ${hours(1)}, retry_count = 3`), 2);
    // Not late: it was never to start earlier.
    assert.equal(await age('created', `start_after = ${hours(1)}, retry_count = 0`), 0);
    assert.equal(await age('completed', `start_after = ${hours(-2)}`), 0);
  });

  it('of the daily run counts the companies that are behind in their time zone, and the days of the last one', async () => {
    const companyIds = [await makeCompany(app.db), await makeCompany(app.db)];
    const through = (day: string, id: number | undefined) =>
      sql`update companies set processed_through = ${day}::date where id = ${id}`.execute(app.db);
    await through('2026-11-10', companyIds[0]);
    await through('2026-11-14', companyIds[1]);
    const expected = { companies: 2, days: 5, isComplete: true };
    assert.deepEqual(await findDailyRunBacklog(service.db, now), expected);
    await sql`update companies set time_zone = 'Pacific/Honolulu' where id = ${companyIds[1]}`.execute(app.db);
    const midnight = Temporal.Instant.from('2026-11-15T00:30:00+01:00');
    assert.equal((await findDailyRunBacklog(service.db, midnight)).companies, 1);
  });

  it('of documents counts those without a file', async () => {
    const companyId = await makeCompany(app.db);
    const employeeId = await makeEmployee(app.db, companyId);
    await sql`insert into documents (company_id, employee_id, name, search_text, file_type, content, kind, about, edition)
      values (${companyId}, ${employeeId}, 'Waiting', 'waiting', 'pdf', '{}', 'ticket-confirmation', '2026-11-01', '')`.execute(
      app.db,
    );
    assert.deepEqual(await countWaitingDocuments(service.db), { documents: 1, isComplete: true });
  });
});

describe('Lost jobs', () => {
  const app = useApp();
  const pusher = usePusher(app);
  before(async () => {
    const other = await makePusher(app);
    for (const { push } of [pusher, other]) assert.equal((await push('first', entries(1))).status, 204);
  });

  const restore = async () => (await restoreLostJobs(app.serviceDb, app.deps.queue)).restored;
  const listJobs = async () => {
    const { rows } = await sql<{ name: string; data: { companyId: number } }>`
      select name, data from queue.job where state = 'created' and name <> 'schedule-daily-runs'`.execute(app.db);
    return rows.filter(({ data }) => data.companyId === pusher.companyId);
  };

  it('are not added for work that has its job, in whatever state', async () => {
    for (const state of ['created', 'retry', 'active']) {
      await sql`update queue.job set state = ${state}::queue.job_state`.execute(app.db);
      assert.equal(await restore(), 0);
    }
  });

  it('of an accepted sync and of documents are added once', async () => {
    await sql`delete from queue.job where (data->>'companyId')::bigint = ${pusher.companyId}`.execute(app.db);
    const employeeId = await makeEmployee(app.db, pusher.companyId);
    await sql`insert into documents (company_id, employee_id, name, search_text, file_type, content, kind, about, edition)
      values (${pusher.companyId}, ${employeeId}, 'Waiting', 'waiting', 'pdf', '{}', 'ticket-confirmation', '2026-11-01', '')`.execute(
      app.db,
    );
    assert.equal(await restore(), 2);
    assert.equal(await restore(), 0);
    const [sync, documents] = (await listJobs()).sort((a, b) => a.name.localeCompare(b.name));
    assert.deepEqual(sync, {
      name: 'apply-syncs',
      data: { companyId: pusher.companyId, hrIntegrationId: pusher.integrationId },
    });
    assert.deepEqual(documents, { name: 'write-documents', data: { companyId: pusher.companyId, month: null } });
  });

  it('are not added for work that ends, with its job, while they are looked for', async () => {
    const session = await connectAs(app.adminUrl);
    try {
      await session.query('begin; lock table queue.job in access exclusive mode');
      const restoring = restore();
      const isWaiting = async () => {
        const { rows } = await sql`select from pg_locks where relation = 'queue.job'::regclass and not granted`.execute(
          app.db,
        );
        return rows.length > 0;
      };
      await until('the jobs are read', isWaiting);
      await session.query(`delete from queue.job;
        update syncs set state = 'succeeded'; delete from documents; commit`);
      assert.equal(await restoring, 0);
    } finally {
      await session.end();
    }
  });

  it('are not added for a sync with an outcome', async () => {
    await sql`delete from queue.job`.execute(app.db);
    await sql`update syncs set state = 'succeeded'`.execute(app.db);
    await sql`delete from documents`.execute(app.db);
    assert.equal(await restore(), 0);
  });
});
