import { type Selectable, sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { BillingItemsTable } from '../../platform/db/types.gen.ts';

const copiedColumns = [
  ...(['b.id', 'b.period', 'b.charge_type', 'b.net_cents', 'b.tax_cents', 'b.gross_cents', 'b.corrects_id'] as const),
  ...(['b.employee_id', 'b.first_name', 'b.last_name', 'b.email', 'b.hr_id', 'b.hr_integration_id'] as const),
  ...(['b.quantity', 'b.used_period', 'b.ticket_month'] as const),
  ...(['b.plan_type', 'b.company_share_cents', 'b.employee_share_cents'] as const),
];

type CopiedColumn = (typeof copiedColumns)[number] extends `b.${infer Name}` ? Name : never;

/** A charge with the columns that its correction copies, and the month of a ticket that came late. */
export type ChargeRow = Pick<Selectable<BillingItemsTable>, CopiedColumn>;

export function listItems(db: Db, companyId: CompanyId, ids: readonly number[]): Promise<ChargeRow[]> {
  return db
    .selectFrom('billing_items as b')
    .select(copiedColumns)
    .where(ofCompany(companyId, 'b'))
    .where('b.id', 'in', ids)
    .execute();
}

/** Returns which item corrects each of these charges. Charges without one are missing. */
export async function findCorrections(
  db: Db,
  companyId: CompanyId,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; correctionId: number }>`
    select b.corrects_id as id, b.id as "correctionId" from billing_items b
    where ${ofCompany(companyId, 'b')} and b.corrects_id = any(${ids}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, correctionId }) => [id, correctionId]));
}

export interface TicketMonths {
  employeeId: number;
  from: string;
  /** The last month. Null: all later ones. */
  to: string | null;
}

/** Returns the charges for tickets of an employee of these months, at most `limit`. */
export async function listTicketCharges(
  db: Db,
  companyId: CompanyId,
  { employeeId, from, to }: TicketMonths,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select b.id from billing_items b
    where ${ofCompany(companyId, 'b')} and b.employee_id = ${employeeId} and b.charge_type = 'ticket-charge'
      and b.corrects_id is null and coalesce(b.ticket_month, b.period) >= ${from}::date
      and (${to}::date is null or coalesce(b.ticket_month, b.period) <= ${to}::date)
    order by b.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
