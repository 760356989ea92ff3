import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import { compareCounts } from '../../platform/db/compare-counts.ts';
import type { Tx } from '../../platform/db/database.ts';

const counted = (companyId: CompanyId) => sql`
  select e.company_id, e.subscription_status, e.plan_type, count(*) as employees from employees e
  where ${ofCompany(companyId, 'e')} and e.removed_at is null
  group by e.company_id, e.subscription_status, e.plan_type`;

/**
 * Recounts the company's employees. A transaction that adds, changes or removes employees must call this last. The lock
 * makes writers of a company count one after another, each on what the one before has committed. It does not block
 * readers or foreign keys (docs/decisions/0005-totals-without-scans.md).
 */
export async function refreshEmployeeCounts(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`select c.id from companies c where c.id = ${companyId} for no key update`.execute(tx);
  await sql`delete from employee_counts c where ${ofCompany(companyId, 'c')}`.execute(tx);
  await sql`
    insert into employee_counts (company_id, subscription_status, plan_type, employees)
    select n.company_id, n.subscription_status, n.plan_type, n.employees from (${counted(companyId)}) n`.execute(tx);
}

export const employeeCounts = {
  table: 'employee_counts',
  compare: (companyId: CompanyId) =>
    compareCounts({
      stored: sql`select c.subscription_status, c.plan_type, c.employees from employee_counts c
        where ${ofCompany(companyId, 'c')}`,
      counted: counted(companyId),
      key: ['subscription_status', 'plan_type'],
    }),
  repair: refreshEmployeeCounts,
};
