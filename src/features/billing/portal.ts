import { Type } from 'typebox';
import { chargeTypes } from '../../domain/enums.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { createLineExport, ExportedLines } from '../../platform/http/portal/export-lines.ts';
import { PageOf } from '../../platform/http/schemas.ts';
import { type View, viewFor } from '../../platform/http/view.ts';
import { portalRoutes } from '../portal-route.ts';
import { type BillingPeriod, BillingPeriodSchema, ExplainedItemSchema, ItemsQuery, PeriodParams } from './contract.ts';
import { presentExplainedItem } from './present.ts';
import { listBillingItems, listBillingTotals } from './store.ts';

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

export const billingRoutes = portalRoutes((route, context) => {
  const { db, links } = context;
  const sendLines = createLineExport(context);
  route('GET /billing', {
    summary: 'List billing periods',
    description: 'Newest first.',
    access: 'read',
    data: Type.Array(BillingPeriodSchema),
    async handle({ user }) {
      const view = viewFor(user, links);
      const byPeriod = Map.groupBy(await listBillingTotals(db, user.companyId), ({ period }) => period);
      return [...byPeriod].map(([period, totals]) => presentPeriod(period, totals, view));
    },
  });

  route('GET /billing/:period/items', {
    summary: 'List the charges of a period',
    access: 'read',
    params: PeriodParams,
    query: ItemsQuery,
    returns: PageOf(ExplainedItemSchema),
    async handle({ user, query, params }) {
      const view = viewFor(user, links);
      const page = await listBillingItems(db, user.companyId, { ...query, ...params });
      return presentPage(page, query, (row) => presentExplainedItem(row, view));
    },
  });

  route('GET /billing/:period/items/export', {
    summary: 'Export the charges of a period',
    description: 'All charges that match the filters, one line of JSON each.',
    access: 'read',
    params: PeriodParams,
    query: ItemsQuery,
    returns: ExportedLines,
    options: { exposeHeadRoute: false },
    async handle({ reply, user, query, params }) {
      const view = viewFor(user, links);
      return sendLines(user, reply, {
        read: (tx, page) => listBillingItems(tx, user.companyId, { ...query, ...params, ...page }),
        present: (row) => presentExplainedItem(row, view),
      });
    },
  });
});
