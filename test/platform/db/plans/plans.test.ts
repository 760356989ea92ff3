import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { listBillingItems } from '../../../../src/features/billing/store.ts';
import { listHrIntegrations } from '../../../../src/features/connectors/store.ts';
import { listIdsByCode } from '../../../../src/features/employees/find-by-code.ts';
import { findEmployee, listEmployees } from '../../../../src/features/employees/store.ts';
import { findKey } from '../../../../src/features/keys/keys.ts';
import { asCompanyId } from '../../../../src/platform/db/company-scope.ts';
import type { Db } from '../../../../src/platform/db/database.ts';
import { skipOnCluster } from '../../../support/cluster.ts';
import { useDatabase } from '../../../support/database.ts';
import { captureStatement } from '../../../support/statements.ts';

/** The version of the embedded server, which has written the stored plans. Others plan in other ways. */
const plannedBy = 18;

const companyId = asCompanyId(7);
const testDay = Temporal.PlainDate.from('2026-11-15');
const page = { page: 2, perPage: 10, sortOrder: 'asc' } as const;

/** The statements that most requests consist of. */
const statements: Record<string, (db: Db) => Promise<unknown>> = {
  'employees by id': (db) => listEmployees(db, companyId, { ...page, sortField: 'id' }, testDay),
  'employees by last change': (db) =>
    listEmployees(db, companyId, { ...page, sortField: 'updatedAt', sortOrder: 'desc' }, testDay),
  'employees by status': (db) =>
    listEmployees(db, companyId, { ...page, sortField: 'id', subscriptionStatuses: ['active'] }, testDay),
  'employees by name': (db) => listEmployees(db, companyId, { ...page, sortField: 'name' }, testDay),
  'employees by start': (db) => listEmployees(db, companyId, { ...page, sortField: 'start' }, testDay),
  'employees by next ticket': (db) =>
    listEmployees(db, companyId, { ...page, sortField: 'nextTicket', sortOrder: 'desc' }, testDay),
  'search with a number': (db) =>
    listEmployees(db, companyId, { ...page, sortField: 'name', search: 'E-1001', foundIds: [1] }, testDay),
  'numbers of employees': (db) => listIdsByCode(db, companyId, 'E-1001'),
  'search of two words': (db) =>
    listEmployees(db, companyId, { ...page, sortField: 'id', search: 'anna vogel' }, testDay),
  'one employee': (db) => findEmployee(db, companyId, 1, testDay),
  'charges of a period': (db) =>
    listBillingItems(db, companyId, {
      ...page,
      sortField: 'id',
      period: '2026-11-01',
      chargeType: 'ticket-charge',
      corrections: 'include',
    }),
  'charges without corrections': (db) =>
    listBillingItems(db, companyId, {
      ...page,
      sortField: 'id',
      period: '2026-11-01',
      chargeType: 'ticket-charge',
      corrections: 'exclude',
    }),
  integrations: (db) => listHrIntegrations(db, companyId, { ...page, sortField: 'id' }),
  key: (db) => findKey(db, { companyId, keyId: '0000000000000000' }, Buffer.alloc(32)),
};

/** Fills the tables so far that indexes are worth their while. */
async function fill(db: Db): Promise<void> {
  await sql`insert into companies (name, processed_through) select 'Company ' || n, '2026-11-15' from generate_series(1, 40) n`.execute(
    db,
  );
  await sql`
    insert into hr_integrations (company_id, name, type, status, initial_connection_status)
    select c.id, 'Roster ' || n, 'api-integration', 'active', 'completed' from companies c, generate_series(1, 3) n`.execute(
    db,
  );
  await sql`
    insert into employees (company_id, first_name, last_name, email, email_key, search_text, date_of_birth, employed_from,
      plan_type, subscription_status, created_at, updated_at)
    select c.id, 'Anna' || n, 'Vogel' || n, m.mail, m.mail, 'anna' || n || E'\\nvogel' || n || E'\\n' || m.mail,
      '1980-01-01', '2020-01-01', 'fully-subsidized-plan', case n % 2 when 0 then 'active' else 'no-subscription' end,
      timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-06-01' + n * interval '1 second'
    from companies c, generate_series(1, 250) n, lateral (select n || '@' || c.id || '.example' as mail) m`.execute(db);
  await sql`
    insert into employee_counts (company_id, subscription_status, plan_type, employees)
    select company_id, subscription_status, plan_type, count(*) from employees group by 1, 2, 3`.execute(db);
  await sql`
    insert into hr_links (company_id, employee_id, hr_integration_id, hr_id, is_current)
    select e.company_id, e.id, (select min(i.id) from hr_integrations i where i.company_id = e.company_id), 'E-' || e.id, true
    from employees e`.execute(db);
  await sql`
    insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token, plan_type)
    select company_id, id, '2026-11-01', 'DT-' || id, '2026-11-01', '2026-11-30', md5(id::text), plan_type
    from employees where subscription_status = 'active'`.execute(db);
  await sql`
    insert into billing_items (company_id, period, charge_type, net_cents, tax_cents, gross_cents, employee_id, first_name,
      last_name, email, plan_type, company_share_cents, employee_share_cents, billed_at)
    select company_id, '2026-11-01', 'ticket-charge', 5593, 392, 5985, id, first_name, last_name, email, plan_type, 5985, 0,
      '2026-11-01' from employees`.execute(db);
  await sql`analyze`.execute(db);
}

describe('The plan of', () => {
  const place = useDatabase({ isWatched: false });
  let version: number;
  before(async () => {
    const { rows } = await sql<{ version: number }>`
      select current_setting('server_version_num')::integer / 10000 as version`.execute(place.db);
    version = rows[0]?.version ?? 0;
    if (version === plannedBy) await fill(place.db);
  });

  for (const [name, query] of Object.entries(statements)) {
    it(`${name} is as stored`, async (context) => {
      if (version !== plannedBy)
        return context.skip(`plans are stored for PostgreSQL ${plannedBy}, this is ${version}`);
      const { text } = await captureStatement(place.adminUrl, query);
      const rows = await place.db.connection().execute(async (db) => {
        // The small tables are read as a whole here. In use they are large.
        await sql`set enable_seqscan = off`.execute(db);
        const explain = sql.raw<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${text}`);
        return (await explain.execute(db)).rows;
      });
      const plan = `${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`;
      const file = join(import.meta.dirname, `${name.replaceAll(' ', '-')}.txt`);
      if (process.env.UPDATE_PLANS) await writeFile(file, plan);
      const stored = await readFile(file, 'utf8');
      assert.equal(
        plan,
        stored,
        'If the new plan is better, store it: UPDATE_PLANS=1 node test/run.ts fast test/plans',
      );
    });
  }
});

describe('The version of one of 200 companies', skipOnCluster('each shard has a few companies'), () => {
  const place = useDatabase({ isWatched: false });

  it('is found by the index, although the table is small', async () => {
    await sql`insert into companies (name, processed_through)
      select 'Company ' || n, '2026-11-15' from generate_series(1, 200) n`.execute(place.db);
    await sql`insert into company_versions (company_id, version) select id, 1 from companies`.execute(place.db);
    await sql`analyze company_versions`.execute(place.db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select v.version from company_versions v where v.company_id = 7`.execute(place.db);
    assert.match(rows[0]?.['QUERY PLAN'] ?? '', /^Index Scan using company_versions_pkey/);
  });
});
