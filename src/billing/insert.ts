import { type Insertable, sql } from 'kysely';
import { type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import type { BillingItemsTable } from '../db/types.gen.ts';

export type NewBillingItem = Omit<Insertable<BillingItemsTable>, 'company_id'>;

/**
 * Inserts charges and updates the totals of their periods. Skips a charge that was billed before: unique keys decide
 * that, not the caller. Increments the totals, always in the same order, so that concurrent writers neither lose an
 * addition nor deadlock. Returns how many charges were added.
 */
export async function insertBillingItems(tx: Tx, companyId: CompanyId, items: NewBillingItem[]): Promise<number> {
  if (items.length === 0) return 0;
  const added = await tx
    .insertInto('billing_items')
    .values(items.map((item) => ({ ...item, company_id: companyId })))
    .onConflict((oc) => oc.doNothing())
    .returning('id')
    .execute();
  const ids = added.map((row) => row.id);
  await sql`
    insert into billing_totals as t (company_id, period, charge_type, items, net_cents, tax_cents, gross_cents)
    select b.company_id, b.period, b.charge_type, count(*), sum(b.net_cents), sum(b.tax_cents), sum(b.gross_cents)
    from billing_items b where ${ofCompany(companyId, 'b')} and b.id = any(${ids})
    group by b.company_id, b.period, b.charge_type order by b.period, b.charge_type
    on conflict (company_id, period, charge_type) do update set
      items = t.items + excluded.items, net_cents = t.net_cents + excluded.net_cents,
      tax_cents = t.tax_cents + excluded.tax_cents, gross_cents = t.gross_cents + excluded.gross_cents`.execute(tx);
  return ids.length;
}
