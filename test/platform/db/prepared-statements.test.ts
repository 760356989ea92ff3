import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '../../../src/platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('A statement that is executed again on its connection', () => {
  let place: TestDatabase;
  let database: Database;
  before(async () => {
    place = await createTestDatabase();
    // Use one connection, so that it has already prepared every statement after the first.
    database = connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'test' });
    await sql`create table things (id bigint primary key, name text, on_day date, at timestamptz, tags text[], facts json)`.execute(
      database.db,
    );
  });
  after(async () => {
    await database.close();
    await place.drop();
  });

  const repeated = async <T>(query: () => Promise<T>): Promise<T[]> => [await query(), await query(), await query()];

  it('returns rows with the same names, types and order as the first time', async () => {
    const facts = JSON.stringify({ deep: [1, null, 'ä'] });
    const insert = (id: number, name: string | null) =>
      sql`insert into things values (${id}, ${name}, ${'2026-02-28'}::date, ${'2026-02-28T23:59:59.5Z'}::timestamptz,
        ${['a', 'b"c', '']}, ${facts}::json)`.execute(database.db);
    for (const [id, name] of [
      [3, 'ß\n"quoted"'],
      [2, null],
      [1, ''],
    ] as const) {
      assert.equal((await insert(id, name)).numAffectedRows, 1n);
    }
    const [first, ...others] = await repeated(
      async () => (await sql`select * from things where id >= ${1} order by id desc`.execute(database.db)).rows,
    );
    const same = {
      on_day: '2026-02-28',
      at: '2026-02-28T23:59:59.5Z',
      tags: ['a', 'b"c', ''],
      facts: { deep: [1, null, 'ä'] },
    };
    assert.deepEqual(first, [
      { id: 3, name: 'ß\n"quoted"', ...same },
      { id: 2, name: null, ...same },
      { id: 1, name: '', ...same },
    ]);
    for (const other of others) assert.deepEqual(other, first);
  });

  it('returns the number of changed rows, and no rows if there are none', async () => {
    const update = () => sql`update things set name = name where id <= ${2}`.execute(database.db);
    for (const { numAffectedRows, rows } of await repeated(update)) {
      assert.equal(numAffectedRows, 2n);
      assert.deepEqual(rows, []);
    }
    const nothing = () => sql`select id from things where id > ${1_000}`.execute(database.db);
    for (const { rows } of await repeated(nothing)) assert.deepEqual(rows, []);
  });

  it('reports an error and leaves the connection usable', async () => {
    const divide = async (by: number) => {
      const { rows } = await sql<{ result: number }>`select 6 / ${by}::int as result`.execute(database.db);
      return rows[0]?.result;
    };
    await assert.rejects(divide(0), { code: '22012' });
    assert.equal(await divide(2), 3);
    await assert.rejects(divide(0), { code: '22012' });
    assert.equal(await divide(3), 2);
    const circular: { self?: object } = {};
    circular.self = circular;
    await assert.rejects(divide(circular as never), /circular/);
    assert.equal(await divide(1), 6);
  });

  it('rolls back its transaction when it fails', async () => {
    const rename = (name: string, divisor: number) =>
      database.db.transaction().execute(async (tx) => {
        await sql`update things set name = ${name} where id = ${1}`.execute(tx);
        await sql`select 6 / ${divisor}::int`.execute(tx);
      });
    await rename('kept', 1);
    await assert.rejects(rename('lost', 0), { code: '22012' });
    const { rows } = await sql`select name from things where id = ${1}`.execute(database.db);
    assert.deepEqual(rows, [{ name: 'kept' }]);
  });
});
