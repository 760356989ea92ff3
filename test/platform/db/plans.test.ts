import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { listBillingItems } from '../../../src/features/billing/store.ts';
import { listIdsByCode } from '../../../src/features/employees/find-employee.ts';
import { findEmployee, listEmployees } from '../../../src/features/employees/store.ts';
import { listHrIntegrations } from '../../../src/features/integrations/store.ts';
import { findKey } from '../../../src/features/keys/keys.ts';
import { asCompanyId } from '../../../src/platform/db/company-scope.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { useDatabase } from '../../support/database.ts';
import { captureStatement } from '../../support/statements.ts';

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

/** A node of a plan. Versions of PostgreSQL differ in how they join, but all must find rows by an index. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];

/** Returns the plan for any values, since a plan for these few rows says nothing about those of a large database. */
async function explain(db: Db, text: string): Promise<PlanNode> {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const values = parameters > 0 ? `(${Array(parameters).fill('null').join(', ')})` : '';
  return db.connection().execute(async (connection) => {
    // The small tables would be read as a whole here. In use they are large.
    await sql`set enable_seqscan = off`.execute(connection);
    await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
    await sql.raw(`prepare planned as ${text}`).execute(connection);
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) execute planned${values}`)
      .execute(connection);
    await sql`deallocate planned`.execute(connection);
    return rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail('no plan');
  });
}

/** Lists whose order an index has: they read a page, and never sort all employees of a company. */
const readsPage = /^employees by|^charges/;

describe('The plan of', skipOnCluster('each shard has plans of its own'), () => {
  const place = useDatabase({ isWatched: false });
  before(() => fill(place.db));

  for (const [name, query] of Object.entries(statements)) {
    it(`${name} finds every row by an index`, async () => {
      const { text } = await captureStatement(place.adminUrl, query);
      const nodes = listNodes(await explain(place.db, text));
      const scans = nodes.filter((node) => node['Index Cond'] !== undefined);
      assert(scans.length > 0);
      assert.deepEqual(
        nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
        [],
      );
      const key = /\b(company_id|id) = /;
      assert.deepEqual(
        scans.filter((node) => !key.test(node['Index Cond'] ?? '')),
        [],
        'each index is searched for the company',
      );
      if (!readsPage.test(name)) return;
      const limits = nodes.filter((node) => node['Node Type'] === 'Limit');
      assert(limits.length > 0);
      assert(!limits.flatMap(listNodes).some((node) => node['Node Type'] === 'Sort'), 'a page is read in order');
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
    assert.match(rows[0]?.['QUERY PLAN'] ?? '', /^Index (Only )?Scan using company_versions_pkey/);
  });
});
