import { sql } from 'kysely';
import type { FeeType, TaxCategory } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { insertAudit } from '../activity/record.ts';
import { loadPricesOf } from './prices.ts';
import { feeOn, taxOfNet } from './rules/charges.ts';
import { taxPercentOf } from './rules/tax.ts';

interface FeeItem {
  id: number;
  period: string;
  chargedPeriod: string;
  chargeType: FeeType;
  netCents: number;
  taxCents: number;
}

/**
 * Gives fees that are on no invoice yet the tax of the buyer as they are known now: a month is billed on its first day, also
 * for a company that enters its country and VAT id later. Changes their corrections alike. Requires the company lock.
 */
export async function retaxFees(
  tx: Tx,
  companyId: CompanyId,
  { afterItemId, feeCategory, now }: { afterItemId: number; feeCategory: TaxCategory; now: Temporal.Instant },
): Promise<void> {
  const { rows } = await sql<FeeItem>`
    select b.id, b.period, coalesce(b.corrects_period, b.period) as "chargedPeriod", b.charge_type as "chargeType",
      b.net_cents as "netCents", b.tax_cents as "taxCents"
    from billing_items b where ${ofCompany(companyId, 'b')} and b.charge_type <> 'ticket-charge'
      and b.id > ${afterItemId} and coalesce(b.corrects_id, b.id) > ${afterItemId} order by b.id`.execute(tx);
  if (rows.length === 0) return;
  const { fees } = await loadPricesOf(tx, companyId);
  for (const { id, period, chargedPeriod, chargeType, netCents, taxCents } of rows) {
    const listed = feeOn(fees, chargeType, Temporal.PlainDate.from(chargedPeriod))?.taxPercent ?? 0;
    const to = Math.sign(netCents) * taxOfNet(Math.abs(netCents), taxPercentOf(feeCategory, listed));
    if (to === taxCents) continue;
    await sql`update billing_items b set tax_cents = ${to}, gross_cents = ${netCents + to}
      where ${ofCompany(companyId, 'b')} and b.id = ${id}`.execute(tx);
    await sql`update billing_totals t set tax_cents = t.tax_cents + ${to - taxCents}, gross_cents = t.gross_cents + ${to - taxCents}
      where ${ofCompany(companyId, 't')} and t.period = ${period}::date and t.charge_type = ${chargeType}`.execute(tx);
    await insertAudit(tx, companyId, {
      actor: { type: 'service', name: null },
      action: 'billing.change-fee-tax',
      target: String(id),
      detail: { period, chargeType, from: taxCents, to, taxCategory: feeCategory },
      at: now,
    });
  }
}
