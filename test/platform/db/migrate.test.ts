import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, type Db } from '../../../src/platform/db/database.ts';
import { assertMigrated, migrate } from '../../../src/platform/db/migrate.ts';
import { splitScript } from '../../../src/platform/db/split-script.ts';
import { connectAs, createEmptyDatabase, serverUrl } from '../../support/database.ts';
import { digestSchema } from '../../support/schema-listing.ts';
import { sharedTables } from '../../support/statements.ts';

describe('migrations', () => {
  const name = `transit_${randomBytes(6).toString('hex')}`;
  const url = () => Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href;
  const connect = () => connectDatabase({ url: url(), max: 3, applicationName: 'migrate' });

  before(async () => {
    const admin = await connectAs(serverUrl());
    await admin.query(`create database ${name}`);
    await admin.end();
  });
  after(async () => {
    const admin = await connectAs(serverUrl());
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });

  it('are applied once when several processes migrate at the same moment', async () => {
    const databases = Array.from({ length: 4 }, connect);
    const applied = await Promise.all(databases.map(({ db }) => migrate(db)));
    await Promise.all(databases.map(({ close }) => close()));
    assert.equal(applied.filter((names) => names.length > 0).length, 1);
  });

  it('are refused when an applied file was changed', async () => {
    const { db, close } = connect();
    await sql`update schema_migrations set checksum = 'other'`.execute(db);
    await assert.rejects(migrate(db), /was changed after it was applied/);
    await close();
  });

  const migrations = new URL('../../../migrations/', import.meta.url);
  const baseline = '0001-baseline.sql';

  /** Applies the baseline, and none of the migrations after it. */
  async function migrateToBaseline(db: Db) {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'transit-baseline-'));
    await cp(new URL(baseline, migrations), join(folder.path, baseline));
    await migrate(db, { folder: folder.path });
  }

  it('create the schema of release 0.3.0 by the baseline', async () => {
    const { db, drop } = await createEmptyDatabase();
    try {
      await migrateToBaseline(db);
      const expected = JSON.parse(await readFile(join(import.meta.dirname, 'schema-0.3.0.json'), 'utf8'));
      assert.deepEqual(await digestSchema(db), expected);
      const { rows } = await sql`
        select (select count(*) from ticket_prices) as tickets, (select count(*) from fee_prices) as fees,
          (select last_number from invoice_numbers) as invoice, (select after_item_id from invoice_start) as item`.execute(
        db,
      );
      assert.deepEqual(rows, [{ tickets: 3, fees: 4, invoice: 0, item: 0 }]);
    } finally {
      await drop();
    }
  });

  /** Creates a database as the first `count` of the 63 migrations of release 0.3.0 have recorded it. */
  async function createOlder(count: number) {
    const older = await createEmptyDatabase();
    await migrateToBaseline(older.db);
    await sql`delete from schema_migrations`.execute(older.db);
    await sql`insert into schema_migrations (name, checksum)
      select case n when 63 then '0072_push_ends_backfill.sql' else lpad(n::text, 4, '0') || '_step.sql' end, 'x'
      from generate_series(1, ${count}) n`.execute(older.db);
    return older;
  }

  it('recognize a database of release 0.3.0, which may still run on it', async () => {
    const { db, drop } = await createOlder(63);
    try {
      await sql`insert into companies (name, processed_through) values ('Kept', '2026-11-14')`.execute(db);
      const later = (await readdir(migrations)).filter((name) => name !== baseline).toSorted();
      assert.deepEqual(await migrate(db), later);
      await assertMigrated(db);
      const recorded = sql`select name, unread_since from schema_migrations where name like '0001-%'`;
      assert.deepEqual((await recorded.execute(db)).rows, [{ name: '0001-baseline.sql', unread_since: null }]);
      assert.deepEqual(await migrate(db), []);
      assert.equal((await sql`select from schema_migrations`.execute(db)).rows.length, 64 + later.length);
      assert.equal((await sql`select from companies`.execute(db)).rows.length, 1);
    } finally {
      await drop();
    }
  });

  it('are refused for a database of an older release', async () => {
    const { db, drop } = await createOlder(41);
    try {
      await assert.rejects(migrate(db), /^Error: .*before 0\.3\.0\. Upgrade to 0\.3\.0 first/);
      await assert.rejects(assertMigrated(db), /Upgrade to 0\.3\.0 first/);
      assert.equal((await sql`select from schema_migrations`.execute(db)).rows.length, 41);
    } finally {
      await drop();
    }
  });

  it('give every company table its company first in the primary key and in every foreign key', async () => {
    const { db, close } = connect();
    const { rows } = await sql<{ table: string; kind: string; columns: string[]; target: string | null }>`
      select r.relname as table, c.contype as kind, f.relname as target,
        (select array_agg(a.attname::text order by k.n) from unnest(c.conkey) with ordinality k(num, n)
          join pg_attribute a on a.attrelid = r.oid and a.attnum = k.num) as columns
      from pg_constraint c join pg_class r on r.oid = c.conrelid left join pg_class f on f.oid = c.confrelid
      where r.relnamespace = 'public'::regnamespace and c.contype in ('p', 'f', 'u')
        and r.relname <> 'schema_migrations'`.execute(db);
    await close();
    const ofCompanies = rows.filter(({ table }) => !sharedTables.has(table));
    assert(ofCompanies.length > 20);
    for (const { table, kind, columns } of ofCompanies) {
      assert.equal(columns[0], 'company_id', `${table} (${kind}: ${columns}) must begin with company_id`);
    }
    for (const { table, target } of rows.filter(({ table, target }) => sharedTables.has(table) && target !== null)) {
      assert(sharedTables.has(target ?? ''), `${table} is no company's, but points into ${target}`);
    }
  });
});

describe('The statements of a migration', () => {
  it('end where PostgreSQL ends them', async () => {
    const text = `-- Größe; nothing ends here
      comment on table things is 'größer; kleiner';
      create function one() returns integer language plpgsql as $body$ begin return 1; end; $body$;
      /* a; b */ select ";" from things`;
    assert.deepEqual(await splitScript(text), [
      "comment on table things is 'größer; kleiner'",
      'create function one() returns integer language plpgsql as $body$ begin return 1; end; $body$',
      'select ";" from things',
    ]);
  });

  it('are none in a script that has only comments', async () => {
    assert.deepEqual(await splitScript('-- nothing'), []);
  });
});
