import { Type } from 'typebox';
import { chargeTypes } from '../../domain/enums.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, PageOf } from '../../platform/http/schemas.ts';
import { type View, viewFor } from '../../platform/http/view.ts';
import { createLineExport, ExportedLines } from '../accounts/export-lines.ts';
import { userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
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

export const billingRoutes: Routes = (app, context) => {
  const { db, links } = context;
  const sendLines = createLineExport(context);
  app.get(
    '/billing',
    portalOperation({
      summary: 'List billing periods',
      description: 'Newest first.',
      access: 'read',
      response: { 200: DataOf(Type.Array(BillingPeriodSchema)) },
    }),
    async (request) => {
      const user = userOf(request);
      const view = viewFor(user, links);
      const byPeriod = Map.groupBy(await listBillingTotals(db, user.companyId), ({ period }) => period);
      return { data: [...byPeriod].map(([period, totals]) => presentPeriod(period, totals, view)) };
    },
  );

  app.get(
    '/billing/:period/items',
    portalOperation({
      summary: 'List the charges of a period',
      access: 'read',
      params: PeriodParams,
      querystring: ItemsQuery,
      response: { 200: PageOf(ExplainedItemSchema) },
    }),
    async (request) => {
      const user = userOf(request);
      const view = viewFor(user, links);
      const page = await listBillingItems(db, user.companyId, { ...request.query, ...request.params });
      return presentPage(page, request.query, (row) => presentExplainedItem(row, view));
    },
  );

  app.get(
    '/billing/:period/items/export',
    {
      ...portalOperation({
        summary: 'Export the charges of a period',
        description: 'All charges that match the filters, one line of JSON each.',
        access: 'read',
        params: PeriodParams,
        querystring: ItemsQuery,
        response: { 200: ExportedLines },
      }),
      // A HEAD request would read everything and discard it.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const user = userOf(request);
      const view = viewFor(user, links);
      return sendLines(request, reply, {
        read: (tx, page) => listBillingItems(tx, user.companyId, { ...request.query, ...request.params, ...page }),
        present: (row) => presentExplainedItem(row, view),
      });
    },
  );
};
