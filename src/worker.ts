import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock.ts';
import { catchUp, listDueCompanies } from './daily-run/run.ts';
import type { Database } from './db/database.ts';
import { type Renderer, startRenderer } from './documents/pdf/renderer.ts';
import type { DocumentStore } from './documents/store.ts';
import { writeDocuments } from './documents/write.ts';
import { runOldestSync } from './hr-integrations/sync/run.ts';
import type { Queue } from './jobs/queue.ts';
import type { Metrics } from './metrics/metrics.ts';

export interface WorkerDeps {
  /** A separate pool, because a large roster takes longer than a request may. */
  database: Pick<Database, 'db' | 'close'>;
  queue: Queue;
  clock: Clock;
  documents: DocumentStore;
  /** A renderer that others use too, and that its owner stops. Absent: the worker has its own. */
  renderer?: Renderer;
  metrics: Metrics;
  log: FastifyBaseLogger;
}

/** Starts working on the jobs of the queue. */
export async function startWorker(given: WorkerDeps) {
  const { queue, clock, documents, log, renderer = startRenderer() } = given;
  const { db, close } = given.database;
  const stopping = new AbortController();
  const { signal } = stopping;
  const deps = { clock, queue };
  await queue.work({
    applySyncs: (companyId, hrIntegrationId) =>
      runOldestSync(
        {
          db,
          deps,
          queue,
          signal,
          onError: (error, sync) => log.error({ err: error, ...sync }, 'sync failed'),
        },
        { companyId, hrIntegrationId },
      ),
    scheduleDailyRuns: async () => queue.enqueueDailyRuns(await listDueCompanies(db, clock)),
    async runDaily(companyId) {
      const result = await catchUp(db, deps, companyId, signal);
      if (result.days > 0) log.info({ companyId, ...result }, 'daily run finished');
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
          onError: (error, document) => log.error({ err: error, ...document }, 'document rendering failed'),
        },
        companyId,
        month,
      ),
    async removeFiles(keys) {
      for (const key of keys) await documents.remove(key);
    },
  });
  const stop = async () => {
    // Jobs in progress must end before their connections close.
    stopping.abort();
    await queue.stop();
    if (given.renderer === undefined) await renderer.stop();
    await close();
  };
  return { stop };
}
