import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '../../../src/platform/db/database.ts';
import { isDatabaseUnavailable } from '../../../src/platform/db/unavailable.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('A statement whose table another process migrates', () => {
  let place: TestDatabase;
  let database: Database;
  before(async () => {
    place = await createTestDatabase();
    // Use one connection, so that it has already prepared every statement after the first.
    database = connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'test' });
    await sql`create table things (id bigint primary key)`.execute(place.db);
    await sql`insert into things values (1)`.execute(place.db);
    // Another connection of this process has as many prepared statements as it may have.
    for (let at = 0; at < 600; at++) await sql`select ${sql.lit(at)}, ${1}::int`.execute(place.db);
  });
  after(async () => {
    await database.close();
    await place.drop();
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
