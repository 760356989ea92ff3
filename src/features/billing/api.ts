import { Type } from 'typebox';
import { notFound } from '../../platform/http/errors.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { jsonArrayStream } from '../../platform/http/json-stream.ts';
import { setVersion } from '../../platform/http/kept-pages.ts';
import { operation, pageResponse, recordResponse } from '../../platform/http/operation.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { DataOf, IdParams, Reference } from '../../platform/http/schemas.ts';
import { holdSlot } from '../../platform/http/slot-limits.ts';
import { sendSpooled } from '../../platform/http/spool.ts';
import { viewFor } from '../../platform/http/view.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { usernameOf } from '../keys/credentials.ts';
import { BillingItemSchema, BillingItemsQuery, billingItemExample, ExportParams, ExportQuery } from './contract.ts';
import { presentBillingItem } from './present.ts';
import { findBillingItem, listBillingItems, streamBillingItems } from './store.ts';

export const billingRoutes: Routes = (app, { config, db, streaming, slots, links }) => {
  app.get(
    '/billing/items',
    operation({
      id: 'listBillingItems',
      tag: 'Billing',
      summary: 'List billing items',
      description:
        'The charges on the company’s invoices. `chargeType=ticket-charge` with a `period` lists the employees who were billed for a ticket in that month, and the corrections that were made in it. With `corrections=exclude` the corrections are left out.',
      permissions: ['view-billing'],
      isKept: 'with-version',
      querystring: BillingItemsQuery,
      response: pageResponse(BillingItemSchema, 'billing items', billingItemExample),
    }),
    async function listBillingItemsHandler(request) {
      const caller = principalOf(request);
      const page = await listBillingItems(db, caller.companyId, request.query);
      setVersion(request, page.version);
      const view = viewFor(caller, links);
      return presentPage(page, request.query, (row) => presentBillingItem(row, view));
    },
  );

  app.get(
    '/billing/items/:id',
    operation({
      id: 'getBillingItem',
      tag: 'Billing',
      summary: 'Get billing item',
      description: 'One charge by id.',
      permissions: ['view-billing'],
      isKept: true,
      params: IdParams('billing item'),
      response: recordResponse(BillingItemSchema, 'billing item', billingItemExample),
      problems: ['not-found'],
    }),
    async function getBillingItemHandler(request) {
      const row = await findBillingItem(db, principalOf(request).companyId, request.params.id);
      if (row === undefined) throw notFound('billing item');
      return { data: presentBillingItem(row, viewFor(principalOf(request), links)) };
    },
  );

  app.get(
    '/billing/items/:period/:chargeType',
    {
      ...operation({
        id: 'exportBillingItems',
        tag: 'Billing',
        summary: 'Export billing items',
        description:
          'All charges of one type in one month, without paging, ordered by id. For `ticket-charge` there is one item per employee who received a ticket, and one per correction that was made in the month: it belongs to this month, although it may correct a charge of another one (`corrects`). `corrections=exclude` leaves corrections out. The response is streamed. If the connection ends early, the export is incomplete and its JSON is truncated.',
        permissions: ['view-billing'],
        params: ExportParams,
        querystring: ExportQuery,
        response: {
          schema: DataOf(Type.Array(Reference(BillingItemSchema))),
          description: 'Every billing item of the period and charge type.',
          example: { data: [billingItemExample] },
        },
      }),
      // A HEAD request would run the whole query only to discard its rows.
      exposeHeadRoute: false,
    },
    async function exportBillingItemsHandler(request, reply) {
      const principal = principalOf(request);
      const { companyId } = principal;
      await holdSlot(slots.transfers, { companyId, name: usernameOf(principal) }, reply);
      const view = viewFor(principal, links);
      const batches = slots.longRunning.stream({ companyId }, () =>
        streamBillingItems(streaming, companyId, { ...request.params, ...request.query }),
      );
      extendTimeout(reply);
      const text = jsonArrayStream(batches, (row) => presentBillingItem(row, view));
      reply.type('application/json; charset=utf-8');
      // Typed as the JSON that the stream writes.
      return (await sendSpooled(reply, text, config.spoolFolder)) as never;
    },
  );
};
