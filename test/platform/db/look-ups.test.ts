import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '../../../src/platform/db/database.ts';
import { lookUpMarker } from '../../../src/platform/db/look-ups.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

describe(
  'Look-ups that wait at the same time',
  skipOnCluster('companies are on several nodes, so they are sent one by one'),
  () => {
    let place: TestDatabase;
    let database: Database;
    before(async () => {
      place = await createTestDatabase();
      database = connectDatabase({ url: place.adminUrl, max: 3, applicationName: 'look-ups' });
      await sql`create table things (id bigint primary key, name text)`.execute(database.db);
      await sql`insert into things select n, 'thing ' || n from generate_series(1, 200) n`.execute(database.db);
      await until('they are sent together', async () => (await sentTogether()) > 1);
    });
    after(async () => {
      await database.close();
      await place.drop();
    });

    const marker = sql.raw(lookUpMarker);
    interface Thing {
      name: string;
      pid: number;
      at: string;
    }
    const find = (id: number) =>
      sql<Thing>`select ${marker} t.name, pg_backend_pid() as pid, now()::text as at from things t where t.id = ${id}`.execute(
        database.db,
      );
    const divide = (by: number) =>
      sql<{ one: number }>`select ${marker} 1 / ${by}::integer as one`.execute(database.db);

    /** Returns how many of ten statements began together: the statements of one batch have the same time. */
    async function sentTogether(): Promise<number> {
      const found = await Promise.all(Array.from({ length: 10 }, (_, index) => find(index + 1)));
      const groups = Object.values(Object.groupBy(found, ({ rows }) => `${rows[0]?.pid} ${rows[0]?.at}`));
      return Math.max(...groups.map((group) => group?.length ?? 0));
    }

    it('each return their own rows', async () => {
      const ids = Array.from({ length: 200 }, (_, index) => index + 1);
      const found = await Promise.all(ids.map(find));
      assert.deepEqual(
        found.map(({ rows }) => rows[0]?.name),
        ids.map((id) => `thing ${id}`),
      );
      assert.equal(database.waiting(), 0);
    });

    it('return no rows where there are none', async () => {
      const [none, one] = await Promise.all([find(999), find(1)]);
      assert.deepEqual([none.rows.length, one.rows.length], [0, 1]);
    });

    it('fail alone', async () => {
      for (let round = 0; round < 3; round++) {
        const results = await Promise.allSettled([find(1), divide(0), find(2), divide(1), divide(0), find(3)]);
        assert.deepEqual(
          results.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
        );
        for (const result of results) {
          if (result.status === 'rejected') assert.equal(result.reason.code, '22012');
        }
      }
    });

    it('succeed after the server has ended every connection', async () => {
      await sql`select pg_terminate_backend(pid, 30000) from pg_stat_activity
      where application_name = 'look-ups' and pid <> pg_backend_pid() and datname = current_database()`.execute(
        database.db,
      );
      await until('the ended connections are noticed', () => database.usage().total <= 1);
      await Promise.allSettled([find(1), find(2)]);
      await until('they are sent together again', async () => (await sentTogether().catch(() => 0)) > 1);
    });

    it('are counted while no connection is free', async () => {
      const blockers = await Promise.all([1, 2, 3].map(() => database.db.startTransaction().execute()));
      let found: Promise<unknown[]>;
      try {
        for (const blocker of blockers) await sql`select 1`.execute(blocker);
        found = Promise.all(Array.from({ length: 200 }, (_, index) => find(index + 1)));
        // Six batches wait for a connection, and all further statements for one of them.
        await until('they wait', () => database.waiting() >= 6 + (200 - 6 * 8));
      } finally {
        for (const blocker of blockers) await blocker.rollback().execute();
      }
      assert.equal((await found).length, 200);
      assert.equal(database.waiting(), 0);
    });

    it('run in their transaction', async () => {
      await database.db.transaction().execute(async (tx) => {
        await sql`update things set name = 'changed' where id = 7`.execute(tx);
        const { rows } = await sql<Thing>`select ${marker} t.name from things t where t.id = ${7}`.execute(tx);
        assert.equal(rows[0]?.name, 'changed');
        assert.notEqual((await find(7)).rows[0]?.name, 'changed');
      });
    });
  },
);
