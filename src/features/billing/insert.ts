import { type Insertable, sql } from 'kysely';
import type { ChargeType } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { BillingItemsTable } from '../../platform/db/types.gen.ts';
import { appendEvents } from '../events/append.ts';

export type NewBillingItem = Omit<Insertable<BillingItemsTable>, 'company_id'>;

/** The new items of one charge type. */
export interface AddedCharges {
  chargeType: ChargeType;
  items: number;
  overallCents: number;
}

export const countItems = (added: readonly AddedCharges[]): number => added.reduce((sum, { items }) => sum + items, 0);

/** Reports new items of a period. */
export function appendBillingItems(
  tx: Tx,
  companyId: CompanyId,
  { period, added, now }: { period: string; added: AddedCharges[]; now: Temporal.Instant },
): void {
  if (countItems(added) === 0) return;
  const payload = { period, chargeTypes: added.filter(({ items }) => items > 0) };
  appendEvents(tx, companyId, [{ type: 'billing-items-created', occurredAt: now, payload }]);
}

function sumByType(rows: readonly { charge_type: ChargeType; gross_cents: number }[]): AddedCharges[] {
  return [...Map.groupBy(rows, (row) => row.charge_type)].map(([chargeType, items]) => ({
    chargeType,
    items: items.length,
    overallCents: items.reduce((sum, { gross_cents: cents }) => sum + cents, 0),
  }));
}

/**
 * Inserts charges and updates the totals of their periods. Skips a charge that was billed before: unique keys decide
 * that, not the caller. Increments the totals, always in the same order, so that concurrent writers neither lose an
 * addition nor deadlock. Returns the charges that were added.
 */
export async function insertBillingItems(
  tx: Tx,
  companyId: CompanyId,
  items: NewBillingItem[],
): Promise<AddedCharges[]> {
  if (items.length === 0) return [];
  const added = await tx
    .insertInto('billing_items')
    .values(items.map((item) => ({ ...item, company_id: companyId })))
    .onConflict((oc) => oc.doNothing())
    .returning(['id', 'charge_type', 'gross_cents'])
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
  return sumByType(added);
}
