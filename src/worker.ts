import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import { applySyncs } from './hr-integrations/sync/apply.ts';
import type { Queue } from './jobs/queue.ts';

/** Works on the jobs of the queue, on connections of its own: a large roster takes longer than a request may. */
export async function startWorker(
  { db, close }: Pick<Database, 'db' | 'close'>,
  queue: Queue,
  clock: Clock,
  log: FastifyBaseLogger,
) {
  const stopping = new AbortController();
  await queue.work({
    applySyncs: (companyId, hrIntegrationId) =>
      applySyncs(
        {
          db,
          clock,
          signal: stopping.signal,
          onError: (error, sync) => log.error({ err: error, ...sync }, 'sync could not be applied'),
        },
        { companyId, hrIntegrationId },
      ),
  });
  const stop = async () => {
    // Jobs under way end before their connections do.
    stopping.abort();
    await queue.stop();
    await close();
  };
  return { stop };
}
