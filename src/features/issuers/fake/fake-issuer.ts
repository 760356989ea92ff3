import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IssuerOrder, Order } from '../contract.ts';
import { makeUicBarcode } from './barcode.ts';

/**
 * An issuer of tickets on loopback, as docs/issuers/openapi.json describes it, with the faults of real ones: for tests, for
 * demos and for trying out a connection.
 */

interface Stored {
  order: Order;
  /** The token of the account that has ordered it. No other one finds it. */
  account: string;
  /** Orders are counted from 1. */
  count: number;
  answer: IssuerOrder;
  /** After so many more reads the ticket is there. */
  readsLeft: number;
  replacedBy: string | null;
  /** Whether its ticket is not on the invoice. */
  isFree: boolean;
}

export interface FakeIssuerOptions {
  token?: string;
  /** The tokens of further accounts. */
  otherTokens?: string[];
  /** How often an order is read before its ticket is there. 0: it comes with the first response. */
  late?: number;
  /** How long each response takes, in milliseconds. */
  delayMillis?: number;
  /** Requests per second. Others get 429 with Retry-After. */
  perSecond?: number;
  pageSize?: number;
  /** Absent: the system assigns one. */
  port?: number;
  /** What a ticket costs on the monthly invoice. */
  priceCents?: number;
  /** What a ticket comes as. Default: a barcode. */
  carrier?: 'barcode' | 'chip-card' | 'activation-code';
}

/** What goes wrong. Each may be changed at any time. */
export interface Faults {
  /** Every request gets this: a status, or no response at all. */
  outage: number | 'drop' | null;
  /** Every n-th ticket has the barcode of somebody else. 0: none. */
  wrongPersonEvery: number;
  /** Every n-th ticket has the barcode of the ticket before. */
  duplicateBarcodeEvery: number;
  /** Every n-th order fails: for good, or until it is placed again. */
  failEvery: number;
  retryEvery: number;
  /** Every n-th response is lost after the request has taken effect. */
  loseEvery: number;
  /** Every n-th request gets 503 with Retry-After: 0. */
  busyEvery: number;
  /** Every n-th order comes twice in the list of a month, on the same page or on the next one. */
  repeatEvery: number;
}

const noFaults: Readonly<Faults> = {
  outage: null,
  wrongPersonEvery: 0,
  duplicateBarcodeEvery: 0,
  failEvery: 0,
  retryEvery: 0,
  loseEvery: 0,
  busyEvery: 0,
  repeatEvery: 0,
};

const isHit = (count: number, every: number) => every > 0 && count % every === 0;

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}

export async function startFakeIssuer(options: FakeIssuerOptions = {}) {
  const {
    token = 'issuer-token',
    otherTokens = [],
    late = 0,
    delayMillis = 0,
    perSecond = 0,
    pageSize = 500,
  } = options;
  const { port: wantedPort = 0, priceCents = 5_985, carrier = 'barcode' } = options;
  const accounts = new Set([token, ...otherTokens]);
  const orders = new Map<string, Stored>();
  const faults: Faults = { ...noFaults };
  const seen = { requests: 0, orders: 0, conflicts: 0, limited: 0 };
  let window = { second: 0, requests: 0 };
  let lastBarcode: string | undefined;

  function makeTicket({ order: { orderId, month, person }, count }: Stored): IssuerOrder['ticket'] {
    const first = Temporal.PlainDate.from(`${month}-01`);
    const validFrom = first.toString();
    const validUntil = first.add({ months: 1 }).subtract({ days: 1 }).toString();
    const number = `T${month.replace('-', '')}-${orderId.slice(-12)}`;
    const ticket = { number, validFrom, validUntil };
    if (carrier === 'chip-card') return { ...ticket, barcode: null, chipCardNumber: `C${orderId.slice(-12)}` };
    if (carrier === 'activation-code') return { ...ticket, barcode: null, activationCode: `A${orderId.slice(-12)}` };
    const isWrong = isHit(count, faults.wrongPersonEvery);
    const { firstName, lastName, dateOfBirth } = isWrong
      ? { firstName: 'Somebody', lastName: 'Else', dateOfBirth: null }
      : person;
    const content = { firstName, lastName, dateOfBirth, validFrom, validUntil, number };
    const made = makeUicBarcode(content).toString('base64');
    const data = isHit(count, faults.duplicateBarcodeEvery) && lastBarcode !== undefined ? lastBarcode : made;
    lastBarcode = data;
    return { ...ticket, barcode: { format: 'uic-918-3', data } };
  }

  function place(account: string, order: Order): Stored {
    seen.orders += 1;
    const answer: IssuerOrder = { orderId: order.orderId, status: 'ordered', ticket: null, failure: null };
    const stored: Stored = {
      ...{ order, account, count: seen.orders, answer },
      ...{ readsLeft: late, replacedBy: null, isFree: false },
    };
    if (isHit(seen.orders, faults.failEvery)) {
      answer.status = 'failed';
      answer.failure = { code: 'person-data-incomplete', message: 'The date of birth is missing.', retry: false };
    } else if (isHit(seen.orders, faults.retryEvery)) {
      answer.status = 'failed';
      answer.failure = { code: 'busy', message: 'Try again later.', retry: true };
    }
    orders.set(order.orderId, stored);
    return stored;
  }

  /** Returns an order as it is now. A ticket that was announced comes after some reads. */
  function read(stored: Stored): IssuerOrder {
    if (stored.answer.status !== 'ordered') return stored.answer;
    if (stored.readsLeft > 0) stored.readsLeft -= 1;
    else stored.answer = { ...stored.answer, status: 'issued', ticket: makeTicket(stored) };
    return stored.answer;
  }

  const isSame = (a: Order, b: Order) => JSON.stringify(a) === JSON.stringify(b);

  function handle(account: string, method: string, { pathname, searchParams }: URL, body: unknown): [number, unknown] {
    const [, , id, action] = pathname.split('/');
    if (method === 'POST' && id === undefined) {
      const order = body as Order;
      const known = orders.get(order.orderId);
      if (known === undefined) return [201, read(place(account, order))];
      if (known.account !== account || !isSame(known.order, order)) {
        seen.conflicts += 1;
        return [409, { error: 'another order has this id' }];
      }
      if (known.answer.status === 'failed' && known.answer.failure?.retry) {
        known.answer = { ...known.answer, status: 'ordered', failure: null };
      }
      return [200, read(known)];
    }
    if (method === 'GET' && id === undefined) {
      const month = searchParams.get('month');
      const all = [...orders.values()]
        .filter((one) => one.account === account && one.order.month === month)
        .flatMap((one) => (isHit(one.count, faults.repeatEvery) ? [one, one] : [one]));
      const start = Number(searchParams.get('after') ?? 0);
      const next = start + pageSize < all.length ? String(start + pageSize) : null;
      return [200, { orders: all.slice(start, start + pageSize).map(read), next }];
    }
    const stored = orders.get(decodeURIComponent(id ?? ''));
    if (stored?.account !== account) return [404, { error: 'no such order' }];
    if (method === 'GET') return [200, read(stored)];
    if (action === 'block') {
      stored.isFree ||= (body as { reason?: string } | undefined)?.reason === 'not-required';
      stored.answer = { ...stored.answer, status: 'blocked' };
      return [200, stored.answer];
    }
    const { orderId } = body as { orderId: string };
    const known = orders.get(orderId);
    if (known !== undefined) return stored.replacedBy === orderId ? [200, read(known)] : [409, {}];
    stored.answer = { ...stored.answer, status: 'blocked' };
    stored.replacedBy = orderId;
    stored.isFree = true;
    return [201, read(place(account, { ...stored.order, orderId }))];
  }

  function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  /** Returns an account's monthly invoice: a line for every issued ticket, unless nobody needed it or it was replaced. */
  function writeInvoice(month: string, of = token): string {
    const lines = [...orders.values()].flatMap(({ account, order, answer, isFree }) =>
      account === of && order.month === month && answer.ticket !== null && !isFree
        ? `${order.orderId};${answer.ticket.number};${month};${(priceCents / 100).toFixed(2).replace('.', ',')}`
        : [],
    );
    return ['Bestellnummer;Ticketnummer;Monat;Betrag', ...lines, ''].join('\r\n');
  }

  /** Answers what is no part of the interface: the invoice of a month, changes of the faults, and what was counted. */
  async function handleOwn(request: IncomingMessage, url: URL, response: ServerResponse): Promise<boolean> {
    if (url.pathname === '/invoice') {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
      response.end(writeInvoice(url.searchParams.get('month') ?? ''));
    } else if (url.pathname === '/faults') {
      if (request.method === 'POST') Object.assign(faults, await readBody(request));
      send(response, 200, faults);
    } else if (url.pathname === '/seen') send(response, 200, seen);
    else return false;
    return true;
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://issuer');
    if (await handleOwn(request, url, response)) return;
    seen.requests += 1;
    const count = seen.requests;
    if (delayMillis > 0) await new Promise((resolve) => setTimeout(resolve, delayMillis));
    if (faults.outage === 'drop') return void request.socket.destroy();
    if (faults.outage !== null) return send(response, faults.outage, { error: 'out of order' });
    const account = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!accounts.has(account)) return send(response, 401, { error: 'token' });
    if (isHit(count, faults.busyEvery)) return send(response, 503, {}, { 'retry-after': '0' });
    const second = Math.floor(Date.now() / 1000);
    if (window.second !== second) window = { second, requests: 0 };
    window.requests += 1;
    if (perSecond > 0 && window.requests > perSecond) {
      seen.limited += 1;
      return send(response, 429, {}, { 'retry-after': '1' });
    }
    const [status, body] = handle(account, request.method ?? 'GET', url, await readBody(request));
    if (isHit(count, faults.loseEvery)) return void request.socket.destroy();
    send(response, status, body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wantedPort, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    faults,
    seen,
    writeInvoice,
    /** Everything that was ever ordered. */
    list: () =>
      [...orders.values()].map(({ order, answer }) => ({ ...order, status: answer.status, ticket: answer.ticket })),
    close,
    [Symbol.asyncDispose]: close,
  };
}
