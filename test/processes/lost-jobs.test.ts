import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { restoreLostJobs } from '../../src/processes/monitoring/lost-jobs.ts';
import { useApp } from '../support/app.ts';
import { connectAs } from '../support/database.ts';
import { makeEmployee } from '../support/factories.ts';
import { entries, makePusher, usePusher } from '../support/sync.ts';
import { until } from '../support/until.ts';

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
