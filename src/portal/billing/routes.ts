import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import { Type } from 'typebox';
import { insertAudit } from '../../audit.ts';
import { presentBillingItem } from '../../billing/present.ts';
import { listBillingItems } from '../../billing/queries.ts';
import { type BillingItem, BillingItemsQuery, ExportParams } from '../../billing/schema.ts';
import type { Routes } from '../../context.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { formatPayrollLine, type PayrollLine, payrollHead } from '../../domain/billing/payroll.ts';
import { chargeTypes } from '../../domain/enums.ts';
import { createConcurrencyLimit } from '../../http/concurrency-limit.ts';
import { presentPage } from '../../http/paging.ts';
import { type View, viewFor } from '../../http/view.ts';
import type { BillingPeriod, Data, Page, PayrollCheck } from '../contract.ts';
import { actorOf, userOf } from '../guard.ts';
import { exportPayroll, findPayrollTotals, listLinesWithoutHrId, streamPayroll } from './payroll.ts';
import { listBillingTotals } from './queries.ts';

const PeriodParams = Type.Pick(ExportParams, ['period']);
const ItemsQuery = Type.Omit(BillingItemsQuery, ['period']);
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
  const admitExport = createConcurrencyLimit(config.heavyRequestsPerKey, 'exports of yours');

  app.get(
    '/billing',
    { config: { portal: 'read' }, schema: { hide: true } },
    async (request): Promise<Data<BillingPeriod[]>> => {
      const user = userOf(request);
      const view = viewFor(user, links);
      const byPeriod = Map.groupBy(await listBillingTotals(db, user.companyId), ({ period }) => period);
      return { data: [...byPeriod].map(([period, totals]) => presentPeriod(period, totals, view)) };
    },
  );

  app.get(
    '/billing/:period/items',
    { config: { portal: 'read' }, schema: { hide: true, params: PeriodParams, querystring: ItemsQuery } },
    async (request): Promise<Data<Page<BillingItem>>> => {
      const user = userOf(request);
      const view = viewFor(user, links);
      const page = await listBillingItems(db, user.companyId, { ...request.query, ...request.params });
      return presentPage(page, request.query, (row) => presentBillingItem(row, view));
    },
  );

  app.get(
    '/billing/:period/payroll',
    { config: { portal: 'read' }, schema: { hide: true, params: PeriodParams } },
    async (request): Promise<Data<PayrollCheck>> => {
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
      config: { portal: 'read' },
      schema: { hide: true, params: PeriodParams },
      // A HEAD request would run the whole query and discard its lines.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { period } = request.params;
      const { companyId, id } = userOf(request);
      admitExport(id, reply);
      const by = { actor: actorOf(request), at: clock.now() };
      await db
        .transaction()
        .execute((tx) => insertAudit(tx, companyId, { action: 'billing.export-payroll', target: period, ...by }));
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
