import { sql } from 'kysely';
import { firstOfMonth, isBefore } from '../../domain/calendar.ts';
import type { IntegrationStatus, SyncOutcome } from '../../domain/enums.ts';
import { listBillingPeriods } from '../../features/billing/list-periods.ts';
import { getCompany } from '../../features/companies/companies.ts';
import { healthIssue } from '../../features/integrations/rules/status.ts';
import { listInvoicesOfMonth, listMissingData } from '../../features/invoices/month.ts';
import { loadPayrollMonth } from '../../features/payroll/month.ts';
import { portalRoutes } from '../../features/portal-route.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { Reference } from '../../platform/http/schemas.ts';
import { presentOptionalTimestamp, type View, viewFor } from '../../platform/http/view.ts';
import { type MonthEnd, MonthEndQuery, MonthEndSchema } from '../contract.ts';
import { composeSteps } from './rules/steps.ts';

interface IntegrationRow {
  integrationId: number;
  integrationName: string;
  status: IntegrationStatus;
  lastOutcome: SyncOutcome | null;
  lastSynced: string | null;
  overdueSince: string | null;
  pending: NonNullable<MonthEnd['roster'][number]['pending']> | null;
}

async function listRosters(db: Db, companyId: CompanyId): Promise<MonthEnd['roster']> {
  const { rows } = await sql<IntegrationRow>`
    select i.id as "integrationId", i.name as "integrationName", i.status, i.last_sync_status as "lastOutcome",
      i.last_synced_at as "lastSynced", i.overdue_since as "overdueSince",
      (select json_build_object('syncId', s.sync_id, 'removals', s.held_count) from syncs s
        where ${ofCompany(companyId, 's')} and s.hr_integration_id = i.id and s.held_state = 'pending'
        order by s.id desc limit 1) as pending
    from hr_integrations i where ${ofCompany(companyId, 'i')} and i.status <> 'inactive' order by i.id`.execute(db);
  return rows.map(({ status, lastOutcome, lastSynced, overdueSince, ...row }) => ({
    ...row,
    lastSynced: presentOptionalTimestamp(lastSynced),
    overdueSince: presentOptionalTimestamp(overdueSince),
    issue: healthIssue(status, lastOutcome),
  }));
}

interface Month {
  companyId: CompanyId;
  /** The first day of the month. Absent: the present one. */
  period?: string | undefined;
  now: Temporal.Instant;
}

async function loadMonth(db: Db, { companyId, period: chosen, now }: Month, view: View): Promise<MonthEnd> {
  const { timeZone, processedThrough } = await getCompany(db, companyId);
  const present = firstOfMonth(now.toZonedDateTimeISO(timeZone).toPlainDate());
  const period = chosen ?? present.toString();
  const first = Temporal.PlainDate.from(period);
  const isOver = isBefore(first, present);
  const billed = await listBillingPeriods(db, companyId, view);
  const charges = billed.find((one) => one.period === period) ?? null;
  const roster = isOver ? [] : await listRosters(db, companyId);
  const payroll = await loadPayrollMonth(db, { companyId, period }, now, view);
  const invoices = await listInvoicesOfMonth(db, companyId, period, view);
  const missingForInvoice = await listMissingData(db, companyId);
  const { lines: waitingLines, problemCount: problems, missingSettings } = payroll.preview;
  return {
    period,
    months: [...new Set([present.toString(), ...billed.map((one) => one.period)])].sort().reverse(),
    ...composeSteps({
      isOver,
      rosterIssues: roster.filter(({ overdueSince, issue, pending }) => overdueSince ?? issue ?? pending).length,
      // A month is billed on its first day. Without any charge, it costs nothing.
      grossCents: charges?.gross.value ?? (isBefore(processedThrough, first) ? null : 0),
      payroll: { waitingLines, problems, missingSettings: missingSettings.length },
      exports: payroll.exports
        .filter(({ voided }) => voided === null)
        .map(({ handedOver }) => ({ isHandedOver: handedOver !== null })),
      invoices: invoices.map(({ downloadable }) => ({ isDownloadable: downloadable })),
      missingForInvoice: missingForInvoice.length,
    }),
    ...{ roster, charges, payroll, invoices, missingForInvoice },
  };
}

export const monthEndRoutes = portalRoutes((route, { streaming, slots, clock, links }) => {
  route('GET /month-end', {
    summary: 'Get the state of a month',
    description: 'Roster, charges, payroll and invoice of a month: what is done, what is missing, what it costs.',
    access: 'read',
    query: MonthEndQuery,
    data: Reference(MonthEndSchema),
    options: { exposeHeadRoute: false },
    handle: ({ user, companyId, query: { period } }) =>
      slots.longRunning.run({ companyId, name: user.id }, () =>
        inSnapshot(streaming.db, (tx) => loadMonth(tx, { companyId, period, now: clock.now() }, viewFor(user, links))),
      ),
  });
});
