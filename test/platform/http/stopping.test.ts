import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp } from '../../support/app.ts';
import { connectAs, serverUrl } from '../../support/database.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { until } from '../../support/until.ts';

describe('A service that stops', () => {
  it('completes running requests and waits for nothing else', async () => {
    const app = await startTestApp();
    const key = await makeKey(app.db, await makeCompany(app.db));
    const locker = await connectAs(app.databaseUrl);
    await locker.query('begin');
    await locker.query('lock table employees in access exclusive mode');
    const underWay = app.request('/employees', { key });
    await until('the query waits', async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
      return rows.length > 0;
    });
    const stopped = app.close();
    await until('nobody new is let in', () =>
      fetch(app.url).then(
        () => false,
        () => true,
      ),
    );
    await locker.query('rollback');
    await locker.end();
    const start = performance.now();
    const { status, body } = await underWay;
    assert.deepEqual([status, body.data.total], [200, 0]);
    await stopped;
    // A client with a keep-alive connection would otherwise delay the stop of the service for over a minute.
    assert(performance.now() - start < 60_000, `took ${performance.now() - start} ms`);
  });

  it('releases every connection to the database', async () => {
    const app = await startTestApp();
    const name = new URL(app.databaseUrl).pathname.slice(1);
    assert.equal((await app.request('/health')).status, 204);
    const admin = await connectAs(serverUrl());
    const connections = async () =>
      (await admin.query('select 1 from pg_stat_activity where datname = $1', [name])).rows.length;
    assert.notEqual(await connections(), 0);
    await app.close();
    assert.equal(await connections(), 0);
    await admin.end();
  });
});
