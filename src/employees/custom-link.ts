import { sql } from 'kysely';
import { insertAudit } from '../audit.ts';
import { type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';

/**
 * Links an employee to an id that was assigned manually, for employees who are in no roster. Returns the id of the
 * employee who has the link. This is the given employee, whether linked now or before, or another one, and then nothing
 * has changed.
 */
export async function insertCustomLink(
  tx: Tx,
  companyId: CompanyId,
  employeeId: number,
  { hrId, now }: { hrId: string; now: Temporal.Instant },
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into hr_links (company_id, employee_id, hr_id) values (${companyId}, ${employeeId}, ${hrId})
    on conflict do nothing`.execute(tx);
  if (numAffectedRows === 1n) {
    await insertAudit(tx, companyId, {
      action: 'employee.link',
      target: String(employeeId),
      detail: { hrId },
      at: now,
    });
    return employeeId;
  }
  const holder = await tx
    .selectFrom('hr_links as l')
    .select('l.employee_id')
    .where(ofCompany(companyId, 'l'))
    .where('l.hr_integration_id', 'is', null)
    .where('l.hr_id', '=', hrId)
    .executeTakeFirstOrThrow();
  return holder.employee_id;
}
