import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '../../../src/platform/db/database.ts';
import { preparedStatement } from '../../../src/platform/db/prepared-statement.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

interface Shape {
  column: number;
}

describe('Statements of 2,000 shapes by one client', () => {
  let place: TestDatabase;
  let database: Database;
  before(async () => {
    place = await createTestDatabase();
    // One connection, so that the statements of both clients are prepared on the same.
    database = connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'test' });
  });
  after(async () => {
    await database.close();
    await place.drop();
  });

  const builds = new Map<number, number>();
  const select = preparedStatement(({ column }: Shape, { value }: { value: number }) => {
    builds.set(column, (builds.get(column) ?? 0) + 1);
    return sql<{ value: number }>`select ${value}::int as value, ${sql.lit(column)} as shape`;
  });
  const ofOther = () => select(database.db, { column: -1 }, { value: 7 });

  /** Returns the statements that the connection has prepared, and how often each of them was planned or reused. */
  const listPrepared = async () => {
    const { rows } = await sql<{ text: string; uses: number }>`
      select statement as text, generic_plans + custom_plans as uses from pg_prepared_statements`.execute(database.db);
    return rows;
  };
  const findOther = async () => (await listPrepared()).find(({ text }) => text.includes('-1 as shape'));

  it('leave the statement of another client compiled and prepared', async () => {
    await ofOther();
    let most = 0;
    for (let column = 0; column < 2_000; column++) {
      await select(database.db, { column }, { value: 1 });
      if (column % 50 !== 0) continue;
      const before = (await findOther())?.uses ?? 0;
      assert.deepEqual(await ofOther(), [{ value: 7, shape: -1 }]);
      const prepared = await listPrepared();
      most = Math.max(most, prepared.length);
      const other = prepared.find(({ text }) => text.includes('-1 as shape'));
      assert.ok(other !== undefined && other.uses > before, `prepared after ${column} shapes`);
    }
    assert.equal(builds.get(-1), 1, 'its text was built once');
    assert.ok(most > 200 && most <= 251, `${most} statements at most, and the oldest made room`);
  });

  it('are prepared on a connection like all others, also the last one', async () => {
    await select(database.db, { column: 1_999 }, { value: 1 });
    assert.ok((await listPrepared()).some(({ text }) => text.includes(' 1999 as shape')));
  });

  it('neither fail nor lose statements when they run in one transaction', async () => {
    const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
    await database.db.transaction().execute(async (tx) => {
      const [first] = (await pid.execute(tx)).rows;
      for (let column = 5_000; column < 5_600; column++) await select(tx, { column }, { value: 1 });
      assert.deepEqual((await pid.execute(tx)).rows, [first]);
    });
    await ofOther();
    assert.ok((await listPrepared()).length <= 251);
  });
});
