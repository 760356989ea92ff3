import type { FastifyBaseLogger } from 'fastify';
import { fromKysely, PgBoss } from 'pg-boss';
import { asCompanyId, type CompanyId } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';

/** The names of all jobs with what each carries. Jobs are delivered at least once: every handler may be repeated. */
interface Jobs {
  'apply-syncs': { companyId: number; hrIntegrationId: number };
}

const applySyncs = 'apply-syncs';

export interface Queue {
  /** In the caller's transaction: the job exists if and only if the sync does. */
  enqueueSync(tx: Tx, companyId: CompanyId, hrIntegrationId: number): Promise<void>;
  work(handlers: Handlers): Promise<void>;
  stop(): Promise<void>;
}

export interface Handlers {
  applySyncs(companyId: CompanyId, hrIntegrationId: number): Promise<void>;
}

interface Options {
  url: string;
  /** Whether this process works on jobs, or only adds them. */
  worker: boolean;
  log: FastifyBaseLogger;
}

/** How many syncs of different companies a process applies side by side. */
const concurrency = 2;

/**
 * A worker that is killed stops its heartbeat: after ten seconds the supervisor of any other worker hands its job on, well
 * within the thirty seconds that a sync may be delayed by it.
 */
export async function openQueue({ url, worker, log }: Options): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'transit queue',
    schema: 'queue',
    max: 4,
    connectionTimeoutMillis: 5_000,
    useListenNotify: worker,
    supervise: worker,
    schedule: worker,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    persistWarnings: false,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'queue lost its connection'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'queue warning'));
  await boss.start();
  await boss.createQueue(applySyncs, {
    notify: true,
    heartbeatSeconds: 10,
    retryLimit: 100,
    retryDelay: 1,
    deleteAfterSeconds: 3600,
  });
  let stopped: Promise<void> | undefined;
  return {
    async enqueueSync(tx, companyId, hrIntegrationId) {
      const data: Jobs[typeof applySyncs] = { companyId, hrIntegrationId };
      await boss.send(applySyncs, data, { db: fromKysely(tx), group: { id: String(companyId) } });
    },
    async work(handlers) {
      // One job of a company at a time, on whichever process: another would only wait for its lock, and keep a place.
      const options = { groupConcurrency: 1, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };
      for (let count = 0; count < concurrency; count++) {
        const worker: string = await boss.work<Jobs[typeof applySyncs]>(applySyncs, options, async (jobs) => {
          for (const { data } of jobs) await handlers.applySyncs(asCompanyId(data.companyId), data.hrIntegrationId);
          // It looks for the next job at once; otherwise it would sleep between two that wait already.
          boss.notifyWorker(worker);
        });
      }
    },
    stop: () => {
      stopped ??= boss.stop({ graceful: true, timeout: 6_000 });
      return stopped;
    },
  };
}
