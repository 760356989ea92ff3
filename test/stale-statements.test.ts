import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '../src/db/database.ts';
import { isDatabaseUnavailable } from '../src/db/unavailable.ts';
import { startTestApp } from './support/app.ts';
import { connectAs, createTestDatabase, type TestDatabase } from './support/database.ts';
import { makeUser, signIn } from './support/portal.ts';
import { entries, makePusher } from './support/sync.ts';
import { until } from './support/until.ts';

describe('A statement whose table another process migrates', () => {
  let place: TestDatabase;
  let database: Database;
  before(async () => {
    place = await createTestDatabase();
    // Use one connection, so that it has already prepared every statement after the first.
    database = connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'test' });
    await sql`create table things (id bigint primary key)`.execute(place.db);
    await sql`insert into things values (1)`.execute(place.db);
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

/** Adds a column to every table of the service, as a migration of a newer version would. */
async function widenEveryTable(url: string): Promise<void> {
  const other = await connectAs(url);
  const { rows } = await other.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'",
  );
  for (const { name } of rows) await other.query(`alter table ${name} add column added_later text`);
  await other.end();
}

describe('A service whose database another process migrates under load', () => {
  it('fails no request, neither during nor after the migration', async () => {
    const app = await startTestApp({ worker: true, poolSize: 4 });
    try {
      const pusher = await makePusher(app);
      await pusher.sync('first', entries(20));
      const portal = await signIn(app, await makeUser(app, pusher.companyId));
      const requests = [
        () => pusher.get('/employees'),
        () => pusher.get('/me'),
        () => pusher.get('/hr-integrations'),
        () => pusher.push('preview', entries(20, { lastName: 'Other' }), '?dryRun=true'),
        () => portal.get('/me'),
      ];
      const statuses: number[][] = requests.map(() => []);
      let isDone = false;
      const loads = requests.map(async (request, index) => {
        while (!isDone) statuses[index]?.push((await request()).status);
      });
      const responses = (count: number) => {
        const goals = statuses.map((seen) => seen.length + count);
        return until('every request was answered', () => statuses.every((seen, at) => seen.length >= (goals[at] ?? 0)));
      };
      await responses(20);
      await widenEveryTable(app.adminUrl);
      await responses(20);
      isDone = true;
      await Promise.all(loads);
      for (const seen of statuses) assert.deepEqual(new Set(seen), new Set([200]));
      assert.equal((await pusher.sync('second', entries(20, { lastName: 'Other' }))).state, 'succeeded');
    } finally {
      await app.close();
    }
  });
});
