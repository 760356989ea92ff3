import type { FastifyBaseLogger } from 'fastify';
import type { ConnectorDeps } from '../features/connectors/pull/open-connection.ts';
import type { PullDeps } from '../features/connectors/pull/outcome.ts';
import { refusePulls, runPulls } from '../features/connectors/pull/run.ts';
import { schedulePulls } from '../features/connectors/pull/schedule.ts';
import { catchUp, listDueCompanies, type ProcessedDay } from '../features/daily-run/run.ts';
import type { DocumentStore } from '../features/documents/files.ts';
import { type Renderer, startRenderer } from '../features/documents/pdf/renderer.ts';
import { writeDocuments } from '../features/documents/write.ts';
import { mailRequestedLink } from '../features/employee-access/links.ts';
import type { EmployeeMails } from '../features/employee-mails/queue.ts';
import { type EmployeeSendDeps, sendAtOnce, sendPaced } from '../features/employee-mails/send.ts';
import { writeTicketMails } from '../features/employee-mails/write-tickets.ts';
import { endPushAccess } from '../features/integrations/push-access.ts';
import { type InvoiceRenderer, startInvoiceRenderer, writeInvoices } from '../features/invoices/write.ts';
import { processOrders, scheduleOrders } from '../features/issuers/process.ts';
import type { IssuerDeps } from '../features/issuers/providers/issuer.ts';
import type { Notices } from '../features/notices/notices.ts';
import { type SendDeps, sendMails } from '../features/notices/send.ts';
import { writeStatements } from '../features/payroll/year/statements.ts';
import { expireRequests } from '../features/requests/expire.ts';
import { reportOverdueRosters } from '../features/roster/overdue.ts';
import { runOldestSync } from '../features/roster/run.ts';
import { collectScimChanges } from '../features/scim/collect.ts';
import { runBatches } from '../features/subscriptions/batches/run.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { restoreLostJobs } from './monitoring/lost-jobs.ts';
import { createWorkerReport } from './worker-report.ts';

export interface WorkerDeps {
  /** A separate pool, because a large roster takes longer than a request may. */
  database: Pick<Database, 'db' | 'close'>;
  queue: Queue;
  clock: Clock;
  documents: DocumentStore;
  /** A renderer that others use too, and that its owner stops. Absent: the worker has its own. */
  renderer?: Renderer;
  connectors: ConnectorDeps & Pick<PullDeps, 'maxEntries'>;
  issuers: IssuerDeps;
  /** Likewise. */
  invoiceRenderer?: InvoiceRenderer;
  /** Whether what it writes is marked as valid nowhere. */
  isTest: boolean;
  mail: Pick<SendDeps, 'encryption' | 'publicUrl' | 'transport'> & Pick<EmployeeSendDeps, 'config'>;
  notices: Notices;
  employeeMails: EmployeeMails;
  metrics: Metrics;
  log: FastifyBaseLogger;
}

export async function startWorker(given: WorkerDeps) {
  const { queue, clock, documents, notices, employeeMails, metrics, log, isTest } = given;
  const renderer = given.renderer ?? startRenderer(isTest);
  const invoiceRenderer = given.invoiceRenderer ?? startInvoiceRenderer(isTest);
  const { db, close } = given.database;
  const stopping = new AbortController();
  const { signal } = stopping;
  const deps = { clock, queue, notices, employeeMails };
  const report = createWorkerReport(log, metrics);
  const mailDeps = { db, queue, signal, report: report.mails, ...given.mail };
  await queue.work({
    'apply-syncs': (target) => runOldestSync({ db, deps, queue, signal, report: report.syncs }, target),
    async 'schedule-daily-runs'() {
      const { companyIds, isComplete } = await listDueCompanies(db, clock);
      await queue.enqueueDailyRuns(companyIds);
      report.scheduled(companyIds.length, isComplete);
    },
    async 'run-daily'({ companyId }) {
      const days: ProcessedDay[] = [];
      try {
        await catchUp(db, { ...deps, onDay: (day) => days.push(day) }, companyId, signal);
      } finally {
        // Also if a later day fails: these have been processed.
        report.reportDays(companyId, days);
      }
    },
    async 'write-documents'({ companyId, month }) {
      await writeStatements({ db, clock, signal }, companyId, month);
      await writeDocuments(
        {
          db,
          clock,
          queue,
          documents,
          renderer,
          signal,
          onFinished: (result) => report.documents(companyId, result),
          onError: report.documentFailed,
        },
        companyId,
        month,
      );
    },
    'write-invoices': ({ companyId }) =>
      writeInvoices(
        {
          db,
          clock,
          documents,
          renderer: invoiceRenderer,
          signal,
          onWritten: (result) => report.invoices(companyId, result),
        },
        companyId,
      ),
    'decide-contracts': ({ companyId }) => runBatches(db, deps, companyId, signal),
    async 'remove-files'({ companyId, keys }) {
      for (const key of keys) await documents.remove(key);
      report.filesRemoved(companyId, keys.length);
    },
    async 'expire-requests'() {
      report.requestsExpired(await expireRequests(db, signal));
    },
    async 'schedule-pulls'() {
      const { pulls, isComplete } = await schedulePulls({ db, clock, queue });
      report.pullsScheduled(pulls, isComplete);
      report.rostersOverdue(await reportOverdueRosters({ db, clock, notices }));
      await endPushAccess(db, clock);
      await scheduleOrders({ db, clock, queue });
    },
    'process-orders': ({ companyId }) =>
      processOrders(
        { db, ...deps, signal, issuers: given.issuers, onProcessed: (result) => report.orders(companyId, result) },
        companyId,
      ),
    'collect-scim-changes': (target) =>
      collectScimChanges(
        {
          db,
          ...deps,
          maxEntries: given.connectors.maxEntries,
          onCollected: (result) => report.scimCollected(target, result),
        },
        target,
      ),
    'pull-rosters': (target) => runPulls({ db, ...deps, signal, report: report.pulls, ...given.connectors }, target),
    refusePulls: (target) => refusePulls({ db, clock }, target),
    async 'send-employee-mails'({ companyId, month }) {
      if (month !== undefined) await writeTicketMails({ db, clock }, companyId, Temporal.PlainDate.from(month));
      await sendPaced(mailDeps, companyId);
    },
    async 'send-mails'({ companyId }) {
      await sendMails(mailDeps, companyId);
      await sendAtOnce(mailDeps, companyId);
    },
    'mail-access-link': ({ request }) => {
      const { encryption, publicUrl } = given.mail;
      return mailRequestedLink(
        { db, employeeMails, encryption, config: { publicUrl }, now: () => clock.now() },
        request,
      );
    },
    async 'restore-lost-jobs'() {
      const { restored } = await restoreLostJobs(db, queue);
      report.restored(restored);
    },
  });
  const stop = async () => {
    stopping.abort();
    // First, so that jobs that fail because of the stop are not reported.
    const ended = queue.stop();
    // The next attempt renders these files again. To wait for them could take longer than a stop may.
    if (given.renderer === undefined) await renderer.stop();
    if (given.invoiceRenderer === undefined) await invoiceRenderer.stop();
    // Jobs in progress must end before their connections close.
    await ended;
    given.mail.transport?.close();
    report.stop();
    await close();
  };
  return { stop };
}
