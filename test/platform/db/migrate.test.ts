import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase, executeScript } from '../../../src/platform/db/database.ts';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { connectAs, createOlderDatabase, serverUrl } from '../../support/database.ts';
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

  it('prepare an existing company for the daily run', async () => {
    const { db, drop } = await createOlderDatabase('0003');
    try {
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
        select t.plan_type, t.contribution_cents, e.due_on::text, c.processed_through is not null as is_scheduled
        from tickets t, employees e, companies c`.execute(db);
      assert.deepEqual(rows, [
        { plan_type: 'split-pay-plan', contribution_cents: 1500, due_on: '-infinity', is_scheduled: true },
      ]);
    } finally {
      await drop();
    }
  });

  it('add who decided earlier removals, and mark those syncs as succeeded', async () => {
    const { db, drop } = await createOlderDatabase('0009');
    try {
      await executeScript(
        db,
        `insert into companies (name, lived_through) values ('Old', '2026-11-14');
        insert into hr_integrations (company_id, name, type, status, initial_connection_status,
            last_sync_id, last_sync_status, last_synced_at)
          select id, 'HR', 'api-integration', 'active', 'completed', 'b', 'partially-failed', now() from companies;
        insert into syncs (company_id, hr_integration_id, sync_id, state, pushed_by, held_state, failed_count)
          select i.company_id, i.id, s.sync_id, 'partially-failed', 'key', s.held_state, s.failed from hr_integrations i,
            (values ('a', 'rejected', 1), ('b', 'approved', 0), ('c', 'pending', 0)) s(sync_id, held_state, failed);
        insert into portal_users (id, company_id, name, email, role) select 'u', id, 'Eva', 'e@x.example', 'admin' from companies;
        insert into audit_log (company_id, actor_type, actor, action, target, at)
          select i.company_id, l.actor_type, l.actor, l.action, i.id || '/' || l.sync_id, '2026-11-13T08:00Z'
          from hr_integrations i, (values ('operator', null, 'sync.reject-removals', 'a'),
            ('person', 'u', 'sync.approve-removals', 'b')) l(actor_type, actor, action, sync_id)`,
      );
      await migrate(db);
      const { rows } = await sql`
        select s.sync_id, s.state, s.decided_by, s.decided_by_user, s.decided_at, i.last_sync_status
        from syncs s, hr_integrations i order by s.sync_id`.execute(db);
      const common = { decided_at: '2026-11-13T08:00:00Z', last_sync_status: 'succeeded' };
      assert.deepEqual(rows, [
        { sync_id: 'a', state: 'partially-failed', decided_by: 'operator', decided_by_user: null, ...common },
        { sync_id: 'b', state: 'succeeded', decided_by: 'Eva', decided_by_user: 'u', ...common },
        {
          sync_id: 'c',
          state: 'partially-failed',
          decided_by: null,
          decided_by_user: null,
          ...common,
          decided_at: null,
        },
      ]);
    } finally {
      await drop();
    }
  });

  it('derive from the audit log who created a key and who last saw its password', async () => {
    const { db, drop } = await createOlderDatabase('0012');
    try {
      await executeScript(
        db,
        `insert into companies (name, lived_through) values ('Old', '2026-10-01');
        insert into api_keys (company_id, id, name, permissions, secret_hash)
          select c.id, k.id, k.id, '{}', sha256('x') from companies c,
            (values ('1000000000000000'), ('2000000000000000'), ('3000000000000000')) k (id);
        insert into audit_log (company_id, actor_type, actor, action, target)
          select c.id, l.type, l.actor, l.action, 'tk_' || c.id || '_' || l.key from companies c, (values
            (1, 'person', 'ada', 'key.create', '1000000000000000'),
            (2, 'operator', null, 'key.create', '2000000000000000'),
            (3, 'person', 'bob', 'key.rotate', '2000000000000000'),
            (4, 'person', 'ada', 'key.create', '3000000000000000'),
            (5, 'person', 'bob', 'key.rotate', '3000000000000000'),
            (6, 'operator', null, 'key.rotate', '3000000000000000')) l (number, type, actor, action, key)
          order by l.number;`,
      );
      await migrate(db);
      const { rows } = await sql<Record<string, unknown>>`
        select left(id, 1) as key, created_by, secret_shown_to from api_keys order by id`.execute(db);
      assert.deepEqual(rows, [
        { key: '1', created_by: 'ada', secret_shown_to: 'ada' },
        { key: '2', created_by: null, secret_shown_to: 'bob' },
        { key: '3', created_by: 'ada', secret_shown_to: null },
      ]);
    } finally {
      await drop();
    }
  });

  it('rename persons to users, and daily runs in the audit log', async () => {
    const { db, drop } = await createOlderDatabase('0015');
    try {
      await executeScript(
        db,
        `insert into companies (name, lived_through) values ('Old', '2026-10-01');
        insert into employees (company_id, first_name, last_name, email, email_key, search_text, plan_type)
          select id, 'A', 'B', 'a@b.example', 'a@b.example', 'a b', 'fully-subsidized-plan' from companies;
        insert into hr_integrations (company_id, name, type, status, initial_connection_status)
          select id, 'HR', 'api-integration', 'active', 'completed' from companies;
        insert into syncs (company_id, hr_integration_id, sync_id, state, pushed_by, pushed_by_person, decided_by_person)
          select company_id, id, 'a', 'succeeded', 'Eva', 'u', 'v' from hr_integrations;
        insert into subscription_changes (company_id, employee_id, known_on, effective_on, cause, rule, detail,
            from_status, to_status, fields, actor_type, actor)
          select company_id, id, '2026-10-01', '2026-11-01', c.cause, 'r', 'd', 'active', 'active', '{}', c.type, 'u'
          from employees, (values (1, 'person-pause', 'person'), (2, 'person-resume', 'operator'), (3, 'cancel', 'person'),
            (4, 'absence', 'key')) c (number, cause, type) order by c.number;
        insert into audit_log (company_id, actor_type, actor, action, target)
          select id, l.type, 'u', l.action, 't' from companies, (values (1, 'person', 'person.create'),
            (2, 'operator', 'person.reset-password'), (3, 'person', 'subscription.person-pause'),
            (4, 'person', 'subscription.cancel'), (5, 'key', 'sync.apply'),
            (6, 'service', 'day.live')) l (number, type, action) order by l.number;`,
      );
      const subjects = async () =>
        (await sql`select audit_subject(action, target, detail) as subject from audit_log order by id`.execute(db))
          .rows;
      const before = await subjects();
      await migrate(db);
      const companies = await sql`select processed_through from companies`.execute(db);
      assert.deepEqual(companies.rows, [{ processed_through: '2026-10-01' }]);
      const syncs = await sql`select pushed_by_user, decided_by_user from syncs`.execute(db);
      assert.deepEqual(syncs.rows, [{ pushed_by_user: 'u', decided_by_user: 'v' }]);
      const changes = await sql<Record<string, unknown>>`
        select cause, actor_type from subscription_changes order by id`.execute(db);
      assert.deepEqual(
        changes.rows.map((row) => Object.values(row)),
        [
          ['pause', 'user'],
          ['resume', 'operator'],
          ['cancel', 'user'],
          ['absence', 'key'],
        ],
      );
      const entries = await sql<Record<string, unknown>>`select actor_type, action from audit_log order by id`.execute(
        db,
      );
      assert.deepEqual(
        entries.rows.map((row) => Object.values(row)),
        [
          ['user', 'user.create'],
          ['operator', 'user.reset-password'],
          ['user', 'subscription.pause'],
          ['user', 'subscription.cancel'],
          ['key', 'sync.apply'],
          ['service', 'daily-run.finish'],
        ],
      );
      assert.deepEqual(await subjects(), before);
      await assert.rejects(sql`update subscription_changes set actor_type = 'person'`.execute(db), /actor_type_check/);
      await assert.rejects(sql`update audit_log set actor_type = 'person'`.execute(db), /actor_type_check/);
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
