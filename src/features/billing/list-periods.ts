import { chargeTypes } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { View } from '../../platform/http/view.ts';
import type { BillingPeriod } from './contract.ts';
import { listBillingTotals } from './store.ts';

type Totals = Awaited<ReturnType<typeof listBillingTotals>>;

function presentPeriod(period: string, totals: Totals, view: View): BillingPeriod {
  const all = totals.toSorted((a, b) => chargeTypes.indexOf(a.charge_type) - chargeTypes.indexOf(b.charge_type));
  const sum = (column: 'net_cents' | 'tax_cents' | 'gross_cents') =>
    view.money(all.reduce((cents, row) => cents + row[column], 0));
  return {
    period,
    types: all.map((row) => ({
      chargeType: row.charge_type,
      items: row.items,
      net: view.money(row.net_cents),
      tax: view.money(row.tax_cents),
      gross: view.money(row.gross_cents),
    })),
    net: sum('net_cents'),
    tax: sum('tax_cents'),
    gross: sum('gross_cents'),
  };
}

/** Returns the months that have been billed, newest first. */
export async function listBillingPeriods(db: Db, companyId: CompanyId, view: View): Promise<BillingPeriod[]> {
  const byPeriod = Map.groupBy(await listBillingTotals(db, companyId), ({ period }) => period);
  return [...byPeriod].map(([period, totals]) => presentPeriod(period, totals, view));
}
