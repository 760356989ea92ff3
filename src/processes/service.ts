import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { isTestIn } from '../domain/test-mark.ts';
import { readConnectorSettings } from '../features/connectors/pull/open-connection.ts';
import { type DocumentStore, openDocumentStore } from '../features/documents/files.ts';
import { canWriteToEmployees, createEmployeeMails } from '../features/employee-mails/queue.ts';
import { readIssuerSettings } from '../features/issuers/open-issuer.ts';
import { createNotices } from '../features/notices/notices.ts';
import { createMail } from '../features/notices/queue.ts';
import { openWallets } from '../features/wallet/wallets.ts';
import { type Clock, openClock } from '../platform/clock/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { readVersion } from '../platform/config/version.ts';
import { openEncryption } from '../platform/crypto/open-encryption.ts';
import { openSecret } from '../platform/crypto/open-secret.ts';
import type { Database, Db } from '../platform/db/database.ts';
import { listenOn } from '../platform/db/listen.ts';
import { type OpenDatabase, openDatabase } from '../platform/db/open-database.ts';
import { createLinks } from '../platform/http/links.ts';
import { reservePort } from '../platform/http/reserve-port.ts';
import { stopListening } from '../platform/http/server.ts';
import { slotLimits } from '../platform/http/slot-limits.ts';
import { type Enqueue, openQueue } from '../platform/jobs/queue.ts';
import { openTransport } from '../platform/mail-transport/transport.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { Tracing } from '../platform/telemetry/tracing/tracing.ts';
import { assertPagesBuilt, findPages } from '../portal/build.ts';
import { startMonitoring } from './monitoring/monitoring.ts';

export interface Service {
  /** The address that the service listens on. With PORT=0 the operating system chooses the port. */
  address: string;
  publicUrl: string;
  db: Db;
  clock: Clock;
  queue: Enqueue;
  documents: DocumentStore;
  stop(): Promise<void>;
}

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

/** Throws if the port is in use. Reserves a free one if PORT=0, since links contain it before it is listened on. */
async function takePort(
  config: Config,
  stops: AsyncDisposableStack,
): Promise<{ config: Config; release(): Promise<void> }> {
  const { port, release } = await explainPort(reservePort(config.host, config.port), config);
  // A known port is free. Clients that try it before the service is ready are refused and not left waiting.
  if (config.port !== 0) await release();
  stops.defer(release);
  const publicUrl = config.publicUrl.replace(/^http:\/\/localhost:0$/, `http://localhost:${port}`);
  return { config: { ...config, port, publicUrl }, release };
}

/** Returns the memory that only the start needed, a fifth, before requests arrive: an idle process keeps it. */
function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}

/** How many connections may wait to be accepted. With Node's 511, those of a sudden crowd are dropped. */
const backlog = 4_096;

const listen = (app: Pick<FastifyInstance, 'listen'>, config: Config): Promise<string> =>
  explainPort(app.listen({ host: config.host, port: config.port, backlog }), config);

/** Warns because, with the owner's privileges, a mistake in one statement could change tables or the audit log. */
function warnIfOwner({ role }: OpenDatabase, log: FastifyBaseLogger): void {
  if (!role.isOwner) return;
  const remedy = 'set DATABASE_URL to a separate role and DATABASE_OWNER_URL to the owner (docs/operate/install.md)';
  log.warn({ role: role.name, remedy }, 'running as the owner of the tables, which can rewrite the audit log');
}

interface StartOptions {
  config: Config;
  log: FastifyBaseLogger;
  metrics: Metrics;
  stops: AsyncDisposableStack;
  tracing: Tracing | undefined;
}

async function openDeps(
  { config, log, metrics, stops, tracing }: StartOptions,
  { role, worker }: { role: 'serve' | 'command'; worker: boolean },
) {
  const onError = (error: Error) => log.warn({ err: error }, 'idle database connection lost');
  const database = await openDatabase(config, { role, onError, log, tracing });
  stops.defer(database.close);
  warnIfOwner(database, log);
  const queue = await openQueue({ url: database.url, worker, log, metrics, tracing });
  stops.defer(queue.stop);
  const clock = await openClock(database.db, config.environment);
  stops.defer(clock.stop);
  const documents = await openDocumentStore(config.documentStore);
  const encryption = await openEncryption(config, database.db);
  const mail = createMail({ isConfigured: config.smtp !== undefined, allowance: config, encryption, queue });
  const employeeMails = createEmployeeMails({ isConfigured: canWriteToEmployees(config), encryption, queue });
  const notices = createNotices(mail, config.publicUrl);
  return { database, queue, clock, documents, encryption, mail, notices, employeeMails };
}

type Deps = Awaited<ReturnType<typeof openDeps>>;

/** Returns what only a process that works on jobs needs. */
async function importWorker() {
  const { startWorker } = await import('./worker.ts');
  const { createWebhookReport } = await import('./worker-report.ts');
  const { startWebhooks } = await import('../features/webhooks/start.ts');
  return { startWorker, createWebhookReport, startWebhooks };
}

/** Starts to work on jobs and to deliver webhooks, on connections of their own. Returns how many of them are in use. */
async function startWorking(
  { config, log, metrics, stops }: StartOptions,
  { database, queue, clock, documents, encryption, notices, employeeMails }: Deps,
): Promise<Record<string, Database['usage']>> {
  const { startWorker, createWebhookReport, startWebhooks } = await importWorker();
  const working = database.connect({ max: 6, streaming: true });
  const { publicUrl, smtp } = config;
  const mail = { encryption, publicUrl, config, transport: smtp && openTransport(smtp) };
  const connectors = readConnectorSettings(config, encryption);
  const isTest = isTestIn(config.environment);
  const issuers = readIssuerSettings(config, encryption);
  const deps = { queue, clock, documents, connectors, issuers, notices, employeeMails, isTest, mail, metrics, log };
  stops.defer((await startWorker({ database: working, ...deps })).stop);
  const delivering = database.connect({ max: 3, streaming: false });
  const report = createWebhookReport(log, metrics);
  const webhooks = startWebhooks({
    database: delivering,
    listen: listenOn(database.url),
    encryption,
    notices,
    links: createLinks(publicUrl),
    rules: { allowPrivate: config.webhookAllowPrivate },
    report,
  });
  stops.defer(async () => {
    await webhooks.stop();
    report.stop();
  });
  return { jobs: working.usage, webhooks: delivering.usage };
}

function monitoredSources({ dataDir, documentStore }: Config, { database, clock, queue }: Deps, isWorker: boolean) {
  const isFolder = !documentStore.startsWith('s3:');
  return {
    version: readVersion(),
    connect: () => database.connect({ max: 2, streaming: false }),
    clock,
    certificates: {},
    folders: { data: dataDir, ...(isFolder ? { documents: documentStore } : {}) },
    ...(isWorker ? { isConsuming: queue.isConsuming } : {}),
  };
}

/** Starts a process. What has started, such as a reserved port, would keep a failed one running, so it is stopped. */
async function startOrStop<T>(start: (stops: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const stops = new AsyncDisposableStack();
  try {
    return await start(stops);
  } catch (error) {
    await stops.disposeAsync();
    throw error;
  }
}

/** By then, the embedded PostgreSQL has been started and prepares itself: an import stops everything else in this process. */
const importDelayMillis = 50;

/** Loads the largest modules while the database is opened. Throws if that fails. */
async function importMeanwhile(opening: Promise<unknown>, { worker }: Config) {
  await Promise.race([sleep(importDelayMillis), opening]);
  if (worker) await importWorker();
  return import('./app.ts');
}

/** Starts metrics, database, queue, worker and HTTP application in this order. They stop in reverse order. */
export async function startService(initial: Config, log: FastifyBaseLogger, tracing?: Tracing): Promise<Service> {
  if (initial.portal && initial.environment === 'production') await assertPagesBuilt();
  return startOrStop(async (stops) => {
    const monitoring = await startMonitoring(initial, { port: initial.metricsPort, setting: 'METRICS_PORT' }, log);
    stops.defer(monitoring.stop);
    const { metrics } = monitoring;
    const { config, release } = await takePort(initial, stops);
    const wallets = await openWallets(config, log);
    // On staging, builds the pages, if needed, while the database starts.
    const pages = config.portal ? findPages(config, log) : undefined;
    const options = { config, log, metrics, stops, tracing };
    const opening = openDeps(options, { role: 'serve', worker: config.worker });
    const { buildApp } = await importMeanwhile(opening, config);
    const deps = await opening;
    const { database, queue, clock, documents, encryption, mail, notices, employeeMails } = deps;
    const pools = config.worker ? await startWorking(options, deps) : {};
    const streaming = database.connect({ max: slotLimits.longRunning.total, streaming: true });
    stops.defer(streaming.close);
    const context = {
      config,
      db: database.db,
      waiting: database.waiting,
      streaming,
      listen: listenOn(database.url),
      clock,
      links: createLinks(config.publicUrl),
      documents,
      metrics,
      queue,
      mail,
      notices,
      employeeMails,
      wallets,
      sessionSecret: await openSecret(config),
      encryption,
      pages: await pages,
      tracing,
    };
    const app = await buildApp(context, log);
    stops.defer(async () => {
      await stopListening(app.server);
      await app.close();
    });
    releaseStartMemory();
    await release();
    const address = await listen(app, config);
    const closeReports = await monitoring.begin({
      ...monitoredSources(config, deps, config.worker),
      pools: { requests: database.usage, ...pools, exports: streaming.usage },
      ...(wallets.apple ? { certificates: { apple: wallets.apple.expiresAt } } : {}),
    });
    stops.defer(closeReports);
    const stop = async () => {
      monitoring.end();
      // Load balancers that watch /ready stop sending requests meanwhile.
      if (config.metricsPort !== undefined) await sleep(config.stopDelayMillis);
      await stops.disposeAsync();
    };
    return { address, publicUrl: config.publicUrl, db: database.db, clock, queue, documents, stop };
  });
}

/** Works on jobs without serving the API, on an embedded database that another process serves from or on its own. */
export async function startWorkerAlone(
  config: Config,
  log: FastifyBaseLogger,
  tracing?: Tracing,
): Promise<{ stop(): Promise<void> }> {
  return startOrStop(async (stops) => {
    const port = { port: config.workerMetricsPort, setting: 'WORKER_METRICS_PORT' };
    const monitoring = await startMonitoring(config, port, log);
    stops.defer(monitoring.stop);
    const options = { config, log, metrics: monitoring.metrics, stops, tracing };
    const deps = await openDeps(options, { role: 'command', worker: true });
    const pools = await startWorking(options, deps);
    stops.defer(await monitoring.begin({ ...monitoredSources(config, deps, true), pools }));
    const stop = async () => {
      monitoring.end();
      await stops.disposeAsync();
    };
    return { stop };
  });
}
