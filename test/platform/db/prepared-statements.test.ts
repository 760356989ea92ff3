import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase } from '../../../src/platform/db/database.ts';
import { preparedStatement } from '../../../src/platform/db/prepared-statement.ts';
import { isDatabaseUnavailable } from '../../../src/platform/db/unavailable.ts';
import { useDatabase } from '../../support/database.ts';
import { useResource } from '../../support/prepare.ts';

describe('A statement that is executed again on its connection', () => {
  const place = useDatabase();
  // Use one connection, so that it has already prepared every statement after the first.
  const database = useResource(() => connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'test' }));
  before(async () => {
    await sql`create table things (id bigint primary key, name text, on_day date, at timestamptz, tags text[], facts json)`.execute(
      database.db,
    );
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

describe('A statement whose table another process migrates', () => {
  const place = useDatabase();
  // Use one connection, so that it has already prepared every statement after the first.
  const database = useResource(() => connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'test' }));
  before(async () => {
    await sql`create table things (id bigint primary key)`.execute(place.db);
    await sql`insert into things values (1)`.execute(place.db);
    // Another connection of this process has as many prepared statements as it may have.
    for (let at = 0; at < 600; at++) await sql`select ${sql.lit(at)}, ${1}::int`.execute(place.db);
  });

  const readThings = async (db = database.db) => (await sql`select * from things where id = ${1}`.execute(db)).rows;

  it('returns the current columns of the table', async () => {
    await readThings();
    await sql`alter table things add column name text`.execute(place.db);
    assert.deepEqual(await readThings(), [{ id: 1, name: null }]);
    assert.deepEqual(await readThings(), [{ id: 1, name: null }]);
  });

  it('fails a running transaction, like a lost connection, and none after it', async () => {
    await readThings();
    await sql`alter table things add column more text`.execute(place.db);
    const inTransaction = () => database.db.transaction().execute((tx) => readThings(tx));
    await assert.rejects(inTransaction(), (error) => isDatabaseUnavailable(error));
    assert.deepEqual(await inTransaction(), [{ id: 1, name: null, more: null }]);
  });
});

interface Shape {
  column: number;
}

describe('Statements of 2,000 shapes by one client', () => {
  const place = useDatabase();
  // One connection, so that the statements of both clients are prepared on the same.
  const database = useResource(() => connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'test' }));

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
