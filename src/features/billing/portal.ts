import { Type } from 'typebox';
import { presentPage } from '../../platform/http/paging.ts';
import { createLineExport, ExportedLines } from '../../platform/http/portal/export-lines.ts';
import { PageOf } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { portalRoutes } from '../portal-route.ts';
import { BillingPeriodSchema, ExplainedItemSchema, ItemsQuery, PeriodParams } from './contract.ts';
import { listBillingPeriods } from './list-periods.ts';
import { presentExplainedItem } from './present.ts';
import { listBillingItems } from './store.ts';

export const billingRoutes = portalRoutes((route, context) => {
  const { db, links } = context;
  const sendLines = createLineExport(context);
  route('GET /billing', {
    summary: 'List billing periods',
    description: 'Newest first.',
    access: 'read',
    data: Type.Array(BillingPeriodSchema),
    handle: ({ user }) => listBillingPeriods(db, user.companyId, viewFor(user, links)),
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
