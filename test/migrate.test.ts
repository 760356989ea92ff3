import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, executeScript } from '../src/db/database.ts';
import { migrate, readMigrations } from '../src/db/migrate.ts';
import { connectAs, serverUrl } from './support/database.ts';
import { sharedTables } from './support/statements.ts';

describe('migrations', () => {
  const name = `transit_${randomBytes(6).toString('hex')}`;
  const url = () => Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href;
  const connect = () => connectDatabase({ url: url(), max: 2, applicationName: 'migrate' });

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

  it('are refused when an applied file was changed, or is not known', async () => {
    const { db, close } = connect();
    await sql`update schema_migrations set checksum = 'other'`.execute(db);
    await assert.rejects(migrate(db), /was changed after it was applied/);
    await sql`insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')`.execute(db);
    await assert.rejects(migrate(db), /9999_future\.sql, which this version does not know/);
    await close();
  });

  it('bring a company that lives already to the engine', async () => {
    const older = `${name}_older`;
    const admin = await connectAs(serverUrl());
    await admin.query(`create database ${older}`);
    const { href } = Object.assign(new URL(serverUrl()), { pathname: `/${older}` });
    const { db, close } = connectDatabase({ url: href, max: 1, applicationName: 'migrate' });
    try {
      await sql`create table schema_migrations (name text primary key, checksum text not null,
        applied_at timestamptz not null default now())`.execute(db);
      for (const { name: file, text, checksum } of (await readMigrations()).filter((one) => one.name < '0003')) {
        await executeScript(db, text);
        await sql`insert into schema_migrations (name, checksum) values (${file}, ${checksum})`.execute(db);
      }
      await executeScript(
        db,
        `insert into companies (name) values ('Old');
        insert into employees (company_id, first_name, last_name, email, email_key, search_text, plan_type, contribution_cents)
          select id, 'A', 'B', 'a@b.example', 'a@b.example', 'a b', 'split-pay-plan', 1500 from companies;
        insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token)
          select company_id, id, '2026-10-01', 'T', '2026-10-01', '2026-10-31', 'W' from employees;`,
      );
      await migrate(db);
      const { rows } = await sql<Record<string, unknown>>`
        select t.plan_type, t.contribution_cents, e.due_on::text, c.lived_through is not null as lives
        from tickets t, employees e, companies c`.execute(db);
      assert.deepEqual(rows, [
        { plan_type: 'split-pay-plan', contribution_cents: 1500, due_on: '-infinity', lives: true },
      ]);
    } finally {
      await close();
      await admin.query(`drop database ${older} with (force)`);
      await admin.end();
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
