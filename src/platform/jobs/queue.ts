import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import {
  fromKysely,
  type JobWithMetadata,
  PgBoss,
  type QueueOptions,
  type QueuePolicy,
  type SendOptions,
  type WorkOptions,
} from 'pg-boss';
import { asCompanyId, type CompanyId } from '../db/company-scope.ts';
import { connectMillisOf } from '../db/connect-timeout.ts';
import type { Tx } from '../db/database.ts';
import { requireTwoPhaseCommit } from '../db/two-phase-commit.ts';
import { type Metrics, noMetrics } from '../telemetry/metrics.ts';
import { type Carrier, inSpan, type SpanOptions, type Tracing } from '../telemetry/tracing/tracing.ts';
import { createSetAside } from './set-aside.ts';

/** All jobs and their data. Jobs are delivered at least once, so every handler must be safe to repeat. */
interface Jobs {
  'apply-syncs': { companyId: number; hrIntegrationId: number };
  'schedule-daily-runs': Record<string, never>;
  'run-daily': { companyId: number };
  /** With a month, the tickets of that month are confirmed first. */
  'write-documents': { companyId: number; month: string | null };
  'write-invoices': { companyId: number };
  'remove-files': { companyId: number; keys: string[] };
  'decide-contracts': { companyId: number };
  'send-mails': { companyId: number };
  'restore-lost-jobs': Record<string, never>;
  'expire-requests': Record<string, never>;
  'schedule-pulls': Record<string, never>;
  'pull-rosters': { companyId: number; hrIntegrationId: number };
}
type JobName = keyof Jobs;

/**
 * A killed worker stops its heartbeat. After ten seconds the supervisor of any other worker reassigns its job, well
 * within the thirty seconds that this may delay a sync. `short`: a job that is already waiting is not queued a second
 * time. A job is repeated until it succeeds, because a node of a Citus cluster or the document store may be out of reach
 * for hours while the queue works.
 */
const everyJob = { notify: true, heartbeatSeconds: 10, retryLimit: 1_000_000, retryDelay: 1, deleteAfterSeconds: 3600 };
/**
 * Being killed also counts as an attempt. The job resumes within those thirty seconds, until it has ended two processes
 * and is set aside (set-aside.ts). Without a growing delay, the jobs of a dead node would take up the workers.
 */
const backoff = { retryBackoff: true, retryDelayMax: 10 };
const queues: Record<JobName, QueueOptions & { policy?: QueuePolicy }> = {
  'apply-syncs': { ...everyJob, ...backoff },
  'schedule-daily-runs': { ...everyJob, ...backoff, policy: 'short' },
  'run-daily': { ...everyJob, ...backoff, policy: 'short' },
  // Not `short`: a waiting job may begin before the transaction that enqueues has committed, and miss its documents.
  'write-documents': { ...everyJob, ...backoff },
  // Not `short` for the same reason.
  'write-invoices': { ...everyJob, ...backoff },
  // Not `short` for the same reason.
  'decide-contracts': { ...everyJob, ...backoff },
  'remove-files': { ...everyJob, retryBackoff: true, retryDelayMax: 3600 },
  // Not `short` for the same reason.
  'send-mails': { ...everyJob, ...backoff },
  'restore-lost-jobs': { ...everyJob, ...backoff, policy: 'short' },
  'expire-requests': { ...everyJob, ...backoff, policy: 'short' },
  'schedule-pulls': { ...everyJob, ...backoff, policy: 'short' },
  'pull-rosters': { ...everyJob, ...backoff },
};

/**
 * Queues of earlier versions. Their jobs need not be moved: each names a company that has days to process, and the first
 * job of a starting worker finds those companies again.
 */
const retiredQueues = ['look-for-days', 'live-days'];

/** Runs shortly after midnight in every time zone, and soon after a period without workers. */
const dailyRunSchedule = '*/5 * * * *';
const lostJobsSchedule = '* * * * *';
const pullSchedule = '* * * * *';
const expirySchedule = '23 * * * *';

/**
 * Adds jobs in the transaction of the caller, so that a job exists if and only if the data it refers to does, also on a
 * Citus cluster.
 */
export interface Enqueue {
  enqueueSync(tx: Tx, companyId: CompanyId, hrIntegrationId: number): Promise<void>;
  enqueueDocuments(tx: Tx, companyId: CompanyId, month: string | null): Promise<void>;
  enqueueInvoices(tx: Tx, companyId: CompanyId): Promise<void>;
  enqueueFileRemoval(tx: Tx, companyId: CompanyId, keys: string[]): Promise<void>;
  enqueueContracts(tx: Tx, companyId: CompanyId): Promise<void>;
  enqueueMails(tx: Tx, companyId: CompanyId): Promise<void>;
  enqueuePull(tx: Tx, companyId: CompanyId, hrIntegrationId: number): Promise<void>;
}

export interface Queue extends Enqueue {
  enqueueDailyRuns(companyIds: readonly CompanyId[]): Promise<void>;
  work(handlers: Handlers): Promise<void>;
  /** Returns whether every worker of this process fetches or processes jobs. */
  isConsuming(): boolean;
  stop(): Promise<void>;
}

export interface Handlers {
  applySyncs(companyId: CompanyId, hrIntegrationId: number): Promise<void>;
  scheduleDailyRuns(): Promise<void>;
  runDaily(companyId: CompanyId): Promise<void>;
  writeDocuments(companyId: CompanyId, month: string | null): Promise<void>;
  writeInvoices(companyId: CompanyId): Promise<void>;
  removeFiles(companyId: CompanyId, keys: string[]): Promise<void>;
  decideContracts(companyId: CompanyId): Promise<void>;
  sendMails(companyId: CompanyId): Promise<void>;
  restoreLostJobs(): Promise<void>;
  expireRequests(): Promise<void>;
  schedulePulls(): Promise<void>;
  pullRosters(companyId: CompanyId, hrIntegrationId: number): Promise<void>;
  /** Ends pulls whose job is set aside, so that the company learns of it. */
  refusePulls(companyId: CompanyId, hrIntegrationId: number): Promise<void>;
}

interface Options {
  url: string;
  /** Whether this process works on jobs or only adds them. */
  worker: boolean;
  log: FastifyBaseLogger;
  metrics?: Pick<Metrics, 'recordJob'>;
  tracing?: Tracing | undefined;
}

/** How many syncs of different companies one process applies concurrently. */
const syncConcurrency = 2;
/** How many HR systems one process reads at the same time. Each takes a connection to the database. */
const pullConcurrency = 2;

/** How many mails one process sends at the same time. */
const mailConcurrency = 2;

/** A worker fetches every two seconds. A fetch ends, or fails, within the time limit of a statement below. */
const maxSilenceMillis = 60_000;

/** The queue's own statements are short. One that never gets a response would block the loop of a worker forever. */
const timeouts = { query_timeout: 20_000 };
/** Its tables are created by one long script, which takes a while on a busy server. */
const preparationTimeouts = { query_timeout: 300_000 };

/**
 * Converts the plain objects by which the queue's workers report errors. Logged as they are, they would lack the
 * message.
 */
const asError = (error: Error) => (error instanceof Error ? error : Object.assign(new Error(), error));

const connection = (url: string) => ({
  ...timeouts,
  connectionString: url,
  application_name: 'transit queue',
  schema: 'queue',
  connectionTimeoutMillis: connectMillisOf(url),
  persistWarnings: false,
});

/** On a Citus cluster, the queue exists on the coordinator only. Plain PostgreSQL ignores the setting. */
const onCoordinator = {
  onConnect: (client: pg.ClientBase) => client.query('set citus.enable_ddl_propagation = off'),
};

/**
 * Creates or migrates the tables of the queue, updates its settings and deletes queues that are no longer used, on a
 * connection of the owner.
 */
export async function prepareQueue(url: string): Promise<void> {
  const boss = new PgBoss({
    ...connection(url),
    ...preparationTimeouts,
    ...onCoordinator,
    max: 1,
    supervise: false,
    schedule: false,
  });
  // Its calls reject as well. Without a listener, the event would end the process.
  boss.on('error', () => {});
  try {
    await boss.start();
    for (const [name, { policy, ...settings }] of Object.entries(queues)) {
      await boss.createQueue(name, { ...settings, ...(policy ? { policy } : {}) });
      // `createQueue` does not change the settings of an existing queue.
      await boss.updateQueue(name, settings);
    }
    for (const name of retiredQueues) {
      await boss.unschedule(name);
      await boss.deleteQueue(name);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/**
 * Describes the span of a job. It continues the trace of the request or job that enqueued it. Jobs that one job enqueues
 * for every company, and those that continue its own work, start traces of their own: their number has no limit.
 */
function describeJob(name: JobName, id: string, data: { companyId?: number; trace?: Carrier }): SpanOptions {
  const spanName = `process ${name}`;
  const startsOwn = name === 'run-daily' || data.trace?.from === spanName;
  return {
    name: spanName,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'pg-boss',
      'messaging.operation.type': 'process',
      'messaging.destination.name': name,
      'messaging.message.id': id,
      ...(data.companyId === undefined ? {} : { 'transit.company_id': data.companyId }),
    },
    [startsOwn ? 'link' : 'parent']: data.trace?.traceparent,
  };
}

/** Opens a queue that `prepareQueue` has prepared. It only reads and writes rows. */
export async function openQueue({ url, worker, log, metrics = noMetrics, tracing }: Options): Promise<Queue> {
  const boss = new PgBoss({
    ...connection(url),
    max: 4,
    migrate: false,
    createSchema: false,
    useListenNotify: worker,
    supervise: worker,
    schedule: worker,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  });
  boss.on('error', (error) => log.warn({ err: asError(error) }, 'queue connection failed'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'queue warning'));
  await boss.start();
  if (worker) {
    await boss.schedule('schedule-daily-runs', dailyRunSchedule);
    await boss.schedule('restore-lost-jobs', lostJobsSchedule);
    await boss.schedule('schedule-pulls', pullSchedule);
    await boss.schedule('expire-requests', expirySchedule);
  }

  let stopped: Promise<void> | undefined;
  let isWorking = false;
  const setAside = createSetAside(boss.getDb());
  const send = async <Name extends JobName>(name: Name, data: Jobs[Name], options: SendOptions, tx?: Tx) => {
    const trace = tracing?.carrier();
    const carried = trace === undefined ? data : { ...data, trace };
    await boss.send(name, carried, { ...options, ...(tx ? { db: fromKysely(tx) } : {}) });
    if (tx) await requireTwoPhaseCommit(tx);
  };

  async function work<Name extends JobName>(
    name: Name,
    handle: (data: Jobs[Name]) => Promise<void>,
    options: WorkOptions = {},
    onSetAside: (data: Jobs[Name]) => Promise<void> = async () => {},
  ) {
    const usual = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };
    const worker: string = await boss.work<Jobs[Name]>(
      name,
      { ...usual, ...options, includeMetadata: true },
      async (jobs) => {
        for (const { id, data, output } of jobs as JobWithMetadata<Jobs[Name]>[]) {
          const start = performance.now();
          try {
            const admitted = await setAside.admit({ id, name, data, output });
            if (admitted === 'set-aside') log.error({ job: name, jobId: id, data }, 'job set aside');
            if (admitted !== 'run') {
              await onSetAside(data);
              continue;
            }
            if (tracing === undefined) await handle(data);
            else await inSpan(tracing, describeJob(name, id, data), () => handle(data));
            metrics.recordJob(name, true, performance.now() - start);
          } catch (error) {
            metrics.recordJob(name, false, performance.now() - start);
            if (stopped === undefined) log.error({ err: error, job: name, data }, 'job failed, will be retried');
            throw error;
          } finally {
            setAside.survive(id);
          }
        }
        // Fetch the next job immediately. Otherwise the worker would sleep between two jobs that are already waiting.
        boss.notifyWorker(worker);
      },
    );
  }

  return {
    enqueueSync: (tx, companyId, hrIntegrationId) =>
      send('apply-syncs', { companyId, hrIntegrationId }, { group: { id: String(companyId) } }, tx),
    enqueueDocuments: (tx, companyId, month) =>
      send('write-documents', { companyId, month }, { group: { id: String(companyId) } }, tx),
    enqueueInvoices: (tx, companyId) => send('write-invoices', { companyId }, { group: { id: String(companyId) } }, tx),
    enqueueContracts: (tx, companyId) =>
      send('decide-contracts', { companyId }, { group: { id: String(companyId) } }, tx),
    enqueueFileRemoval: (tx, companyId, keys) => send('remove-files', { companyId, keys }, {}, tx),
    enqueueMails: (tx, companyId) => send('send-mails', { companyId }, { group: { id: String(companyId) } }, tx),
    enqueuePull: (tx, companyId, hrIntegrationId) =>
      send('pull-rosters', { companyId, hrIntegrationId }, { group: { id: `${companyId} ${hrIntegrationId}` } }, tx),
    async enqueueDailyRuns(companyIds) {
      for (const companyId of companyIds) await send('run-daily', { companyId }, { singletonKey: String(companyId) });
    },
    async work(handlers) {
      // Apply one sync per company at a time across all processes. A second one would only wait for the lock and occupy
      // a worker.
      for (let count = 0; count < syncConcurrency; count++) {
        await work(
          'apply-syncs',
          ({ companyId, hrIntegrationId }) => handlers.applySyncs(asCompanyId(companyId), hrIntegrationId),
          { groupConcurrency: 1 },
        );
      }
      await work('schedule-daily-runs', () => handlers.scheduleDailyRuns());
      await work('run-daily', ({ companyId }) => handlers.runDaily(asCompanyId(companyId)));
      // Likewise, no other process may write the same documents at the same time.
      await work('write-documents', ({ companyId, month }) => handlers.writeDocuments(asCompanyId(companyId), month), {
        groupConcurrency: 1,
      });
      await work('write-invoices', ({ companyId }) => handlers.writeInvoices(asCompanyId(companyId)), {
        groupConcurrency: 1,
      });
      await work('decide-contracts', ({ companyId }) => handlers.decideContracts(asCompanyId(companyId)), {
        groupConcurrency: 1,
      });
      await work('remove-files', ({ companyId, keys }) => handlers.removeFiles(asCompanyId(companyId), keys));
      // A company with many mails must not delay those of others.
      for (let count = 0; count < mailConcurrency; count++) {
        await work('send-mails', ({ companyId }) => handlers.sendMails(asCompanyId(companyId)), {
          groupConcurrency: 1,
        });
      }
      await work('restore-lost-jobs', () => handlers.restoreLostJobs());
      await work('expire-requests', () => handlers.expireRequests());
      await work('schedule-pulls', () => handlers.schedulePulls());
      // An HR system that answers slowly must not delay those of other companies.
      for (let count = 0; count < pullConcurrency; count++) {
        await work(
          'pull-rosters',
          ({ companyId, hrIntegrationId }) => handlers.pullRosters(asCompanyId(companyId), hrIntegrationId),
          { groupConcurrency: 1 },
          ({ companyId, hrIntegrationId }) => handlers.refusePulls(asCompanyId(companyId), hrIntegrationId),
        );
      }
      await send('schedule-daily-runs', {}, {});
      await send('schedule-pulls', {}, {});
      isWorking = true;
    },
    isConsuming() {
      if (!isWorking || stopped !== undefined) return false;
      const since = Date.now() - maxSilenceMillis;
      return boss
        .getWipData()
        .every(({ count, lastFetchedOn, createdOn }) => count > 0 || (lastFetchedOn ?? createdOn) > since);
    },
    stop: () => {
      stopped ??= boss.stop({ graceful: true, timeout: 6_000 });
      return stopped;
    },
  };
}
