import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase } from '../../../src/platform/db/database.ts';
import { preparedStatement } from '../../../src/platform/db/prepared-statement.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { useDatabase } from '../../support/database.ts';
import { useResource } from '../../support/prepare.ts';
import { until } from '../../support/until.ts';

interface Thing {
  name: string;
}

const selectThing = preparedStatement(
  (_shape: object, { id }: { id: number }) => sql<Thing>`select t.name from things t where t.id = ${id}`,
  { isShort: true },
);
const selectQuotient = preparedStatement(
  (_shape: object, { by }: { by: number }) => sql<{ one: number }>`select 1 / ${by}::integer as one`,
  { isShort: true },
);

describe(
  'Short statements that run at the same time',
  skipOnCluster('companies are on several nodes, so that each statement has a connection of its own'),
  () => {
    const place = useDatabase();
    const database = useResource(() => connectDatabase({ url: place.adminUrl, max: 10, applicationName: 'short' }));
    before(async () => {
      await sql`create table things (id bigint primary key, name text)`.execute(database.db);
      await sql`insert into things select n, 'thing ' || n from generate_series(1, 200) n`.execute(database.db);
    });

    const ids = Array.from({ length: 200 }, (_, index) => index + 1);
    const find = (id: number) => selectThing(database.db, {}, { id });
    const divide = (by: number) => selectQuotient(database.db, {}, { by });

    it('share few connections and each return their own rows', async () => {
      const found = await Promise.all(ids.map(find));
      assert.deepEqual(
        found.map(([thing]) => thing?.name),
        ids.map((id) => `thing ${id}`),
      );
      const { total } = database.usage();
      assert.ok(total <= 3, `${total} connections: two, and that of the statements before`);
      assert.equal(database.waiting(), 0);
    });

    it('return no rows where there are none', async () => {
      const [none, one] = await Promise.all([find(999), find(1)]);
      assert.deepEqual([none.length, one.length], [0, 1]);
    });

    it('fail alone', async () => {
      for (let round = 0; round < 3; round++) {
        const divisors = Array.from({ length: 40 }, (_, index) => index % 4);
        const results = await Promise.allSettled(divisors.map(divide));
        for (const [index, result] of results.entries()) {
          if (divisors[index] !== 0) assert.equal(result.status, 'fulfilled');
          else assert.equal(result.status === 'rejected' && result.reason.code, '22012');
        }
      }
    });

    it('succeed after the server has ended every connection', async () => {
      await sql`select pg_terminate_backend(pid, 30000) from pg_stat_activity
        where application_name = 'short' and pid <> pg_backend_pid() and datname = current_database()`.execute(
        database.db,
      );
      await until('the ended connections are noticed', () => database.usage().total <= 1);
      assert.equal((await Promise.all(ids.map(find))).length, 200);
    });

    it('are counted while no connection is free', async () => {
      const blockers = await Promise.all(Array.from({ length: 10 }, () => database.db.startTransaction().execute()));
      let found: Promise<unknown[]>;
      try {
        for (const blocker of blockers) await sql`select 1`.execute(blocker);
        found = Promise.all(ids.map(find));
        // Two connections are waited for, each with sixteen statements, and all further statements wait for one of them.
        await until('they wait', () => database.waiting() >= 2 + (200 - 2 * 16));
      } finally {
        for (const blocker of blockers) await blocker.rollback().execute();
      }
      assert.equal((await found).length, 200);
      assert.equal(database.waiting(), 0);
    });

    it('run in their transaction', async () => {
      await database.db.transaction().execute(async (tx) => {
        await sql`update things set name = 'changed' where id = 7`.execute(tx);
        assert.equal((await selectThing(tx, {}, { id: 7 }))[0]?.name, 'changed');
        assert.notEqual((await find(7))[0]?.name, 'changed');
      });
    });
  },
);
