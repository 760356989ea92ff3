import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { readMigrations } from '../../../src/platform/db/migrate-files.ts';
import { runInProcess } from '../../support/cli.ts';
import { isCluster } from '../../support/cluster.ts';
import { addressOf, denied, roles, serverUrl, useDatabase, withConnection } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';

describe('The role of the service', () => {
  const database = useDatabase({ isWatched: false });

  const tryAll = (statements: string[]) =>
    withConnection(database.url, async (client) => {
      for (const statement of statements) {
        await assert.rejects(client.query(statement), denied, statement);
      }
    });

  it('neither changes nor removes entries of the audit log', async () => {
    await makeCompany(database.db);
    // On Citus, policies decide about these two, see below.
    if (!isCluster()) await tryAll([`update audit_log set detail = '{}'`, 'delete from audit_log']);
    await tryAll([
      `update audit_log set action = 'company.create', detail = '{}'`,
      'truncate audit_log',
      'alter table audit_log disable row level security',
      'alter table audit_log disable trigger all',
      'drop table audit_log',
    ]);
  });

  it('changes no table, schema, function or record of migrations', () =>
    tryAll([
      'create table mine (id integer)',
      'create table queue.mine (id integer)',
      'create schema mine',
      'alter table employees add column mine text',
      'drop index employees_by_id',
      'drop table employees',
      'truncate employees',
      `create or replace function audit_subject(text, text, jsonb) returns text language sql as 'select null'`,
      'delete from schema_migrations',
      'create role mine',
      `copy companies to program 'true'`,
    ]));

  it('has a fixed search path in whatever runs with the privileges of the owner', () =>
    withConnection(database.ownerUrl, async (client) => {
      const { rows } = await client.query<{ name: string; settings: string[]; everybody: boolean }>(
        `select proname as name, proconfig as settings,
           has_function_privilege('public', oid, 'execute') as everybody from pg_proc
         where prosecdef and pronamespace in ('public'::regnamespace, 'queue'::regnamespace) order by 1`,
      );
      const settings = ['search_path=pg_catalog, pg_temp'];
      const ownersFunctions = [
        { name: 'expire_audit_log', settings, everybody: false },
        { name: 'redact_audit_log', settings, everybody: false },
      ];
      assert.deepEqual(rows, isCluster() ? [] : ownersFunctions);
    }));

  it('can at most empty the detail of an entry about people on Citus, and delete old entries', {
    skip: !isCluster() && 'TEST_DATABASE_URL names no Citus cluster',
  }, async () => {
    const companyId = await makeCompany(database.db);
    await withConnection(database.url, async (client) => {
      const insert = (action: string, at: string) =>
        client.query(
          `insert into audit_log (company_id, actor_type, action, target, detail, at)
            values ($1, 'operator', $2, 't', '{"role": "admin"}', $3)`,
          [companyId, action, at],
        );
      await insert('user.role', '2020-01-01');
      await insert('user.invite', new Date().toISOString());
      await insert('key.create', new Date().toISOString());
      const change = (detail: string) =>
        client.query('update audit_log set detail = $2 where company_id = $1', [companyId, detail]);
      await assert.rejects(change('{"role": "viewer"}'), /row-level security policy/);
      assert.equal((await change('{}')).rowCount, 2);
      assert.equal((await client.query('delete from audit_log where company_id = $1', [companyId])).rowCount, 1);
      const { rows } = await client.query(
        `select action, detail from audit_log where company_id = $1 and target = 't' order by action`,
        [companyId],
      );
      assert.deepEqual(rows, [
        { action: 'key.create', detail: { role: 'admin' } },
        { action: 'user.invite', detail: {} },
      ]);
    });
  });

  it('removes nothing from the audit log about existing subjects, nor of the last month', async () => {
    const companyId = await makeCompany(database.db);
    await withConnection(database.url, async (client) => {
      await client.query(
        `insert into audit_log (company_id, actor_type, action, target, detail)
           values ($1, 'operator', 'user.role', 'u1', '{"email": "kept"}')`,
        [companyId],
      );
      await client.query(
        `insert into portal_users (id, company_id, name, email, role) values ('u1', $1, 'A', 'a@b.example', 'viewer')`,
        [companyId],
      );
      await client.query(`select redact_audit_log($1, array['user/u1', 'company/1', ''])`, [companyId]);
      await client.query(`select expire_audit_log($1, 'infinity')`, [companyId]);
      const { rows } = await client.query(
        `select detail ->> 'email' as email from audit_log where company_id = $1 and action = 'user.role'`,
        [companyId],
      );
      assert.deepEqual(rows, [{ email: 'kept' }]);
    });
  });
});

describe('An external database', () => {
  const name = `transit_${randomBytes(6).toString('hex')}`;
  let [ownerUrl, url] = ['', ''];
  before(async () => {
    [ownerUrl, url] = [addressOf(name, 'owner'), addressOf(name, 'service')];
    await withConnection(serverUrl(), (admin) => admin.query(`create database ${name} owner ${roles.owner}`));
  });
  after(() => withConnection(serverUrl(), (admin) => admin.query(`drop database ${name} with (force)`)));

  it('is migrated by its owner, and then used by a role without DDL', async () => {
    const early = await runInProcess(['company', 'create', '--name', 'Early'], { env: { DATABASE_URL: url } });
    assert.match(early.stderr, /^The database is not prepared for the role of DATABASE_URL\. Run .*migrate.*\n$/);

    const migrated = await runInProcess(['migrate'], { env: { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } });
    assert.equal(migrated.stderr, '');
    assert.deepEqual(JSON.parse(migrated.stdout).applied, pluck(await readMigrations(), 'name'));
    const created = await runInProcess(['company', 'create', '--name', 'Late'], { env: { DATABASE_URL: url } });
    assert.deepEqual(JSON.parse(created.stdout), { id: 1 });
  });

  it('grants privileges on new tables, and revokes excess ones', async () => {
    await withConnection(ownerUrl, async (owner) => {
      await owner.query('create table added (id bigint generated always as identity, word text)');
      await owner.query(`grant update, delete on audit_log to ${roles.service}`);
      // As after a restore without privileges.
      await owner.query(`grant execute on function expire_audit_log to public`);
      // As after the dump of a Citus cluster was restored.
      await owner.query('alter table audit_log enable row level security');
      await owner.query('alter function redact_audit_log security invoker');
    });
    await runInProcess(['migrate'], { env: { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } });
    await withConnection(url, async (client) => {
      await client.query(`insert into added (word) values ('a')`);
      await assert.rejects(client.query('delete from audit_log'), denied);
      const { rows } = await client.query(
        `select r, has_function_privilege(r, 'expire_audit_log(bigint, timestamptz)', 'execute') as may
        from unnest(array['public', current_user]) r`,
      );
      assert.deepEqual(pluck(rows, 'may'), [false, true]);
      const audit = await client.query(`
        select c.relrowsecurity as "hasPolicies", p.prosecdef as "isOwners" from pg_class c, pg_proc p
        where c.oid = 'audit_log'::regclass and p.oid = 'redact_audit_log'::regproc`);
      assert.deepEqual(audit.rows, [{ hasPolicies: false, isOwners: true }]);
    });
    await withConnection(ownerUrl, (owner) => owner.query('drop table added'));
  });

  it('is refused for a role that cannot apply a missing migration', async () => {
    await withConnection(ownerUrl, (owner) =>
      owner.query(`update schema_migrations set name = '9999-later.sql', unread_since = null
        where name = '0001-baseline.sql'`),
    );
    const refused = await runInProcess(['company', 'create', '--name', 'Refused'], { env: { DATABASE_URL: url } });
    assert.match(refused.stderr, /^The database lacks migration 0001-baseline\.sql, .*DATABASE_OWNER_URL.*\n$/);
  });
});
