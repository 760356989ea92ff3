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
import type { CompanyId } from '../db/company-scope.ts';
import { connectMillisOf } from '../db/connect-timeout.ts';
import type { Tx } from '../db/database.ts';
import { requireTwoPhaseCommit } from '../db/two-phase-commit.ts';
import { type Metrics, noMetrics } from '../telemetry/metrics.ts';
import { type Carrier, inSpan, type SpanOptions, type Tracing } from '../telemetry/tracing/tracing.ts';
import { createSetAside } from './set-aside.ts';

/** All jobs and their data. Jobs are delivered at least once, so every handler must be safe to repeat. */
interface Jobs {
  'apply-syncs': OfIntegration;
  'schedule-daily-runs': object;
  'run-daily': OfCompany;
  /** With a month, the tickets of that month are confirmed first. */
  'write-documents': OfCompany & { month: string | null };
  'write-invoices': OfCompany;
  'remove-files': OfCompany & { keys: string[] };
  'decide-contracts': OfCompany;
  'send-mails': OfCompany;
  /** With a month, the mails about its tickets are written first. */
  'send-employee-mails': OfCompany & { month?: string };
  /** Encrypted, because it names an address (features/employee-access/links.ts). */
  'mail-access-link': { request: string };
  'restore-lost-jobs': object;
  'expire-requests': object;
  'schedule-pulls': object;
  'pull-rosters': OfIntegration;
  'process-orders': OfCompany;
  'collect-scim-changes': OfIntegration;
}
interface OfCompany {
  companyId: CompanyId;
}
interface OfIntegration extends OfCompany {
  hrIntegrationId: number;
}

type JobName = keyof Jobs;

/**
 * A killed worker stops its heartbeat. After ten seconds the supervisor of any other worker reassigns its job, well
 * within the thirty seconds that this may delay a sync. `short`: a job that is already waiting is not queued a second
 * time. A job is repeated until it succeeds, because a node of a Citus cluster or the document store may be out of reach
 * for hours while the queue works.
 */
const everyJob = { notify: true, heartbeatSeconds: 10, retryLimit: 1_000_000, retryDelay: 1, deleteAfterSeconds: 3600 };
/** Being killed counts as an attempt. Without a growing delay, the jobs of a dead node would take up the workers. */
const backoff = { retryBackoff: true, retryDelayMax: 10 };
const short: { policy: QueuePolicy } = { policy: 'short' };

/** What a transaction enqueues is not `short`: a waiting job may begin before the transaction has committed. */
const queues: Record<JobName, QueueOptions & { policy?: QueuePolicy }> = {
  'apply-syncs': backoff,
  'schedule-daily-runs': { ...backoff, ...short },
  'run-daily': { ...backoff, ...short },
  'write-documents': backoff,
  'write-invoices': backoff,
  'decide-contracts': backoff,
  'remove-files': { retryBackoff: true, retryDelayMax: 3600 },
  'send-mails': backoff,
  'send-employee-mails': backoff,
  'mail-access-link': backoff,
  'restore-lost-jobs': { ...backoff, ...short },
  'expire-requests': { ...backoff, ...short },
  'schedule-pulls': { ...backoff, ...short },
  'pull-rosters': backoff,
  'process-orders': backoff,
  'collect-scim-changes': backoff,
};

/** The daily run begins shortly after midnight in every time zone, and soon after a period without workers. */
const schedules: Partial<Record<JobName, string>> = {
  'schedule-daily-runs': '*/5 * * * *',
  'restore-lost-jobs': '* * * * *',
  'schedule-pulls': '* * * * *',
  'expire-requests': '23 * * * *',
};

/** How many jobs of a queue one process works on at once, by default one: slow companies must not delay others. */
const workers: Partial<Record<JobName, number>> = {
  ...{ 'apply-syncs': 2, 'send-mails': 2, 'pull-rosters': 2, 'mail-access-link': 2 },
  'process-orders': 2,
};

/** Of these, all processes together work on one job per group: a second one would only wait for a lock, or do the same. */
const grouped: readonly JobName[] = [
  'apply-syncs',
  'write-documents',
  'write-invoices',
  'decide-contracts',
  'send-mails',
  'send-employee-mails',
  'pull-rosters',
  'process-orders',
  'collect-scim-changes',
];

/** Adds jobs in the transaction of the caller, so that a job exists if and only if its data does, also on Citus. */
export interface Enqueue {
  enqueueSync(tx: Tx, companyId: CompanyId, hrIntegrationId: number): Promise<void>;
  enqueueDocuments(tx: Tx, companyId: CompanyId, month: string | null): Promise<void>;
  enqueueInvoices(tx: Tx, companyId: CompanyId): Promise<void>;
  enqueueFileRemoval(tx: Tx, companyId: CompanyId, keys: string[]): Promise<void>;
  enqueueContracts(tx: Tx, companyId: CompanyId): Promise<void>;
  enqueueMails(tx: Tx, companyId: CompanyId): Promise<void>;
  /** Those that are sent at the operator's rate. Jobs with confirmations go first. */
  enqueueEmployeeMails(tx: Tx, companyId: CompanyId, mails: 'confirmations' | 'bulk'): Promise<void>;
  enqueueTicketMails(tx: Tx, companyId: CompanyId, month: string): Promise<void>;
  enqueueAccessLink(request: string): Promise<void>;
  enqueuePull(tx: Tx, companyId: CompanyId, hrIntegrationId: number): Promise<void>;
  /** Adds the job that works on orders of tickets, to be started after so many seconds. */
  enqueueOrders(tx: Tx, companyId: CompanyId, afterSeconds?: number): Promise<void>;
  /** Adds the job that makes a sync of the changes by SCIM, to be started after so many seconds. */
  enqueueScimChanges(tx: Tx, companyId: CompanyId, hrIntegrationId: number, afterSeconds: number): Promise<void>;
}

export interface Queue extends Enqueue {
  enqueueDailyRuns(companyIds: readonly CompanyId[]): Promise<void>;
  work(handlers: Handlers): Promise<void>;
  isConsuming(): boolean;
  stop(): Promise<void>;
}

export type Handlers = { [Name in JobName]: (data: Jobs[Name]) => Promise<void> } & {
  /** Ends pulls whose job is set aside, so that the company learns of it. */
  refusePulls(data: OfIntegration): Promise<void>;
};

interface Options {
  url: string;
  worker: boolean;
  log: FastifyBaseLogger;
  metrics?: Pick<Metrics, 'recordJob'>;
  tracing?: Tracing | undefined;
}

/** A worker fetches every two seconds. A fetch ends, or fails, within the time limit of a statement below. */
const maxSilenceMillis = 60_000;

/** The queue's own statements are short. One that never gets a response would block the loop of a worker forever. */
const timeouts = { query_timeout: 20_000 };
/** Its tables are created by one long script, which takes a while on a busy server. */
const preparationTimeouts = { query_timeout: 300_000 };

/** Converts the plain objects by which workers report errors, which would be logged without their message. */
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

/** Creates or migrates the tables of the queue and updates its settings, on a connection of the owner. */
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
    for (const [name, { policy, ...own }] of Object.entries(queues)) {
      const settings = { ...everyJob, ...own };
      await boss.createQueue(name, { ...settings, ...(policy ? { policy } : {}) });
      // `createQueue` does not change the settings of an existing queue.
      await boss.updateQueue(name, settings);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Describes the span of a job, in the trace that enqueued it, unless the number of such jobs has no limit. */
function describeJob(name: JobName, id: string, data: object & { companyId?: number; trace?: Carrier }): SpanOptions {
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
    for (const [name, schedule] of Object.entries(schedules)) await boss.schedule(name, schedule);
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
    onSetAside: (data: Jobs[Name]) => Promise<void> = async () => {},
  ) {
    const options: WorkOptions & { includeMetadata: true } = {
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 2,
      includeMetadata: true,
      ...(grouped.includes(name) ? { groupConcurrency: 1 } : {}),
    };
    const worker: string = await boss.work<Jobs[Name]>(name, options, async (jobs) => {
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
    });
  }

  const ofCompany = (companyId: CompanyId) => ({ group: { id: String(companyId) } });
  return {
    enqueueSync: (tx, companyId, hrIntegrationId) =>
      send('apply-syncs', { companyId, hrIntegrationId }, ofCompany(companyId), tx),
    enqueueDocuments: (tx, companyId, month) => send('write-documents', { companyId, month }, ofCompany(companyId), tx),
    enqueueInvoices: (tx, companyId) => send('write-invoices', { companyId }, ofCompany(companyId), tx),
    enqueueContracts: (tx, companyId) => send('decide-contracts', { companyId }, ofCompany(companyId), tx),
    enqueueFileRemoval: (tx, companyId, keys) => send('remove-files', { companyId, keys }, {}, tx),
    enqueueMails: (tx, companyId) => send('send-mails', { companyId }, ofCompany(companyId), tx),
    enqueueEmployeeMails: (tx, companyId, mails) =>
      send('send-employee-mails', { companyId }, { ...ofCompany(companyId), priority: mails === 'bulk' ? 0 : 1 }, tx),
    enqueueAccessLink: (request) => send('mail-access-link', { request }, {}),
    enqueueTicketMails: (tx, companyId, month) =>
      send('send-employee-mails', { companyId, month }, ofCompany(companyId), tx),
    enqueuePull: (tx, companyId, hrIntegrationId) =>
      send('pull-rosters', { companyId, hrIntegrationId }, { group: { id: `${companyId} ${hrIntegrationId}` } }, tx),
    enqueueOrders: (tx, companyId, startAfter = 0) =>
      send('process-orders', { companyId }, { ...ofCompany(companyId), startAfter }, tx),
    enqueueScimChanges: (tx, companyId, hrIntegrationId, startAfter) =>
      send('collect-scim-changes', { companyId, hrIntegrationId }, { ...ofCompany(companyId), startAfter }, tx),
    async enqueueDailyRuns(companyIds) {
      for (const companyId of companyIds) await send('run-daily', { companyId }, { singletonKey: String(companyId) });
    },
    async work({ refusePulls, ...handlers }) {
      const start = async <Name extends JobName>(name: Name) => {
        const handle = handlers[name] as (data: Jobs[Name]) => Promise<void>;
        const onSetAside = name === 'pull-rosters' ? (refusePulls as typeof handle) : undefined;
        for (let count = 0; count < (workers[name] ?? 1); count++) await work(name, handle, onSetAside);
      };
      for (const name of Object.keys(queues) as JobName[]) await start(name);
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
