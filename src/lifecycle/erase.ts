import { sql } from 'kysely';
import type { Company } from '../companies.ts';
import { ofCompany } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import type { Day } from '../domain/calendar.ts';
import type { Enqueue } from '../jobs/queue.ts';

const peopleAtOnce = 1_000;

/** Whether the employee `e` was removed longer ago than the company keeps them. */
export const hasExpired = ({ timeZone, retentionDays }: Company, day: Day) => sql<boolean>`
  e.removed_at is not null
    and (e.removed_at at time zone ${timeZone})::date + ${retentionDays}::integer < ${day.toString()}::date`;

async function listExpired(tx: Tx, company: Company, day: Day): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(company.id, 'e')} and ${hasExpired(company, day)}
    order by e.id limit ${peopleAtOnce}`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Erases everything personal of people who were removed longer ago than the company keeps them: what is left are charges
 * without a name and records of syncs that tell no more than an id in the HR system. Files are removed by a job of the
 * same transaction, so that none outlives its document. Answers how many people.
 */
export async function erasePeople(
  tx: Tx,
  queue: Pick<Enqueue, 'enqueueFileRemoval'>,
  company: Company,
  day: Day,
): Promise<number> {
  let erased = 0;
  for (let ids = await listExpired(tx, company, day); ids.length > 0; ids = await listExpired(tx, company, day)) {
    const { rows: files } = await sql<{ store_key: string | null }>`
      delete from documents d where ${ofCompany(company.id, 'd')} and d.employee_id = any(${ids})
      returning d.store_key`.execute(tx);
    await sql`
      update billing_items b set first_name = null, last_name = null, email = null
      where ${ofCompany(company.id, 'b')} and b.employee_id = any(${ids})`.execute(tx);
    await sql`
      update sync_records r set changes = '[]', reasons = '[]'
      where ${ofCompany(company.id, 'r')} and r.employee_id = any(${ids})`.execute(tx);
    await sql`delete from employees e where ${ofCompany(company.id, 'e')} and e.id = any(${ids})`.execute(tx);
    const keys = files.flatMap(({ store_key: key }) => key ?? []);
    if (keys.length > 0) await queue.enqueueFileRemoval(tx, company.id, keys);
    erased += ids.length;
  }
  return erased;
}
