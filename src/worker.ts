import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock.ts';
import { catchUp, listDueCompanies, type ProcessedDay } from './daily-run/run.ts';
import type { Database } from './db/database.ts';
import { type Renderer, startRenderer } from './documents/pdf/renderer.ts';
import type { DocumentStore } from './documents/store.ts';
import { writeDocuments } from './documents/write.ts';
import type { PullDeps } from './hr-integrations/pull/context.ts';
import type { ConnectorDeps } from './hr-integrations/pull/open-connection.ts';
import { runPulls } from './hr-integrations/pull/run.ts';
import { schedulePulls } from './hr-integrations/pull/schedule.ts';
import { runOldestSync } from './hr-integrations/sync/run.ts';
import { type InvoiceRenderer, startInvoiceRenderer } from './invoices/renderer.ts';
import { writeInvoices } from './invoices/write.ts';
import type { Queue } from './jobs/queue.ts';
import type { Metrics } from './metrics/metrics.ts';
import { restoreLostJobs } from './operations/lost-jobs.ts';
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
  /** Likewise. */
  invoiceRenderer?: InvoiceRenderer;
  metrics: Metrics;
  log: FastifyBaseLogger;
}

/** Starts working on the jobs of the queue. */
export async function startWorker(given: WorkerDeps) {
  const { queue, clock, documents, metrics, log, renderer = startRenderer() } = given;
  const invoiceRenderer = given.invoiceRenderer ?? startInvoiceRenderer();
  const { db, close } = given.database;
  const stopping = new AbortController();
  const { signal } = stopping;
  const deps = { clock, queue };
  const report = createWorkerReport(log, metrics);
  await queue.work({
    applySyncs: (companyId, hrIntegrationId) =>
      runOldestSync({ db, deps, queue, signal, report: report.syncs }, { companyId, hrIntegrationId }),
    async scheduleDailyRuns() {
      const { companyIds, isComplete } = await listDueCompanies(db, clock);
      await queue.enqueueDailyRuns(companyIds);
      report.scheduled(companyIds.length, isComplete);
    },
    async runDaily(companyId) {
      const days: ProcessedDay[] = [];
      try {
        await catchUp(db, { ...deps, onDay: (day) => days.push(day) }, companyId, signal);
      } finally {
        // Also if a later day fails: these have been processed.
        report.reportDays(companyId, days);
      }
    },
    writeDocuments: (companyId, month) =>
      writeDocuments(
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
      ),
    writeInvoices: (companyId) =>
      writeInvoices(
        { db, clock, documents, renderer: invoiceRenderer, onWritten: (result) => report.invoices(companyId, result) },
        companyId,
      ),
    async removeFiles(companyId, keys) {
      for (const key of keys) await documents.remove(key);
      report.filesRemoved(companyId, keys.length);
    },
    async schedulePulls() {
      const { pulls, isComplete } = await schedulePulls({ db, clock, queue });
      report.pullsScheduled(pulls, isComplete);
    },
    pullRosters: (companyId, hrIntegrationId) =>
      runPulls({ db, clock, queue, signal, report: report.pulls, ...given.connectors }, { companyId, hrIntegrationId }),
    async restoreLostJobs() {
      const { restored } = await restoreLostJobs(db, queue);
      report.restored(restored);
    },
  });
  const stop = async () => {
    // Jobs in progress must end before their connections close.
    stopping.abort();
    await queue.stop();
    report.stop();
    if (given.renderer === undefined) await renderer.stop();
    if (given.invoiceRenderer === undefined) await invoiceRenderer.stop();
    await close();
  };
  return { stop };
}
