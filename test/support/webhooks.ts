import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operator } from '../../src/domain/actor.ts';
import type { CompanyContext } from '../../src/features/context.ts';
import { appendEvents } from '../../src/features/events/append.ts';
import { noNotices } from '../../src/features/notices/notices.ts';
import type { EndpointSettings } from '../../src/features/webhooks/contract.ts';
import { createEndpoint } from '../../src/features/webhooks/save-endpoint.ts';
import { startWebhooks, type WebhookDeps } from '../../src/features/webhooks/start.ts';
import type { EndpointKey } from '../../src/features/webhooks/store.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { createEncryption } from '../../src/platform/crypto/encryption.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../../src/platform/db/database.ts';
import { listenOn } from '../../src/platform/db/listen.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import { createLinks } from '../../src/platform/http/links.ts';
import { testClock } from './app.ts';
import { watchStatements } from './statements.ts';

/** The SECRET with which the secrets of test endpoints are encrypted. */
const testSecret = 'a secret of at least thirty-two characters';
export const testEncryption = createEncryption(testSecret);

/** The settings of a worker that delivers to test endpoints. */
export const deliveringWorker = { SECRET: testSecret, WEBHOOK_ALLOW_PRIVATE: 'on', LOG_LEVEL: 'error' };

/** Writes so many events in one transaction. */
export const addEvents = (db: Db, companyId: CompanyId, count: number): Promise<void> =>
  writeCompany(db, companyId, async (tx) => {
    const occurredAt = testClock.now();
    const event = (id: number) =>
      ({
        type: 'employee-created',
        occurredAt,
        payload: { id, resource: 'employee', hrIntegrationId: null },
      }) as const;
    appendEvents(
      tx,
      companyId,
      Array.from({ length: count }, (_, index) => event(index + 1)),
    );
  });

/** The context of use cases, in which every URL is allowed. */
export const companyContext = (db: Db, companyId: CompanyId, at = testClock.now()): CompanyContext => ({
  config: { environment: 'staging', webhookAllowPrivate: true } as Config,
  db,
  companyId,
  by: { actor: operator, name: 'Operator', at },
  write: (change) => writeCompany(db, companyId, (tx) => change(tx, ['admin'])),
  openEncryption: async () => testEncryption,
});

/** Creates an endpoint of a company. It receives the events from now on. */
export async function makeEndpoint(
  db: Db,
  companyId: CompanyId,
  settings: Partial<EndpointSettings> = {},
): Promise<EndpointKey & { secret: string }> {
  const all = { url: 'https://hooks.example.com/', eventTypes: [], description: '', ...settings };
  const created = await createEndpoint(companyContext(db, companyId), all);
  return { companyId, endpointId: created.id, secret: created.secret };
}

export const readDeliveries = (db: Db, { companyId, endpointId }: EndpointKey) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('endpoint_id', '=', endpointId)
    .orderBy('sequence')
    .execute();

export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/** What a receiver answers: a status, or nothing at all. */
export type Answer = number | 'hang' | { status: number; headers?: Record<string, string>; body?: string };

/** Starts a receiver on a port of its own. `answer` decides by the request and how many requests came before. */
export async function startReceiver(answer: (received: Received, index: number) => Answer = () => 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const one = { id: String(request.headers['webhook-id']), headers: request.headers, body, at: Date.now() };
      received.push(one);
      const reply = answer(one, received.length - 1);
      if (reply === 'hang') return;
      const { status, headers = {}, body: text = '' } = typeof reply === 'number' ? { status: reply } : reply;
      response.writeHead(status, headers).end(text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received, stop };
}

/** Starts what delivers webhooks, as a worker does, on connections of its own. */
export function startTestWebhooks(url: string, report: Partial<WebhookDeps['report']> = {}) {
  const database = connectDatabase({ url, max: 3, applicationName: 'webhooks' });
  return startWebhooks({
    database: { ...database, db: watchStatements(database.db) },
    listen: listenOn(url),
    encryption: testEncryption,
    notices: noNotices,
    links: createLinks('http://localhost:3000'),
    rules: { allowPrivate: true },
    report: { attempted() {}, disabled() {}, failed() {}, expired() {}, ...report },
  });
}
