import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import { Type } from 'typebox';
import { insertAudit } from '../../audit.ts';
import { presentBillingItem } from '../../billing/present.ts';
import { listBillingItems } from '../../billing/queries.ts';
import { BillingItemSchema } from '../../billing/schema.ts';
import type { Routes } from '../../context.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { writeCompany } from '../../db/write.ts';
import { formatPayrollLine, type PayrollLine, payrollHead } from '../../domain/billing/payroll.ts';
import { chargeTypes } from '../../domain/enums.ts';
import { createConcurrencyLimit } from '../../http/concurrency-limit.ts';
import { presentPage } from '../../http/paging.ts';
import { DataOf, PageOf, Reference } from '../../http/schemas.ts';
import { type View, viewFor } from '../../http/view.ts';
import { actorOf, userOf } from '../guard.ts';
import { FileOf, portalOperation } from '../operation.ts';
import { exportPayroll, findPayrollTotals, listLinesWithoutHrId, streamPayroll } from './payroll.ts';
import { listBillingTotals } from './queries.ts';
import { type BillingPeriod, BillingPeriodSchema, ItemsQuery, PayrollCheckSchema, PeriodParams } from './schema.ts';

const maxNamed = 100;

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

/**
 * Returns the payroll file as a stream. Awaits the first lines, so that an earlier failure still gets its own status
 * code.
 */
async function payrollFile(batches: AsyncGenerator<PayrollLine[]>): Promise<Readable> {
  const first = await batches.next();
  async function* write() {
    try {
      yield payrollHead;
      for (let next = first; !next.done; next = await batches.next()) yield next.value.map(formatPayrollLine).join('');
    } finally {
      await batches.return(undefined);
    }
  }
  return Readable.from(write(), { objectMode: false });
}

export const billingRoutes: Routes = (app, { config, db, streaming, clock, links }) => {
  const admitExport = createConcurrencyLimit(config.heavyRequestsPerKey, 'of your exports');

  app.get(
    '/billing',
    portalOperation({
      id: 'listBillingPeriods',
      summary: 'List billing periods',
      description: 'Newest first.',
      access: 'read',
      response: { 200: DataOf(Type.Array(Reference(BillingPeriodSchema))) },
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
      id: 'listBillingItems',
      summary: 'List the charges of a period',
      access: 'read',
      params: PeriodParams,
      querystring: ItemsQuery,
      response: { 200: PageOf(Reference(BillingItemSchema)) },
    }),
    async (request) => {
      const user = userOf(request);
      const view = viewFor(user, links);
      const page = await listBillingItems(db, user.companyId, { ...request.query, ...request.params });
      return presentPage(page, request.query, (row) => presentBillingItem(row, view));
    },
  );

  app.get(
    '/billing/:period/payroll',
    portalOperation({
      id: 'checkPayroll',
      summary: 'Check the payroll file of a period',
      access: 'read',
      params: PeriodParams,
      response: { 200: DataOf(Reference(PayrollCheckSchema)) },
    }),
    async (request) => {
      const user = userOf(request);
      const { companyId } = user;
      const { period } = request.params;
      const view = viewFor(user, links);
      return inSnapshot(db, async (tx) => {
        const file = { companyId, period };
        const { lines, grossCents } = await findPayrollTotals(tx, file);
        const unnamed = await listLinesWithoutHrId(tx, file, maxNamed);
        const withoutHrId = unnamed.map(({ employeeId, firstName, lastName }) => ({
          employeeId,
          name: [firstName, lastName].filter((name) => name !== null).join(' '),
        }));
        return { data: { lines, gross: view.money(grossCents), withoutHrId } };
      });
    },
  );

  app.get(
    '/billing/:period/payroll.csv',
    {
      ...portalOperation({
        id: 'exportPayroll',
        summary: 'Download the payroll file of a period',
        description:
          'One line per ticket charge and per correction. If all lines have an HR id, this request exports the file, which does not change after that.',
        access: 'read',
        params: PeriodParams,
        response: { 200: FileOf('text/csv') },
      }),
      // A HEAD request would run the whole query and discard its lines.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { period } = request.params;
      const { companyId, id } = userOf(request);
      admitExport(id, reply);
      const by = { actor: actorOf(request), at: clock.now() };
      await writeCompany(db, companyId, (tx) =>
        insertAudit(tx, companyId, { action: 'billing.export-payroll', target: period, ...by }),
      );
      await exportPayroll(streaming.db, { companyId, period }, clock.now());
      const file = await payrollFile(streamPayroll(streaming, { companyId, period }));
      // The client may have disconnected while the first lines were awaited. Nothing else would then end the query.
      if (request.raw.socket.destroyed) file.destroy();
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': contentDisposition(`payroll-${period.slice(0, 7)}.csv`),
      });
      return reply.send(file);
    },
  );
};
