import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteOptions } from 'fastify';
import { pino } from 'pino';
import { readConnectorSettings } from '../../src/features/connectors/pull/open-connection.ts';
import type { DailyRunDeps } from '../../src/features/daily-run/run.ts';
import { type DocumentStore, openDocumentStore } from '../../src/features/documents/files.ts';
import { startRenderer } from '../../src/features/documents/pdf/renderer.ts';
import { canWriteToEmployees, createEmployeeMails } from '../../src/features/employee-mails/queue.ts';
import { startInvoiceRenderer } from '../../src/features/invoices/write.ts';
import { readIssuerSettings } from '../../src/features/issuers/open-issuer.ts';
import { createNotices } from '../../src/features/notices/notices.ts';
import { createMail, type Mail } from '../../src/features/notices/queue.ts';
import { openWallets } from '../../src/features/wallet/wallets.ts';
import { type Clock, openClock, unmoved } from '../../src/platform/clock/clock.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import type { Encryption } from '../../src/platform/crypto/encryption.ts';
import { readEncryption } from '../../src/platform/crypto/open-encryption.ts';
import { openSecret } from '../../src/platform/crypto/open-secret.ts';
import { connectDatabase, type Db } from '../../src/platform/db/database.ts';
import { listenOn } from '../../src/platform/db/listen.ts';
import { createLinks } from '../../src/platform/http/links.ts';
import { openQueue, type Queue } from '../../src/platform/jobs/queue.ts';
import { openTransport } from '../../src/platform/mail-transport/transport.ts';
import { type Metrics, noMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { PageFolders } from '../../src/portal/build.ts';
import { buildApp } from '../../src/processes/app.ts';
import { startWorker } from '../../src/processes/worker.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { assertDocumented } from './openapi.ts';
import { prepare } from './prepare.ts';
import { assertRoutes, watchRoutes } from './routing.ts';
import { watchStatements } from './statements.ts';

/** The day on which every test takes place unless the test sets another one. */
export const testDay = Temporal.PlainDate.from('2026-11-15');

export const testClock: Clock = {
  now: () => testDay.toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: '12:00' }).toInstant(),
};

export interface Credentials {
  username: string;
  password: string;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape; the OpenAPI document has checked them.
  body: any;
  bytes: Buffer;
}

export interface RequestOptions {
  method?: string;
  key?: Credentials | undefined;
  headers?: Record<string, string>;
  body?: string;
}

export interface TestApp extends AsyncDisposable {
  /** The base URL of the API, with /v1. */
  url: string;
  /** Connects as the role of the service. */
  databaseUrl: string;
  /** Connects as the superuser. */
  adminUrl: string;
  /** The test's own access: it may do anything. */
  db: Db;
  /** The access of the service itself, so that nothing succeeds for which the service lacks the privilege. */
  serviceDb: Db;
  documents: DocumentStore;
  config: Config;
  logs: string[];
  /** Every route, including those of the portal. */
  routes: RouteOptions[];
  /** The dependencies of the daily run, for operations without an API route. */
  deps: DailyRunDeps & { queue: Queue };
  /** With the secret of the application. */
  encryption: Encryption;
  /** Writes mails as the service does. */
  mail: Mail;
  /** Sends a request and checks the response against the OpenAPI document. */
  request(path: string, options?: RequestOptions): Promise<TestResponse>;
  close(): Promise<void>;
}

export const basic = ({ username, password }: Credentials) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

export interface TestAppOptions {
  env?: Record<string, string>;
  /** `environment`: the clock that time travel moves. */
  clock?: Clock | 'environment';
  poolSize?: number;
  /** Counts what the application does. Absent: nothing is counted. */
  metrics?: Metrics;
  /** The folders of built pages; absent: none are served. */
  pages?: PageFolders;
  /** False: the queue is unreachable, as in a process whose database never responds. */
  queue?: false;
  /**
   * Whether the application also applies what it accepts. Drawing documents takes most of the time of a worker, so tests
   * that are not about documents do without.
   */
  worker?: boolean | 'without documents';
  /** The port of the application. Any free port, unless links must lead back to it. */
  port?: number;
  /** A database that another test application created and will drop, so that both share it. */
  databaseUrl?: string;
  /** Where the application listens for notifications, if not directly at the database. */
  listenUrl?: string;
}

/** All applications of a process share one renderer: its thread takes a second to start. An idle one ends with the process. */
const renderer = startRenderer(true);
const invoiceRenderer = startInvoiceRenderer(true);

const outOfReach = () => Promise.reject(new Error('The queue is out of reach.'));

const absentQueue: Queue = {
  enqueueSync: outOfReach,
  enqueueDocuments: outOfReach,
  enqueueInvoices: outOfReach,
  enqueueFileRemoval: outOfReach,
  enqueueContracts: outOfReach,
  enqueueMails: outOfReach,
  enqueueEmployeeMails: outOfReach,
  enqueueTicketMails: outOfReach,
  enqueueAccessLink: outOfReach,
  enqueuePull: outOfReach,
  enqueueOrders: outOfReach,
  enqueueScimChanges: outOfReach,
  enqueueDailyRuns: outOfReach,
  work: async () => {},
  isConsuming: () => false,
  stop: async () => {},
};

const withoutDocuments = (queue: Queue): Queue => ({
  ...queue,
  work: (handlers) => queue.work({ ...handlers, 'write-documents': async () => {}, 'write-invoices': async () => {} }),
});

function borrowDatabase(url: string): TestDatabase {
  const { db, close } = connectDatabase({ url, max: 2, applicationName: 'test' });
  return { url, ownerUrl: url, adminUrl: url, db, drop: close, [Symbol.asyncDispose]: close };
}

/** Starts the real application on a real port and a database of its own. Limits are off unless the test sets them. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  watchRoutes();
  const { databaseUrl } = options;
  const database = databaseUrl === undefined ? await createTestDatabase() : borrowDatabase(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'transit-documents-'));
  const config = readConfig({
    RATE_LIMIT_PER_MINUTE: '0',
    HEAVY_REQUESTS_PER_KEY: '0',
    // A busy machine is no finding of tests that are not about overload.
    OVERLOAD_DELAY_MS: '60000',
    STOP_DRAIN_MS: '0',
    // Tests write past the service, which would not notice that a kept response is outdated.
    PAGE_CACHE_MB: '0',
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    ...options.env,
  });
  const logs: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logs.push(line) });
  const served = connectDatabase({ url: database.url, max: options.poolSize ?? 8, applicationName: 'app' });
  const streaming = connectDatabase({
    // Without the longer time for connecting: an export that finds no free connection is refused soon.
    url: Object.assign(new URL(database.url), { search: '' }).href,
    max: 4,
    applicationName: 'stream',
    streaming: true,
  });
  const documents = await openDocumentStore(config.documentStore);
  const queue =
    options.queue === false
      ? absentQueue
      : await openQueue({ url: database.url, worker: Boolean(options.worker), log });
  const working = connectDatabase({ url: database.url, max: 4, applicationName: 'worker', streaming: true });
  const clock =
    options.clock === 'environment'
      ? await openClock(served.db, config.environment)
      : unmoved(options.clock ?? testClock);
  const encryption = await readEncryption(config);
  const mail = createMail({ isConfigured: config.smtp !== undefined, allowance: config, encryption, queue });
  const notices = createNotices(mail, config.publicUrl);
  const employeeMails = createEmployeeMails({ isConfigured: canWriteToEmployees(config), encryption, queue });
  const worker = options.worker
    ? await startWorker({
        database: { ...working, db: watchStatements(working.db) },
        queue: options.worker === 'without documents' ? withoutDocuments(queue) : queue,
        clock,
        documents,
        renderer,
        connectors: { ...readConnectorSettings(config, encryption), retryDelayMillis: 1 },
        issuers: readIssuerSettings(config, encryption),
        invoiceRenderer,
        mail: { encryption, publicUrl: config.publicUrl, config, transport: config.smtp && openTransport(config.smtp) },
        notices,
        employeeMails,
        isTest: true,
        metrics: noMetrics,
        log,
      })
    : { stop: async () => Promise.all([queue.stop(), working.close()]) };
  const context = {
    config,
    db: watchStatements(served.db),
    waiting: served.waiting,
    streaming: { ...streaming, db: watchStatements(streaming.db) },
    listen: listenOn(options.listenUrl ?? database.url),
    clock,
    links: createLinks(config.publicUrl),
    documents,
    metrics: options.metrics ?? noMetrics,
    queue,
    mail,
    notices,
    employeeMails,
    wallets: await openWallets(config, log),
    sessionSecret: await openSecret(config),
    encryption,
    pages: options.pages,
  };
  const routes: RouteOptions[] = [];
  const app = await buildApp(context, log, (route) => routes.push(route));
  const address = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const url = `${address}/v1`;

  async function request(
    path: string,
    { method = 'GET', key, headers = {}, body }: RequestOptions = {},
  ): Promise<TestResponse> {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(key ? { authorization: basic(key) } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const contentType = response.headers.get('content-type');
    const isJson = contentType?.includes('json') && bytes.length > 0;
    const result = {
      status: response.status,
      headers: response.headers,
      bytes,
      body: isJson ? JSON.parse(bytes.toString()) : undefined,
    };
    if (method !== 'HEAD') assertDocumented(method, path.split('?')[0] ?? '', { ...result, contentType });
    return result;
  }

  async function close(): Promise<void> {
    await app.close();
    await clock.stop();
    await worker.stop();
    await streaming.close();
    await served.close();
    try {
      await assertRoutes(database.adminUrl);
    } finally {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    url,
    databaseUrl: database.url,
    adminUrl: database.adminUrl,
    db: database.db,
    serviceDb: context.db,
    documents,
    config,
    logs,
    routes,
    deps: { clock, queue, notices, employeeMails },
    encryption,
    mail: context.mail,
    request,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Starts an application for the tests of a suite or file. A function reads what earlier hooks have prepared. */
export const useApp = (options: TestAppOptions | (() => TestAppOptions) = {}): TestApp =>
  prepare(
    () => startTestApp(typeof options === 'function' ? options() : options),
    (app) => app.close(),
  );
