import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyBaseLogger } from 'fastify';
import { readConnectorSettings } from '../features/connectors/pull/open-connection.ts';
import { type DocumentStore, openDocumentStore } from '../features/documents/files.ts';
import { createNotices } from '../features/notices/notices.ts';
import { createMail } from '../features/notices/queue.ts';
import { openWallets } from '../features/wallet/wallets.ts';
import { startWebhooks, type WebhookDeps } from '../features/webhooks/start.ts';
import { type Clock, openClock } from '../platform/clock/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { readVersion } from '../platform/config/version.ts';
import type { Encryption } from '../platform/crypto/encryption.ts';
import { openEncryption } from '../platform/crypto/open-encryption.ts';
import { openSecret } from '../platform/crypto/open-secret.ts';
import type { Database, Db } from '../platform/db/database.ts';
import { listenOn } from '../platform/db/listen.ts';
import { type OpenDatabase, openDatabase } from '../platform/db/open-database.ts';
import { stopListening } from '../platform/http/drain.ts';
import { createLinks } from '../platform/http/links.ts';
import { reservePort } from '../platform/http/reserve-port.ts';
import { slotLimits } from '../platform/http/slot-limits.ts';
import { type Enqueue, openQueue } from '../platform/jobs/queue.ts';
import { openTransport } from '../platform/mail-transport/transport.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { Tracing } from '../platform/telemetry/tracing/tracing.ts';
import { assertPagesBuilt, findPages } from '../portal/build.ts';
import { buildApp } from './app.ts';
import { type MonitoredSources, startMonitoring } from './monitoring/monitoring.ts';
import { startWorker } from './worker.ts';
import { createWebhookReport } from './worker-report.ts';

export interface Service {
  /** The address that the service listens on. With PORT=0 the operating system chooses the port. */
  address: string;
  /** The URL at which clients reach the service. */
  publicUrl: string;
  db: Db;
  clock: Clock;
  queue: Enqueue;
  documents: DocumentStore;
  stop(): Promise<void>;
}

type Stops = ReturnType<typeof createStops>;

/** Tells the operator why the port cannot be used. */
async function explainPort<T>(listening: Promise<T>, { host, port }: Config): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `Port ${port} is in use. Stop the process that listens on it, or set PORT to another port.`,
      );
    }
    if (code === 'EACCES')
      throw new OperatorError(`This user may not open port ${port}. Set PORT to a port above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new OperatorError(
        `HOST=${host} is not an address of this machine. Set HOST to one of its addresses, such as 127.0.0.1.`,
      );
    throw error;
  }
}

/**
 * Throws if the port is in use, before anything has begun. Reserves a port of the operating system's choice if PORT=0:
 * links contain the port, so it is reserved before they are created and released to be listened on.
 */
async function takePort(config: Config, stops: Stops): Promise<{ config: Config; release(): Promise<void> }> {
  const { port, release } = await explainPort(reservePort(config.host, config.port), config);
  // A known port is free. Clients that try it before the service is ready are refused and not left waiting.
  if (config.port !== 0) await release();
  stops.add(release);
  const publicUrl = config.publicUrl.replace(/^http:\/\/localhost:0$/, `http://localhost:${port}`);
  return { config: { ...config, port, publicUrl }, release };
}

/**
 * Returns the memory that only the start needed, a fifth of all. Without this, the process keeps it, since it has no
 * reason to collect garbage while it is idle. Takes a tenth of a second, so it happens before requests arrive.
 */
function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}

/**
 * How many new connections may wait to be accepted, unless the operating system allows fewer. With Node's 511, the
 * connections of a sudden crowd are dropped without an answer, and their clients try again after one second or more.
 */
const backlog = 4_096;

const listen = (app: Awaited<ReturnType<typeof buildApp>>, config: Config): Promise<string> =>
  explainPort(app.listen({ host: config.host, port: config.port, backlog }), config);

/** Collects stop functions and runs them in reverse order. */
function createStops() {
  const stops: (() => Promise<unknown>)[] = [];
  return {
    add: (stop: () => Promise<unknown>) => stops.push(stop),
    async all(): Promise<void> {
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
    },
  };
}

/** Warns because, with the owner's privileges, a mistake in one statement could change tables or the audit log. */
function warnIfOwner({ role }: OpenDatabase, log: FastifyBaseLogger): void {
  if (!role.isOwner) return;
  const remedy = 'set DATABASE_URL to a separate role and DATABASE_OWNER_URL to the owner (docs/operate/install.md)';
  log.warn({ role: role.name, remedy }, 'running as the owner of the tables, which can rewrite the audit log');
}

interface OpenOptions {
  config: Config;
  log: FastifyBaseLogger;
  role: 'serve' | 'command';
  worker: boolean;
  metrics: Metrics;
  stops: Stops;
  tracing: Tracing | undefined;
}

/** Opens the dependencies that the API and the worker share. */
async function openDeps({ config, log, role, worker, metrics, stops, tracing }: OpenOptions) {
  const onError = (error: Error) => log.warn({ err: error }, 'idle database connection lost');
  const database = await openDatabase(config, { role, onError, log, tracing });
  stops.add(database.close);
  warnIfOwner(database, log);
  const queue = await openQueue({ url: database.url, worker, log, metrics, tracing });
  stops.add(queue.stop);
  const clock = await openClock(database.db, config.environment);
  stops.add(clock.stop);
  const documents = await openDocumentStore(config.documentStore);
  return { database, queue, clock, documents };
}

/** Opens what all parts write mails with. */
function openMailing(config: Config, encryption: Encryption, queue: Pick<Enqueue, 'enqueueMails'>) {
  const mail = createMail({ isConfigured: config.smtp !== undefined, encryption, queue });
  return { mail, notices: createNotices(mail, config.publicUrl) };
}

/** Opens what the worker sends mails with. */
const openMail = (config: Config, encryption: Encryption) => ({
  encryption,
  publicUrl: config.publicUrl,
  transport: config.smtp && openTransport(config.smtp),
});

const openWorkerDatabase = (database: OpenDatabase) => database.connect({ max: 6, streaming: true });

/** Starts to deliver webhooks, on connections of its own. Returns how many of them are in use. */
async function startDelivering(
  database: OpenDatabase,
  {
    config,
    metrics,
    log,
    stops,
    ...deps
  }: Pick<OpenOptions, 'config' | 'metrics' | 'log' | 'stops'> & Pick<WebhookDeps, 'encryption' | 'notices'>,
): Promise<Database['usage']> {
  const delivering = database.connect({ max: 3, streaming: false });
  const report = createWebhookReport(log, metrics);
  const webhooks = startWebhooks({
    database: delivering,
    listen: listenOn(database.url),
    ...deps,
    links: createLinks(config.publicUrl),
    rules: { allowPrivate: config.webhookAllowPrivate },
    report,
  });
  stops.add(async () => {
    await webhooks.stop();
    report.stop();
  });
  return delivering.usage;
}

/** Returns what both kinds of process report to operators. */
function monitoredSources(config: Config, database: OpenDatabase): Omit<MonitoredSources, 'clock' | 'pools'> {
  const { dataDir, documentStore } = config;
  const isFolder = !documentStore.startsWith('s3:');
  return {
    version: readVersion(),
    connect: () => database.connect({ max: 2, streaming: false }),
    certificates: {},
    folders: { data: dataDir, ...(isFolder ? { documents: documentStore } : {}) },
  };
}

/** Starts metrics, database, queue, worker and HTTP application in this order. They stop in reverse order. */
export async function startService(initial: Config, log: FastifyBaseLogger, tracing?: Tracing): Promise<Service> {
  if (initial.portal && initial.environment === 'production') await assertPagesBuilt();
  const stops = createStops();
  try {
    return await startParts(initial, { log, stops, tracing });
  } catch (error) {
    // What has started, such as the reserved port, would keep the process running.
    await stops.all();
    throw error;
  }
}

type PartsOptions = Pick<OpenOptions, 'log' | 'stops' | 'tracing'>;

async function startParts(initial: Config, { log, stops, tracing }: PartsOptions): Promise<Service> {
  const monitoring = await startMonitoring(initial, { port: initial.metricsPort, setting: 'METRICS_PORT' }, log);
  stops.add(monitoring.stop);
  const { metrics } = monitoring;
  const { config, release } = await takePort(initial, stops);
  const wallets = await openWallets(config, log);
  // On staging, builds the pages, if needed, while the database starts.
  const pages = config.portal ? findPages(config, log) : undefined;
  const options = { config, log, role: 'serve', worker: config.worker, metrics, stops, tracing } as const;
  const { database, queue, clock, documents } = await openDeps(options);
  const pools: Record<string, Database['usage']> = { requests: database.usage };
  const encryption = await openEncryption(config, database.db);
  const connectors = readConnectorSettings(config, encryption);
  const { mail, notices } = openMailing(config, encryption, queue);
  if (config.worker) {
    const working = openWorkerDatabase(database);
    pools.jobs = working.usage;
    const deps = { queue, clock, documents, connectors, notices, mail: openMail(config, encryption) };
    stops.add((await startWorker({ database: working, ...deps, metrics, log })).stop);
    pools.webhooks = await startDelivering(database, { config, metrics, log, stops, encryption, notices });
  }
  const streaming = database.connect({ max: slotLimits.longRunning.total, streaming: true });
  pools.exports = streaming.usage;
  stops.add(streaming.close);
  const links = createLinks(config.publicUrl);
  const sessionSecret = await openSecret(config);
  const context = {
    config,
    db: database.db,
    waiting: database.waiting,
    streaming,
    listen: listenOn(database.url),
    clock,
    links,
    documents,
    metrics,
    queue,
    mail,
    notices,
    wallets,
    sessionSecret,
    encryption,
    pages: await pages,
    tracing,
  };
  const app = await buildApp(context, log);
  stops.add(async () => {
    await stopListening(app.server);
    await app.close();
  });
  releaseStartMemory();
  await release();
  const address = await listen(app, config);
  const closeReports = await monitoring.begin({
    ...monitoredSources(config, database),
    clock,
    pools,
    ...(wallets.apple ? { certificates: { apple: wallets.apple.expiresAt } } : {}),
    ...(config.worker ? { isConsuming: queue.isConsuming } : {}),
  });
  stops.add(closeReports);
  const stop = async () => {
    monitoring.end();
    // Load balancers that watch /ready stop sending requests meanwhile.
    if (config.metricsPort !== undefined) await sleep(config.stopDelayMillis);
    await stops.all();
  };
  return { address, publicUrl: config.publicUrl, db: database.db, clock, queue, documents, stop };
}

/** Works on jobs without serving the API, on an embedded database that another process serves from or on its own. */
export async function startWorkerAlone(
  config: Config,
  log: FastifyBaseLogger,
  tracing?: Tracing,
): Promise<{ stop(): Promise<void> }> {
  const stops = createStops();
  try {
    const port = { port: config.workerMetricsPort, setting: 'WORKER_METRICS_PORT' };
    const monitoring = await startMonitoring(config, port, log);
    stops.add(monitoring.stop);
    const { metrics } = monitoring;
    const { database, ...deps } = await openDeps({
      config,
      log,
      role: 'command',
      worker: true,
      metrics,
      stops,
      tracing,
    });
    const working = openWorkerDatabase(database);
    const encryption = await openEncryption(config, database.db);
    const connectors = readConnectorSettings(config, encryption);
    const mail = openMail(config, encryption);
    const { notices } = openMailing(config, encryption, deps.queue);
    stops.add((await startWorker({ database: working, ...deps, connectors, mail, notices, metrics, log })).stop);
    const webhooks = await startDelivering(database, { config, metrics, log, stops, encryption, notices });
    const closeReports = await monitoring.begin({
      ...monitoredSources(config, database),
      clock: deps.clock,
      pools: { jobs: working.usage, webhooks },
      isConsuming: deps.queue.isConsuming,
    });
    stops.add(closeReports);
    const stop = async () => {
      monitoring.end();
      await stops.all();
    };
    return { stop };
  } catch (error) {
    await stops.all();
    throw error;
  }
}
