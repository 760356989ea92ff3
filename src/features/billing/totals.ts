import { sql } from 'kysely';
import type { ChargeType } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import { compareCounts } from '../../platform/db/compare-counts.ts';
import type { Db, Tx } from '../../platform/db/database.ts';

const counted = (companyId: CompanyId) => sql`
  select b.company_id, b.period, b.charge_type, count(*) as items, sum(b.net_cents)::bigint as net_cents,
    sum(b.tax_cents)::bigint as tax_cents, sum(b.gross_cents)::bigint as gross_cents
  from billing_items b where ${ofCompany(companyId, 'b')} 
  group by b.company_id, b.period, b.charge_type`;

/** The totals of a company's billing items. Code that adds items increments them in the same transaction. */
export const billingTotals = {
  table: 'billing_totals',
  compare: (companyId: CompanyId) =>
    compareCounts({
      stored: sql`select t.period, t.charge_type, t.items, t.net_cents, t.tax_cents, t.gross_cents from billing_totals t
        where ${ofCompany(companyId, 't')}`,
      counted: counted(companyId),
      key: ['period', 'charge_type'],
    }),
  /** Recounts the totals. Requires the company lock, under which every item is added. */
  async repair(tx: Tx, companyId: CompanyId): Promise<void> {
    await sql`delete from billing_totals t where ${ofCompany(companyId, 't')}`.execute(tx);
    await sql`
      insert into billing_totals (company_id, period, charge_type, items, net_cents, tax_cents, gross_cents)
      select n.company_id, n.period, n.charge_type, n.items, n.net_cents, n.tax_cents, n.gross_cents
      from (${counted(companyId)}) n`.execute(tx);
  },
};

interface MonthTotal {
  type: ChargeType;
  count: number;
  netCents: number;
  taxCents: number;
  grossCents: number;
}

/** Returns how many charges of each type a month has, and their sums. */
export async function listTotalsOfMonth(db: Db, companyId: CompanyId, period: string): Promise<MonthTotal[]> {
  const { rows } = await sql<MonthTotal>`
    select t.charge_type as type, t.items as count, t.net_cents as "netCents", t.tax_cents as "taxCents",
      t.gross_cents as "grossCents"
    from billing_totals t where ${ofCompany(companyId, 't')} and t.period = ${period} and t.items > 0
    order by t.charge_type`.execute(db);
  return rows;
}
