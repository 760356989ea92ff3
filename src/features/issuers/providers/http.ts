import { setTimeout as sleep } from 'node:timers/promises';
import type { TSchema } from 'typebox';
import type { Dispatcher } from 'undici';
import { createMessage } from '../../../domain/messages/message.ts';
import { JsonLimitError, type JsonLimits, parseForeignJson } from '../../../platform/http/json-limits.ts';
import { compileValidator } from '../../../platform/http/validator.ts';
import type { AddressRules } from '../../../platform/outgoing/addresses.ts';
import { createDispatcher } from '../../../platform/outgoing/dispatcher.ts';
import { type IssuerOrder, IssuerOrderSchema, IssuerOrdersSchema } from '../contract.ts';
import { type IssuerConnection, IssuerOutage, type IssuerProvider, OrderRefused, secretNameOf } from './issuer.ts';

/** The issuer whose interface is docs/issuers/openapi.json. */

export interface HttpIssuerOptions {
  url: string;
  token: string;
  rules: AddressRules;
  /** Ends every request and every wait. */
  signal: AbortSignal;
  /** How long a request waits for its response. Tests shorten it. */
  timeoutMillis?: number;
}

/** How many requests are made at once, also while others of the company wait. */
export const concurrency = 4;
const defaultTimeoutMillis = 20_000;
/** One order is small. A page has a thousand, each with a barcode of 2.5 KB at most. */
const maxOrderBytes = 16 * 1024;
const maxPageBytes = 4 * 1024 * 1024;
const orderLimits: JsonLimits = { maxDepth: 8, maxMembers: 100, maxValues: 500 };
const pageLimits: JsonLimits = { maxDepth: 8, maxMembers: 100, maxValues: 50_000 };
/** A month of the largest company, at 100 orders per page. A cursor that goes on longer leads nowhere. */
const maxPages = 20_000;
/** A shorter pause is waited out here. After a longer one, the job is started again. */
const maxWaitMillis = 5_000;
/** Connections end now and then. What only reads is sent once more. */
const lostCodes: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET']);

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  key?: string;
}

interface Received {
  status: number;
  body: unknown;
}

type Validate = (value: unknown) => string | undefined;

function createCheck(schema: TSchema): Validate {
  const validate = compileValidator({ schema });
  return (value) => {
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath ?? ''} ${error?.message ?? 'is invalid'}`.trim();
  };
}

const findWrongOrder = createCheck(IssuerOrderSchema);
const findWrongPage = createCheck(IssuerOrdersSchema);

/** Returns how long `Retry-After` asks to wait: seconds, or a date. */
function readRetryAfter(value: string | string[] | undefined): number | undefined {
  const text = [value].flat()[0]?.trim();
  if (!text) return undefined;
  const millis = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(millis) ? Math.min(Math.max(0, millis), 86_400_000) : undefined;
}

async function readLimited(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new IssuerOutage(createMessage('issuer-too-large'));
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function openHttpIssuer({ url, token, rules, signal, ...options }: HttpIssuerOptions): IssuerConnection {
  const base = new URL(url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const timeoutMillis = options.timeoutMillis ?? defaultTimeoutMillis;
  const dispatcher: Dispatcher = createDispatcher({ ...rules, connections: concurrency, connectMillis: 5_000 });
  let pausedUntil = 0;

  async function attempt({ method, path, body, key }: Sent, maxBytes: number, limits: JsonLimits): Promise<Received> {
    const response = await dispatcher.request({
      origin: base.origin,
      path: `${prefix}${path}`,
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)]),
      headersTimeout: timeoutMillis,
      bodyTimeout: timeoutMillis,
    });
    const { statusCode: status, headers } = response;
    const bytes = await readLimited(response.body, maxBytes);
    if (status === 429 || status === 503) {
      throw new IssuerOutage(createMessage('issuer-limited'), readRetryAfter(headers['retry-after']) ?? 1_000);
    }
    if (status === 401 || status === 403) {
      throw new IssuerOutage(createMessage('issuer-refused', { status }), 600_000);
    }
    if (status >= 500 || (status >= 300 && status < 400)) {
      throw new IssuerOutage(createMessage('issuer-error-status', { status }));
    }
    if (status === 404 || status === 409) return { status, body: undefined };
    try {
      return { status, body: parseForeignJson(bytes, limits) };
    } catch (error) {
      if (status >= 400) return { status, body: undefined };
      const isTooLarge = error instanceof JsonLimitError;
      throw new IssuerOutage(createMessage(isTooLarge ? 'issuer-too-large' : 'issuer-not-json'));
    }
  }

  /** Waits as long as the issuer asks for, if that is short. All requests wait, as its limit counts them together. */
  async function send(sent: Sent, maxBytes = maxOrderBytes, limits = orderLimits): Promise<Received> {
    let mayReread = sent.method === 'GET';
    for (let waits = 0; ; waits++) {
      const wait = pausedUntil - Date.now();
      if (wait > 0) await sleep(wait, undefined, { signal });
      try {
        return await attempt(sent, maxBytes, limits);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof IssuerOutage)) {
          const { code, name } = error as { code?: string; name?: string };
          if (mayReread && lostCodes.has(code ?? '')) {
            mayReread = false;
            continue;
          }
          throw new IssuerOutage(createMessage('issuer-unreachable', { error: code ?? name ?? 'error' }));
        }
        const { retryAfterMillis: pause } = error;
        if (pause === undefined || pause > maxWaitMillis || waits >= 20) throw error;
        pausedUntil = Math.max(pausedUntil, Date.now() + pause);
      }
    }
  }

  /** Returns an order. Throws if it is another one than requested: its ticket would be somebody else's. */
  function readOrder({ status, body }: Received, orderId: string): IssuerOrder {
    if (status === 409) throw new OrderRefused('conflict', createMessage('order-conflict'));
    if (status >= 400) {
      const problem = `status ${status}`;
      throw new OrderRefused('answer-invalid', createMessage('order-answer-invalid', { problem }));
    }
    const wrong = findWrongOrder(body);
    const answered = wrong === undefined ? (body as IssuerOrder).orderId : orderId;
    const problem = wrong ?? (answered === orderId ? undefined : `orderId is ${answered}`);
    if (problem === undefined) return body as IssuerOrder;
    throw new OrderRefused('answer-invalid', createMessage('order-answer-invalid', { problem: problem.slice(0, 200) }));
  }

  const pathOf = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`;

  return {
    isPolled: true,
    async order(order) {
      const { orderId } = order;
      const received = await send({ method: 'POST', path: '/orders', body: order, key: orderId });
      return readOrder(received, orderId);
    },
    async fetch(orderId) {
      const received = await send({ method: 'GET', path: pathOf(orderId) });
      return received.status === 404 ? undefined : readOrder(received, orderId);
    },
    async cancel(orderId, reason) {
      const path = `${pathOf(orderId)}/block`;
      const received = await send({ method: 'POST', path, body: { reason }, key: `${orderId}/block` });
      return received.status === 404 ? undefined : readOrder(received, orderId);
    },
    async replace(orderId, replacement) {
      const path = `${pathOf(orderId)}/replace`;
      const received = await send({ method: 'POST', path, body: replacement, key: replacement.orderId });
      if (received.status === 404) throw new OrderRefused('unknown', createMessage('order-unknown'));
      return readOrder(received, replacement.orderId);
    },
    async *list(month) {
      const cursors = new Set<string>();
      let after: string | null = null;
      for (let page = 0; page < maxPages; page++) {
        const query: string = new URLSearchParams({ month, ...(after === null ? {} : { after }) }).toString();
        const { status, body } = await send({ method: 'GET', path: `/orders?${query}` }, maxPageBytes, pageLimits);
        const wrong = status >= 400 ? `status ${status}` : findWrongPage(body);
        if (wrong !== undefined) throw new IssuerOutage(createMessage('issuer-not-json'));
        const { orders, next } = body as { orders: IssuerOrder[]; next: string | null };
        yield orders;
        if (next === null) return;
        if (cursors.has(next)) throw new IssuerOutage(createMessage('issuer-not-json'));
        cursors.add(next);
        after = next;
      }
    },
    finish: async () => ({ again: null, sent: 0 }),
    close: () => dispatcher.destroy(),
  };
}

export const http: IssuerProvider = {
  kind: 'http',
  settings: 'interface',
  open({ companyId, row, deps: { encryption, allowsPrivateHosts, timeoutMillis }, signal }) {
    const token = encryption.decrypt(row.encryptedToken ?? '', secretNameOf(companyId));
    return openHttpIssuer({
      ...{ url: row.url ?? '', token, signal },
      rules: { allowPrivate: allowsPrivateHosts },
      ...(timeoutMillis === undefined ? {} : { timeoutMillis }),
    });
  },
};
