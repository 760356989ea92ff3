import { randomUUID } from 'node:crypto';
import type { RouteOptions } from 'fastify';
import { pino } from 'pino';
import { noEmployeeMails } from '../features/employee-mails/queue.ts';
import { noNotices } from '../features/notices/notices.ts';
import { systemClock, unmoved } from '../platform/clock/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { createEncryption } from '../platform/crypto/encryption.ts';
import { connectDatabase } from '../platform/db/database.ts';
import { listenOn } from '../platform/db/listen.ts';
import { createLinks } from '../platform/http/links.ts';
import { noMetrics } from '../platform/telemetry/metrics.ts';
import { buildApp } from '../processes/app.ts';

/** Builds the application without a database: routes are registered, but no query is sent. */
export async function buildOfflineApp(config: Config, onRoute?: (route: RouteOptions) => void) {
  const log = pino({ level: 'silent' });
  const streaming = connectDatabase({ url: 'postgres://nowhere', max: 1, applicationName: 'openapi' });
  const refuse = () => Promise.reject(new Error('The application runs offline.'));
  return buildApp(
    {
      config,
      db: streaming.db,
      waiting: () => 0,
      streaming,
      listen: listenOn('postgres://nowhere'),
      clock: unmoved(systemClock),
      links: createLinks(config.publicUrl),
      documents: { put: refuse, remove: refuse, open: refuse },
      metrics: noMetrics,
      queue: {
        enqueueSync: refuse,
        enqueueDocuments: refuse,
        enqueueInvoices: refuse,
        enqueueFileRemoval: refuse,
        enqueueContracts: refuse,
        enqueueMails: refuse,
        enqueueEmployeeMails: refuse,
        enqueueTicketMails: refuse,
        enqueueAccessLink: refuse,
        enqueuePull: refuse,
        enqueueOrders: refuse,
        enqueueScimChanges: refuse,
      },
      mail: { isConfigured: config.smtp !== undefined, reaches: () => false, queueMail: refuse },
      notices: noNotices,
      employeeMails: noEmployeeMails,
      wallets: { apple: undefined, google: undefined },
      sessionSecret: randomUUID(),
      encryption: createEncryption(randomUUID()),
      pages: undefined,
    },
    log,
    onRoute,
  );
}
