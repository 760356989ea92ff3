import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';

/**
 * To be called last by whoever adds, changes or removes employees, in the same transaction. The lock makes writers of a
 * company count one after another, each on what the one before has committed; it does not stand in the way of readers
 * or of foreign keys (docs/decisions/0005-totals-without-scans.md).
 */
export async function refreshEmployeeCounts(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`select c.id from companies c where c.id = ${companyId} for no key update`.execute(tx);
  await sql`delete from employee_counts c where ${ofCompany(companyId, 'c')}`.execute(tx);
  await sql`
    insert into employee_counts (company_id, subscription_status, plan_type, employees)
    select e.company_id, e.subscription_status, e.plan_type, count(*) from employees e
    where ${ofCompany(companyId, 'e')} and e.removed_at is null
    group by e.company_id, e.subscription_status, e.plan_type`.execute(tx);
}
