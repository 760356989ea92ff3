import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, type Tx } from '../../../src/platform/db/database.ts';
import { preparedStatement } from '../../../src/platform/db/prepared-statement.ts';
import { inSnapshot } from '../../../src/platform/db/snapshot.ts';
import { useDatabase } from '../../support/database.ts';
import { useResource } from '../../support/prepare.ts';

const selectCount = preparedStatement(
  (_shape: object, { above }: { above: number }) =>
    sql<{ count: number }>`select count(*) as count from things t where t.id > ${above}`,
);

describe('A snapshot', () => {
  const place = useDatabase();
  // The next one needs the connection of the one before.
  const database = useResource(() => connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'snapshot' }));
  const other = useResource(() => connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'other' }));
  before(async () => {
    await sql`create table things (id bigint primary key)`.execute(database.db);
    await sql`insert into things select generate_series(1, 10)`.execute(database.db);
  });

  const count = async (tx: Tx) => (await selectCount(tx, {}, { above: 0 }))[0]?.count;
  const built = async (tx: Tx) =>
    (await sql<{ count: number }>`select count(*) as count from things`.execute(tx)).rows[0]?.count;
  const isUsable = async () => assert.equal(await inSnapshot(database.db, count), await inSnapshot(other.db, count));

  it('sees the same rows by all statements, those that start together too', async () => {
    const found = await inSnapshot(database.db, async (tx) => {
      const first = await Promise.all([count(tx), built(tx), count(tx)]);
      await sql`insert into things select max(id) + 1 from things`.execute(other.db);
      return [...first, ...(await Promise.all([built(tx), count(tx)]))];
    });
    assert.deepEqual(found, Array(5).fill(found[0]));
    assert.equal(await inSnapshot(database.db, count), Number(found[0]) + 1);
  });

  it('fails with the error of the statement that fails first, and leaves the connection usable', async () => {
    const divide = (tx: Tx) => sql`select 1 / ${0}::integer`.execute(tx);
    const failing = inSnapshot(database.db, (tx) => Promise.all([count(tx), divide(tx), count(tx)]));
    await assert.rejects(failing, /division by zero/);
    await isUsable();
    await assert.rejects(
      inSnapshot(database.db, async () => {
        throw new Error('of the reader');
      }),
      /of the reader/,
    );
    await isUsable();
  });

  it('fails if its connection is lost, and the next one has another', async () => {
    const end = (tx: Tx) => sql`select pg_terminate_backend(pg_backend_pid()), ${1}::integer`.execute(tx);
    await assert.rejects(
      inSnapshot(database.db, (tx) => Promise.all([end(tx), count(tx)])),
      { code: '57P01' },
    );
    await isUsable();
  });

  it('writes nothing, and cannot be read within another transaction', async () => {
    await assert.rejects(
      inSnapshot(database.db, (tx) => sql`delete from things where id = ${1}`.execute(tx)),
      /read-only transaction/,
    );
    await assert.rejects(
      inSnapshot(database.db, (tx) => inSnapshot(tx, count)),
      /within another/,
    );
    await isUsable();
  });

  it('repeats no statement whose table has changed', async () => {
    await inSnapshot(database.db, count);
    const select = preparedStatement(
      (_shape: object, { id }: { id: number }) => sql`select t.* from things t where t.id = ${id}`,
    );
    await inSnapshot(database.db, (tx) => select(tx, {}, { id: 1 }));
    await sql`alter table things add column name text`.execute(other.db);
    // It could only fail because the transaction has, which would hide why.
    await assert.rejects(
      inSnapshot(database.db, (tx) => select(tx, {}, { id: 1 })),
      /cached plan must not change result type/,
    );
    await isUsable();
  });
});
