import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { TicketItem } from '../billing/rules/late-charges.ts';

/** Returns the charges for tickets of these employees that were not corrected, oldest first. */
export async function listTicketItems(
  db: Db,
  companyId: CompanyId,
  employeeIds: readonly number[],
): Promise<(TicketItem & { employeeId: number })[]> {
  if (employeeIds.length === 0) return [];
  const { rows } = await sql<TicketItem & { employeeId: number }>`
    select b.id, b.period, b.gross_cents as "grossCents", b.employee_id as "employeeId" from billing_items b
    where ${ofCompany(companyId, 'b')} and b.employee_id = any(${employeeIds}::bigint[])
      and b.charge_type = 'ticket-charge' and b.corrects_id is null
      and not exists (select from billing_items c where ${ofCompany(companyId, 'c')} and c.corrects_id = b.id)
    order by b.period, b.id`.execute(db);
  return rows;
}
