import type { FastifyBaseLogger } from 'fastify';
import { fromKysely, PgBoss, type QueueOptions, type QueuePolicy, type SendOptions, type WorkOptions } from 'pg-boss';
import { asCompanyId, type CompanyId } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';

/** The names of all jobs with what each carries. Jobs are delivered at least once: every handler may be repeated. */
interface Jobs {
  'apply-syncs': { companyId: number; hrIntegrationId: number };
  'look-for-days': Record<string, never>;
  'live-days': { companyId: number };
  /** With a month: its tickets are confirmed first. */
  'write-documents': { companyId: number; month: string | null };
  'remove-files': { companyId: number; keys: string[] };
}
type JobName = keyof Jobs;

/**
 * A worker that is killed stops its heartbeat: after ten seconds the supervisor of any other worker hands its job on, well
 * within the thirty seconds that a sync may be delayed by it. `short`: what waits already need not wait twice.
 */
const everyJob = { notify: true, heartbeatSeconds: 10, retryLimit: 100, retryDelay: 1, deleteAfterSeconds: 3600 };
/** Being killed counts as an attempt too: however often it happens, the job is resumed within those thirty seconds. */
const backoff = { retryBackoff: true, retryDelayMax: 10 };
const queues: Record<JobName, QueueOptions & { policy?: QueuePolicy }> = {
  'apply-syncs': everyJob,
  'look-for-days': { ...everyJob, policy: 'short' },
  'live-days': { ...everyJob, ...backoff, policy: 'short' },
  // Not `short`: one that waits already may begin before the transaction that asks has ended, and not see its documents.
  'write-documents': { ...everyJob, ...backoff },
  'remove-files': { ...everyJob, retryBackoff: true, retryDelayMax: 3600 },
};

/** Shortly after midnight in every time zone there is, and soon after a time without workers. */
const dailyRunSchedule = '*/5 * * * *';

/** Adds jobs. In the caller's transaction: the job exists if and only if what it is about does. */
export interface Enqueue {
  enqueueSync(tx: Tx, companyId: CompanyId, hrIntegrationId: number): Promise<void>;
  enqueueDocuments(tx: Tx, companyId: CompanyId, month: string | null): Promise<void>;
  enqueueFileRemoval(tx: Tx, companyId: CompanyId, keys: string[]): Promise<void>;
}

export interface Queue extends Enqueue {
  enqueueDailyRuns(companyIds: readonly CompanyId[]): Promise<void>;
  work(handlers: Handlers): Promise<void>;
  stop(): Promise<void>;
}

export interface Handlers {
  applySyncs(companyId: CompanyId, hrIntegrationId: number): Promise<void>;
  scheduleDailyRuns(): Promise<void>;
  runDaily(companyId: CompanyId): Promise<void>;
  writeDocuments(companyId: CompanyId, month: string | null): Promise<void>;
  removeFiles(keys: string[]): Promise<void>;
}

interface Options {
  url: string;
  /** Whether this process works on jobs, or only adds them. */
  worker: boolean;
  log: FastifyBaseLogger;
}

/** How many syncs of different companies a process applies side by side. */
const syncConcurrency = 2;

/** The queue's own statements are short; one that is never answered would stop a worker's loop for ever. */
const answerWithin = { query_timeout: 20_000 };

/** The queue's workers tell of errors by plain objects, of which a log line would not say what has happened. */
const asError = (told: Error) => (told instanceof Error ? told : Object.assign(new Error(), told));

const connection = (url: string) => ({
  ...answerWithin,
  connectionString: url,
  application_name: 'transit queue',
  schema: 'queue',
  connectionTimeoutMillis: 5_000,
  persistWarnings: false,
});

/** Creates or migrates the tables of the queue and brings its settings up to date, on a connection of their owner. */
export async function prepareQueue(url: string): Promise<void> {
  const boss = new PgBoss({ ...connection(url), max: 1, supervise: false, schedule: false });
  // Its calls reject as well; without a listener the event would end the process.
  boss.on('error', () => {});
  try {
    await boss.start();
    for (const [name, { policy, ...settings }] of Object.entries(queues)) {
      await boss.createQueue(name, { ...settings, ...(policy ? { policy } : {}) });
      // One that was there before keeps what it was made with.
      await boss.updateQueue(name, settings);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Opens a queue that `prepareQueue` has prepared. Only rows are read and written here. */
export async function openQueue({ url, worker, log }: Options): Promise<Queue> {
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
  boss.on('error', (error) => log.warn({ err: asError(error) }, 'queue lost its connection'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'queue warning'));
  await boss.start();
  if (worker) await boss.schedule('look-for-days', dailyRunSchedule);

  let stopped: Promise<void> | undefined;
  const send = async <Name extends JobName>(name: Name, data: Jobs[Name], options: SendOptions, tx?: Tx) => {
    await boss.send(name, data, { ...options, ...(tx ? { db: fromKysely(tx) } : {}) });
  };

  async function work<Name extends JobName>(
    name: Name,
    handle: (data: Jobs[Name]) => Promise<void>,
    options: WorkOptions = {},
  ) {
    const usual = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };
    const worker: string = await boss.work<Jobs[Name]>(name, { ...usual, ...options }, async (jobs) => {
      for (const { data } of jobs) {
        try {
          await handle(data);
        } catch (error) {
          if (stopped === undefined) log.error({ err: error, job: name, data }, 'job failed; it is tried again');
          throw error;
        }
      }
      // It looks for the next job at once; otherwise it would sleep between two that wait already.
      boss.notifyWorker(worker);
    });
  }

  return {
    enqueueSync: (tx, companyId, hrIntegrationId) =>
      send('apply-syncs', { companyId, hrIntegrationId }, { group: { id: String(companyId) } }, tx),
    enqueueDocuments: (tx, companyId, month) =>
      send('write-documents', { companyId, month }, { group: { id: String(companyId) } }, tx),
    enqueueFileRemoval: (tx, companyId, keys) => send('remove-files', { companyId, keys }, {}, tx),
    async enqueueDailyRuns(companyIds) {
      for (const companyId of companyIds) await send('live-days', { companyId }, { singletonKey: String(companyId) });
    },
    async work(handlers) {
      // One sync of a company at a time, on whichever process: another would only wait for its lock, and keep a place.
      for (let count = 0; count < syncConcurrency; count++) {
        await work(
          'apply-syncs',
          ({ companyId, hrIntegrationId }) => handlers.applySyncs(asCompanyId(companyId), hrIntegrationId),
          { groupConcurrency: 1 },
        );
      }
      await work('look-for-days', () => handlers.scheduleDailyRuns());
      await work('live-days', ({ companyId }) => handlers.runDaily(asCompanyId(companyId)));
      // Nor does another process write the same documents meanwhile.
      await work('write-documents', ({ companyId, month }) => handlers.writeDocuments(asCompanyId(companyId), month), {
        groupConcurrency: 1,
      });
      await work('remove-files', ({ keys }) => handlers.removeFiles(keys));
      await send('look-for-days', {}, {});
    },
    stop: () => {
      stopped ??= boss.stop({ graceful: true, timeout: 6_000 });
      return stopped;
    },
  };
}
