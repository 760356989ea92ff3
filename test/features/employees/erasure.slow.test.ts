import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { operator } from '../../../src/domain/actor.ts';
import { createMessage, formatMessage, type Message } from '../../../src/domain/messages/message.ts';
import { insertAudit } from '../../../src/features/activity/record.ts';
import { correctCharges } from '../../../src/features/corrections/correct.ts';
import { insertDocument } from '../../../src/features/documents/add.ts';
import { insertCustomLink } from '../../../src/features/employees/custom-link.ts';
import type { SyncWarning } from '../../../src/features/roster/contract.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { makeDocument, makeEmployee, makePayrollExport } from '../../support/factories.ts';
import { actionsOf, createProcessedCompany, today, withOperatorCli } from '../../support/operator-cli.ts';
import { anonymousClient, makeUser, signIn } from '../../support/portal.ts';
import { anEntry } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

/** Occurs in all data about one employee in these tests, and nowhere else. */
const mark = 'zyzzy';

/** Returns every row of every table, including the queue's, that contains a text in any column, as text or as bytes. */
async function findEverywhere(db: Db, text: string): Promise<{ table: string; row: Record<string, unknown> }[]> {
  const tables = await sql<{ schema: string; table: string }>`
    select n.nspname as schema, c.relname as "table" from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'queue') and c.relkind = 'r' order by 1, 2`.execute(db);
  assert(tables.rows.length > 25);
  const bytes = Buffer.from(text).toString('hex');
  const found = await Promise.all(
    tables.rows.map(async ({ schema, table }) => {
      const { rows } = await sql<{ row: Record<string, unknown> }>`
        select to_jsonb(t) as row from ${sql.id(schema, table)} t
        where t::text ilike ${`%${text}%`} or t::text like ${`%${bytes}%`}`.execute(db);
      return rows.map(({ row }) => ({ table: `${schema}.${table}`, row }));
    }),
  );
  return found.flat();
}

const listFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

describe('What remains of an erased employee', () => {
  const fixture = useFixture('2026-01-15');

  const planted = {
    hrId: 'E1',
    firstName: `${mark}first`,
    lastName: `${mark}last`,
    email: `${mark}mail@example.com`,
    autoSyncEmployee: true,
  };

  /** Causes a warning. */
  const odd = { dateOfBirth: '2030-01-01' };

  /** Stores data about the employee in every place that can contain such data. */
  async function plant(company: TestCompany): Promise<void> {
    const { app } = fixture;
    const { companyId } = company;
    await company.sync('one', [{ ...planted, lastName: `${mark}old` }, anEntry(2)]);
    await company.runTo('2026-02-02');
    await company.sync('two', [{ ...planted, ...odd, department: 'Sales' }, anEntry(2, odd)]);
    const { id } = await company.employee('E1');
    const file = await app.documents.put(companyId, 'pdf', Buffer.from(`${mark}content`));
    const [item] = (await company.items('2026-02-01')).filter((one) => one.charge.type === 'ticket-charge');
    const now = fixture.clock.now();
    await writeCompany(app.serviceDb, companyId, async (tx) => {
      await insertCustomLink(tx, companyId, { employeeId: id, hrId: `${mark}-17` }, { at: now });
      await insertDocument(tx, companyId, { employeeId: id, name: `Contract of ${mark}`, fileType: 'pdf', file }, now);
      await correctCharges(tx, app.deps, {
        companyId,
        selection: { items: [item.id] },
        reason: `${mark} has left`,
        actor: operator,
      });
    });
    await until('its documents are stored', async () => {
      const { body } = await company.get(`/employees/${id}/documents`);
      return body.data.data.every((one: { downloadable: boolean }) => one.downloadable);
    });
  }

  /** Stores that a pull has failed because of two employees. */
  async function plantFailure({ companyId, integrationId }: TestCompany): Promise<void> {
    const problems = ['E1', 'E2'].map((hrId) => ({
      key: 'unusable-employee' as const,
      values: { hrId, field: 'email', detail: 'value-email' },
    }));
    const message = createMessage('connector-unusable', { system: 'Personio', problems });
    const [reason, stored] = [formatMessage(message), JSON.stringify(message)];
    await sql`insert into pulls (company_id, hr_integration_id, kind, state, sync_id, requested_by, requested_at, reason,
        message)
      values (${companyId}, ${integrationId}, 'manual', 'failed', 'four', 'test', now(), ${reason}, ${stored})`.execute(
      fixture.app.db,
    );
    await sql`insert into hr_connectors (company_id, hr_integration_id, provider, encrypted_credentials, mapping,
        nightly_time, failure_code, failure_reason, failure_message)
      values (${companyId}, ${integrationId}, 'personio', '', '{}', '02:00', 'unusable', ${reason}, ${stored})`.execute(
      fixture.app.db,
    );
  }

  it('is only the HR id in charges and sync entries, and nothing in any other table, warning or file', async () => {
    const { app } = fixture;
    const company = await joinCompany(fixture, { retention_days: 10, guard_maximum_absent_percent: 100 });
    await plant(company);
    await plantFailure(company);
    const before = new Set((await findEverywhere(app.db, mark)).map(({ table }) => table));
    for (const table of ['employees', 'hr_links', 'documents', 'billing_items', 'sync_records', 'audit_log']) {
      assert(before.has(`public.${table}`), `${table} has it before`);
    }
    assert.notEqual((await listFiles(app.config.documentStore)).length, 0);
    const warnings = async () => {
      const { body } = await company.get(`/hr-integrations/${company.integrationId}/syncs/two`);
      return body.data.warnings.map(({ code, count, hrId, records }: SyncWarning) => ({ code, count, hrId, records }));
    };
    const places = ['/employees/0/dateOfBirth', '/employees/1/dateOfBirth'];
    assert.deepEqual(await warnings(), [
      { code: 'unknown-field', count: 1, hrId: 'E1', records: [] },
      {
        ...{ code: 'born-in-the-future', count: 2, hrId: 'E1' },
        records: places.map((pointer, index) => ({ hrId: `E${index + 1}`, pointer })),
      },
    ]);

    await company.sync('three', [anEntry(2)]);
    assert.equal((await company.runTo('2026-03-12')).erased, 1);
    assert.deepEqual(await findEverywhere(app.db, mark), []);
    await until('its files are gone', async () => (await listFiles(app.config.documentStore)).length === 0);
    const withId = (await findEverywhere(app.db, '"E1"')).map(({ table }) => table);
    assert.deepEqual(withId, []);
    assert.deepEqual(await warnings(), [
      { code: 'unknown-field', count: 1, hrId: null, records: [] },
      {
        ...{ code: 'born-in-the-future', count: 2, hrId: null },
        records: places.map((pointer, index) => ({ hrId: index === 0 ? null : 'E2', pointer })),
      },
    ]);
    const failures = await sql<{ reason: string; message: Message }>`
      select reason, message from pulls union all select failure_reason, failure_message from hr_connectors`.execute(
      app.db,
    );
    assert.equal(failures.rows.length, 2);
    for (const { reason, message } of failures.rows) {
      assert.match(reason, /an employee who has been erased since: email .*; employee E2: email /);
      assert.equal(formatMessage(message), reason);
    }
    const { rows } = await sql<{ hr_id: string; reason: string | null }>`
      select b.hr_id, b.reason from billing_items b where b.company_id = ${company.companyId} and b.hr_id is not null
      order by b.id`.execute(app.db);
    assert.deepEqual(rows, [
      { hr_id: 'E1', reason: null },
      { hr_id: 'E1', reason: 'Erased' },
    ]);
  });
});

describe('employee erase', () => {
  it('erases immediately what the retention would erase later, and only removed employees', () =>
    withOperatorCli(async ({ db, succeed, refuse }) => {
      const companyId = await createProcessedCompany(db);
      const name = { last_name: mark, email: `${mark}@example.com`, email_key: `${mark}@example.com` };
      const removed = await makeEmployee(db, companyId, { ...name, removed_at: `${today}T08:00:00Z` });
      const kept = await makeEmployee(db, companyId, { due_on: null });
      await makeDocument(db, companyId, { employeeId: removed, name: mark });
      await refuse(
        [
          `employee erase --company ${companyId} --employee ${kept}`,
          `Employee ${kept} of company ${companyId} is not removed yet: remove them from the roster first.`,
        ],
        [
          `employee erase --company ${companyId} --employee 99999`,
          'The company has no such employee: check the id and --company.',
        ],
        [
          `employee erase --company 99999 --employee ${kept}`,
          'There is no company 99999: run "company list" to see all.',
        ],
      );
      assert.notEqual((await findEverywhere(db, mark)).length, 0);
      const erased = await succeed(`employee erase --company ${companyId} --employee ${removed}`);
      assert.deepEqual(erased, { employeeId: removed, documents: 1 });
      assert.deepEqual(await findEverywhere(db, mark), []);
      assert.deepEqual((await actionsOf(db, companyId)).at(-1), `operator employee.erase ${removed}`);
      await refuse([
        `employee erase --company ${companyId} --employee ${removed}`,
        'The company has no such employee: check the id and --company.',
      ]);
    }));
});

describe('What remains of a portal user', () => {
  const fixture = useFixture('2026-01-15');

  it('who was removed is no email address, neither in the audit log nor in an invitation', async () => {
    const { app } = fixture;
    const { companyId } = await joinCompany(fixture);
    const admin = await signIn(app, await makeUser(app, companyId, 'admin'));
    const email = `${mark}@example.com`;
    const { body } = await admin.post('/users/invitations', { email, roles: ['viewer'] });
    const token = body.data.link.split('/').at(-1);
    await anonymousClient(app).post(`/invitations/${token}`, { name: 'Nora', password: 'a fresh password' });
    const tables = new Set((await findEverywhere(app.db, mark)).map(({ table }) => table));
    assert.deepEqual([...tables], ['public.audit_log', 'public.invitations', 'public.portal_users']);
    const { users } = (await admin.get('/users')).body.data;
    const { id } = users.find((one: { email: string }) => one.email === email);
    assert.equal((await admin.post(`/users/${id}/remove`, { revokeKeys: [], keepKeys: [] })).status, 204);
    assert.deepEqual(await findEverywhere(app.db, mark), []);
  });

  async function insertRemoved(db: Db, companyId: CompanyId, id: string, removedAt: string): Promise<void> {
    await sql`insert into portal_users (id, company_id, name, email, role, removed_at)
      values (${id}, ${companyId}, ${`${mark} ${id}`}, ${`${id}@removed.invalid`}, 'viewer', ${removedAt})`.execute(db);
  }

  it('is nothing after the retention of the audit log, while newer entries stay', async () => {
    const { app } = fixture;
    const company = await joinCompany(fixture, { retention_days: 10 });
    const { companyId } = company;
    await insertRemoved(app.db, companyId, 'long ago', '2024-01-01T00:00:00Z');
    await insertRemoved(app.db, companyId, 'lately', '2024-02-01T00:00:00Z');
    for (const id of ['long ago', 'lately']) {
      await makePayrollExport(app.db, companyId, { exported_by: `${mark} ${id}`, exported_by_user: id });
    }
    for (const at of ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z']) {
      await app.db
        .transaction()
        .execute((tx) => insertAudit(tx, companyId, { action: 'test', target: at, at: Temporal.Instant.from(at) }));
    }
    for (const [address, expiresAt] of [
      ['old', '2026-01-01'],
      ['new', '2026-01-09'],
    ]) {
      const { rows } = await sql<{ id: number }>`
        insert into invitations (company_id, token_hash, email, role, invited_by, expires_at)
        values (${companyId}, sha256(${Buffer.from(`${address}`)}), ${`${mark}-${address}@example.com`}, 'viewer', 'x',
          ${expiresAt}) returning id`.execute(app.db);
      const detail = { email: `${mark}-${address}@example.com` };
      await app.db
        .transaction()
        .execute((tx) => insertAudit(tx, companyId, { action: 'invitation.create', target: `${rows[0]?.id}`, detail }));
    }
    await company.runTo('2026-01-17');
    const left = (await findEverywhere(app.db, mark)).map(({ table, row }) => `${table} ${row.email} ${row.name}`);
    assert.deepEqual(left, [
      'public.audit_log undefined undefined',
      `public.invitations ${mark}-new@example.com undefined`,
      'public.payroll_files undefined undefined',
      `public.portal_users lately@removed.invalid ${mark} lately`,
    ]);
    const { rows } = await sql<{ target: string }>`
      select l.target from audit_log l where l.company_id = ${companyId} and l.action = 'test'`.execute(app.db);
    assert.deepEqual(rows, [{ target: '2024-02-01T00:00:00Z' }]);
  });
});
