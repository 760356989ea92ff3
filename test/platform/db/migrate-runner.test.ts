import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { runInProcess } from '../../support/cli.ts';
import { createEmptyDatabase, withConnection } from '../../support/database.ts';
import { prepare } from '../../support/prepare.ts';
import { withFolder } from '../../support/process.ts';
import { until } from '../../support/until.ts';

interface Line extends Record<string, unknown> {
  text: string;
}

/** Collects log lines, and lets a test wait for one. */
function collectLog() {
  const lines: Line[] = [];
  const add = (fields: unknown, text?: unknown) => {
    lines.push({ ...(fields as object), text: String(text) });
  };
  return {
    log: { info: add, warn: add },
    lines,
    texts: () => lines.map(({ text }) => text),
    find: (text: string) => lines.find((line) => line.text === text),
    seen: (text: string) => until(`the log says "${text}"`, () => lines.some((line) => line.text === text), 20_000),
  };
}

const patience = { lockTimeoutMillis: 300, pauseMillis: 50, attempts: 200 };

describe('the migration runner', () => {
  const database = prepare(createEmptyDatabase, (made) => made.drop());

  /** Applies migrations with these texts, in a schema of their own so that tests do not meet. */
  const withMigrations = (texts: Record<string, string>, work: (folder: string) => Promise<void>) =>
    withFolder(async (folder) => {
      await sql`drop table if exists schema_migrations, things`.execute(database.db);
      for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, `${name}.sql`), text);
      await work(folder);
    });

  it('logs the first start in one line, and later each step with its name and duration', () =>
    withMigrations({ '0001_a': 'create table things (n int)', '0002_b': 'select 1' }, async (folder) => {
      const { log, texts, find } = collectLog();
      assert.deepEqual(await migrate(database.db, { folder, log }), ['0001_a.sql', '0002_b.sql']);
      assert.deepEqual(texts(), ['all migrations applied']);
      assert.equal(find('all migrations applied')?.migrations, 2);
      for (const name of ['0003_c', '0004_d']) await writeFile(join(folder, `${name}.sql`), 'select 1');
      assert.deepEqual(await migrate(database.db, { folder, log }), ['0003_c.sql', '0004_d.sql']);
      const steps = ['migration started', 'migration applied', 'migration started', 'migration applied'];
      assert.deepEqual(texts().slice(1), steps);
      assert.equal(typeof find('migration applied')?.ms, 'number');
      assert.deepEqual(await migrate(database.db, { folder, log }), []);
      assert.equal(texts().length, 5);
    }));

  it('keeps the steps before one that fails, and resumes there', () =>
    withMigrations({ '0001_a': 'create table things (n int)', '0002_b': 'select 1/0' }, async (folder) => {
      await assert.rejects(migrate(database.db, { folder }), /division by zero/);
      await writeFile(join(folder, '0002_b.sql'), 'select 1');
      assert.deepEqual(await migrate(database.db, { folder }), ['0002_b.sql']);
    }));

  it('does not block others behind a long read, and continues when the read ends', () =>
    withMigrations({ '0001_a': 'create table things (n int)' }, async (folder) => {
      await migrate(database.db, { folder });
      await writeFile(join(folder, '0002_b.sql'), 'alter table things add column m int');
      await withConnection(database.adminUrl, async (reader) => {
        await reader.query(`begin; set application_name = 'long read'; select * from things`);
        const { log, lines, seen } = collectLog();
        const migrating = migrate(database.db, { folder, log, patience });
        await seen('migration could not lock a table, will be retried');
        // Would wait until the first read ends if the migration stayed in the queue.
        await sql`select * from things`.execute(database.db);
        // On a busy machine, an attempt may end before it has seen who is in the way.
        const names = () => lines.flatMap(({ blockers = [] }) => blockers as { application: string }[]);
        await until('an attempt names the session', () =>
          names().some(({ application }) => application === 'long read'),
        );
        await reader.query('commit');
        assert.deepEqual(await migrating, ['0002_b.sql']);
      });
    }));

  it('gives up after its attempts, and names the session that is in the way', () =>
    withMigrations({ '0001_a': 'create table things (n int)' }, async (folder) => {
      await migrate(database.db, { folder });
      await writeFile(join(folder, '0002_b.sql'), 'alter table things add column m int');
      await withConnection(database.adminUrl, async (reader) => {
        await reader.query(`begin; set application_name = 'long read'; select * from things`);
        await assert.rejects(
          migrate(database.db, { folder, patience: { ...patience, attempts: 2 } }),
          /Migration 0002_b\.sql could not lock its tables in 2 attempts\. .*"long read".*run `migrate` again/,
        );
      });
      assert.deepEqual(await migrate(database.db, { folder }), ['0002_b.sql']);
    }));

  const index = '-- migrate: no transaction\ncreate index concurrently if not exists things_by_n on things (n);\n';
  const isValid = async () =>
    (
      await sql<{
        valid: boolean;
      }>`select indisvalid as valid from pg_index where indexrelid = 'things_by_n'::regclass`.execute(database.db)
    ).rows[0]?.valid;

  it('creates an index while another process waits to migrate', () =>
    withMigrations({ '0001_a': 'create table things (n int)' }, async (folder) => {
      await migrate(database.db, { folder });
      await writeFile(join(folder, '0002_b.sql'), index);
      await withConnection(database.adminUrl, async (writer) => {
        await writer.query('begin; insert into things values (1)');
        const [first, second] = [collectLog(), collectLog()];
        const migrating = migrate(database.db, { folder, log: first.log });
        await first.seen('migration waits for other transactions');
        const waiting = migrate(database.db, { folder, log: second.log });
        await second.seen('waiting for another migration');
        await writer.query('commit');
        assert.deepEqual(await Promise.all([migrating, waiting]), [['0002_b.sql'], []]);
      });
      assert.equal(await isValid(), true);
    }));

  it('replaces the invalid index that an interrupted step left behind', () =>
    withMigrations({ '0001_a': 'create table things (n int)' }, async (folder) => {
      await migrate(database.db, { folder });
      await writeFile(join(folder, '0002_b.sql'), index);
      await withConnection(database.adminUrl, async (writer) => {
        await writer.query('begin; insert into things values (1)');
        const { log, find, seen } = collectLog();
        const interrupted = migrate(database.db, { folder, log });
        await seen('migration waits for other transactions');
        const stopped = assert.rejects(interrupted);
        await writer.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where query like '%create index concurrently%' and pid <> pg_backend_pid()`);
        await stopped;
        assert(find('migration applied') === undefined);
        await writer.query('commit');
      });
      assert.equal(await isValid(), false);
      const { log, texts } = collectLog();
      assert.deepEqual(await migrate(database.db, { folder, log }), ['0002_b.sql']);
      assert(texts().includes('invalid index of an interrupted migration dropped'));
      assert.equal(await isValid(), true);
    }));

  it('commits nothing after its lock was lost', () =>
    withMigrations({ '0001_a': 'create table things (n int)' }, async (folder) => {
      await migrate(database.db, { folder });
      await writeFile(join(folder, '0002_b.sql'), 'lock table things in share mode');
      await withConnection(database.adminUrl, async (writer) => {
        await writer.query('begin; insert into things values (1)');
        const { log, seen } = collectLog();
        const migrating = assert.rejects(
          migrate(database.db, { folder, log, patience }),
          /held the lock of the migration was lost/,
        );
        await seen('migration could not lock a table, will be retried');
        await writer.query(`select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);
        await writer.query('commit');
        await migrating;
      });
      const { rows } = await sql`select from schema_migrations where name = '0002_b.sql'`.execute(database.db);
      assert.equal(rows.length, 0);
    }));

  it('runs beside migrations of a newer release, unless they removed what it reads', () =>
    withMigrations({ '0001_a': 'create table things (n int)' }, async (folder) => {
      await migrate(database.db, { folder });
      const { log, find } = collectLog();
      await sql`insert into schema_migrations (name, checksum) values ('9998_future.sql', 'x')`.execute(database.db);
      assert.deepEqual(await migrate(database.db, { folder, log }), []);
      assert.deepEqual(find('the database is newer than this version')?.migrations, ['9998_future.sql']);
      await sql`insert into schema_migrations (name, checksum, unread_since)
        values ('9999_future.sql', 'x', '99.1.0')`.execute(database.db);
      await assert.rejects(migrate(database.db, { folder }), /9999_future\.sql.*Run version 99\.1\.0 or newer/);
    }));
});

describe('migrate --plan', () => {
  it('prints what would run, changes nothing and tells by its exit code', async () => {
    const { db, ownerUrl, drop } = await createEmptyDatabase();
    try {
      const env = { DATABASE_URL: ownerUrl, DEMO: 'off' };
      const plan = await runInProcess(['migrate', '--plan'], { env });
      assert.equal(plan.code, 2, plan.stderr);
      const { applied, pending } = JSON.parse(plan.stdout);
      assert.equal(applied, 0);
      assert.deepEqual(pending[0], { name: '0001-baseline.sql', inTransaction: true, unreadSince: '0.4.0' });
      const { rows } = await sql`select from pg_class where relnamespace = 'public'::regnamespace`.execute(db);
      assert.equal(rows.length, 0);
      const table = await runInProcess(['migrate', '--plan', '--table'], { env });
      assert.match(table.stdout, /Pending:\nName +In transaction +Unread since\n0001-baseline\.sql +yes/);
      assert.equal((await runInProcess(['migrate'], { env })).code, 0);
      const done = await runInProcess(['migrate', '--plan'], { env });
      assert.deepEqual([done.code, JSON.parse(done.stdout).pending], [0, []]);
    } finally {
      await drop();
    }
  });

  it('does not create the embedded database', () =>
    withFolder(async (folder) => {
      const { code, stdout } = await runInProcess(['migrate', '--plan'], { env: { DATA_DIR: join(folder, 'data') } });
      assert.equal(code, 2);
      assert.equal(JSON.parse(stdout).applied, 0);
    }));
});
