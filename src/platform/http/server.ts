import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { TrustedProxies } from '../config/trusted-proxies.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { ApiError, type ProblemCode, problems, unavailable } from './errors.ts';
import { Counts } from './fair-slots.ts';
import type { Links } from './links.ts';
import { presentProblem, problemMediaType } from './problem.ts';

const codes: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

function refuseMessage(socket: Duplex, code: ProblemCode, links: Links): void {
  const requestId = randomUUID();
  const body = JSON.stringify(presentProblem(new ApiError(code, problems[code].remedy), links, requestId));
  const head = [
    `HTTP/1.1 ${problems[code].status} ${problems[code].title}`,
    `Content-Type: ${problemMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Returns whether a response has started: a second one would be read as part of it. Node checks the same field. */
const hasResponseStarted = (socket: Socket & { _httpMessage?: ServerResponse | null }) =>
  socket._httpMessage?.headersSent === true;

/** Answers messages that are not valid HTTP, and so never become a request, directly on the socket. */
export function createClientErrorHandler(links: Links) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // The client sent more after a request that was to be the last on the connection. Ignore it: the response to that
    // request closes the connection.
    if (error.code === 'HPE_CLOSED_CONNECTION') return;
    if (error.code === 'ECONNRESET' || !socket.writable || hasResponseStarted(socket)) socket.destroy();
    else refuseMessage(socket, codes[error.code ?? ''] ?? 'malformed-request', links);
  };
}

/** Handles what Node emits outside of requests and would respond to without a body, or not at all. */
function handleProtocolErrors(server: Server, links: Links): void {
  server.on('connect', (_request, socket) => refuseMessage(socket, 'malformed-request', links));
  // The service never upgrades a connection. Node drops the bytes that arrived together with such a request, so it
  // could read the next request from its middle. Close the connection instead.
  server.prependListener('request', (request, response) => {
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  });
  // An unknown expectation is no reason to refuse a request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Returns the `trustProxy` option: a function, because a number makes this version of Fastify trust no proxy. */
export function presentTrust(trusted: TrustedProxies | undefined) {
  if (trusted === undefined) return false;
  if ('networks' in trusted) return [...trusted.networks];
  return (_address: string, hop: number) => hop < trusted.hops;
}

export function createAddressReader(
  trusted: TrustedProxies | undefined,
): (request: IncomingMessage) => string | undefined {
  const trust = presentTrust(trusted);
  if (trust === false) return ({ socket }) => socket.remoteAddress;
  const isTrusted = typeof trust === 'function' ? trust : proxyAddr.compile(trust);
  return (request) => proxyAddr.all(request, isTrusted).at(-1);
}

/** One log line per refused request would be a load of its own. */
const logIntervalMillis = 5_000;

/** A client that honours `Retry-After` notices nothing of such a pause. */
const maxPauseMillis = 1_000;
/** An overload is over if no request was refused for so long. */
const calmMillis = 2_000;

const placeholderId = '00000000-0000-0000-0000-000000000000';

/** Health checks test whether the service is up, not how busy it is. */
const isHealthCheck = ({ url }: IncomingMessage) => url === '/v1/health';

/**
 * Returns a function that stops reading the connection of a refused request for a while. A client that repeats its
 * request at once then waits, instead of causing the next refusal: many such clients would take the time of all others.
 *
 * The pause is a tenth of the time for which the overload has lasted. Clients whose connections wait open further ones,
 * of which Node accepts one per turn of the event loop, so their number must grow slowly.
 */
function createPauses() {
  let [begunAt, refusedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return ({ socket, complete }: IncomingMessage): void => {
    const now = performance.now();
    if (now - refusedAt > calmMillis) begunAt = now;
    refusedAt = now;
    // The body of a refused request is received and discarded first.
    if (!complete || socket.destroyed) return;
    socket.pause();
    setTimeout(() => socket.resume(), Math.min(maxPauseMillis, (now - begunAt) / 10)).unref();
  };
}

function exceedsShare(inProgress: Counts<Sender>, sender: Sender, places: number): boolean {
  const own = inProgress.of(sender);
  const senders = inProgress.size + (own === 0 ? 1 : 0);
  return own >= Math.max(1, places / senders);
}

/** The id of a company whose key is known, otherwise the network of the client. */
type Sender = number | string;

interface LoadSheddingOptions {
  waiting: () => number;
  /** Beyond it, companies with more than their share are refused; beyond four times, everybody. */
  maxWaiting: number;
  senderOf: (request: IncomingMessage) => Sender;
  links: Links;
  metrics: Metrics;
  log: FastifyBaseLogger;
}

/**
 * Returns a request handler that refuses requests while more of them wait for the database than can be processed soon,
 * first those of the company that causes it. A request that waits for longer than its client does is wasted work. Under
 * such a load most requests are refused, so this happens before any other work.
 */
function shedLoad(handler: RequestListener, options: LoadSheddingOptions): RequestListener {
  const { waiting, maxWaiting, senderOf, links, metrics, log } = options;
  const error = unavailable('More requests are in progress than the service can process in time.');
  const pause = createPauses();
  const inProgress = new Counts<Sender>();
  let [refused, loggedAt] = [0, Number.NEGATIVE_INFINITY];

  // All refusals are identical except for the id, so the rest is built once.
  const { status } = presentProblem(error, links, '');
  const [before = '', after = ''] = JSON.stringify(presentProblem(error, links, placeholderId)).split(placeholderId);
  const headers = Object.entries({
    ...error.headers,
    'content-type': problemMediaType,
    'content-length': String(Buffer.byteLength(before + placeholderId + after)),
    'cache-control': 'no-store',
  }).flat();

  function refuse(request: IncomingMessage, response: ServerResponse, sender: Sender): void {
    const { method = '' } = request;
    const requestId = randomUUID();
    response
      .writeHead(status, [...headers, 'x-request-id', requestId])
      .end(method === 'HEAD' ? undefined : before + requestId + after);
    // Before that, Node itself resumes the connection for the next request.
    setImmediate(pause, request);
    metrics.recordResponse({ method, route: 'refused', status }, 0);
    metrics.recordOverload('database');
    refused += 1;
    if (performance.now() - loggedAt < logIntervalMillis) return;
    const from = typeof sender === 'number' ? `company ${sender}` : `network ${sender}`;
    log.warn({ refused, waiting: waiting(), sender: from }, 'requests refused: too many wait for the database');
    [refused, loggedAt] = [0, performance.now()];
  }

  /** Limits a burst by its number too: its statements queue a moment later, and others would be refused for them. */
  function isRefused(request: IncomingMessage, sender: Sender): boolean {
    const count = waiting();
    if (count === 0 || isHealthCheck(request)) return false;
    if (count > maxWaiting && exceedsShare(inProgress, sender, maxWaiting)) return true;
    return count > 4 * maxWaiting || inProgress.of(sender) >= 2 * maxWaiting;
  }

  return (request, response) => {
    const sender = senderOf(request);
    if (isRefused(request, sender)) {
      refuse(request, response, sender);
      return;
    }
    inProgress.add(sender, 1);
    // Node emits it once per response, so the listener need not be removed.
    response.on('close', () => inProgress.add(sender, -1));
    handler(request, response);
  };
}

export const maxHeadBytes = 16 * 1024;

const serverOptions = {
  headersTimeout: 20_000,
  // Node looks for expired connections every 30 s by default, so that a head might take 50 s.
  connectionsCheckingInterval: 1_000,
  // Uploading a large roster over a slow line takes time. The connection timeout ends uploads that stall.
  requestTimeout: 300_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: maxHeadBytes,
  requireHostHeader: false,
  // A request without a body needs no stream that emits its end.
  optimizeEmptyRequests: true,
};

/** Node closes the connection of a client that stops reading only after twice this time. */
const connectionMillis = 40_000;

const healthCheck = /^\/v1\/health\/?(?:\?.*)?$/s;

/** Removes what monitors add to the address of the health check, so that everything behind this sees one address. */
function normalizeHealthCheck(request: IncomingMessage): void {
  const { url = '' } = request;
  if (url.startsWith('/v1/health') && healthCheck.test(url)) request.url = '/v1/health';
}

/** Returns the `serverFactory` option for Fastify. Requests are refused under load before Fastify sees them. */
export const createServerFactory =
  (options: LoadSheddingOptions) =>
  (handler: RequestListener): Server => {
    const handle = shedLoad(handler, options);
    const server = createServer(serverOptions, (request, response) => {
      normalizeHealthCheck(request);
      handle(request, response);
    });
    server.setTimeout(connectionMillis);
    handleProtocolErrors(server, options.links);
    return server;
  };

/** How long a connection may stay idle after a response that was too late to carry `Connection: close`. */
const keepAliveMillis = 1_000;
const maxTurns = 1_000;

/** Stops accepting, except connections that the system has opened: it would reset them. Call it before draining. */
export async function stopListening(server: Server): Promise<void> {
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  for (let [turns, before] = [0, -1]; before !== accepted && turns < maxTurns; turns++) {
    before = accepted;
    await turn();
    await turn();
  }
  // `close` of the HTTP server would also close idle connections.
  TcpServer.prototype.close.call(server);
}

/** Tracks open connections with the response to their last request. Undefined: none yet, which is not idle for Node. */
function watchConnections(server: Server): ReadonlyMap<Socket, ServerResponse | undefined> {
  const open = new Map<Socket, ServerResponse | undefined>();
  server.on('connection', (socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    open.set(socket, response);
  });
  return open;
}

/**
 * Disconnects clients without losing a request. Every response asks its client to close the connection, and clients
 * with open connections have `drainMillis` to send another request and receive such a response. Only then are idle
 * connections closed.
 */
export function drainOnClose(app: FastifyInstance, drainMillis: number): void {
  const { server } = app;
  const open = watchConnections(server);
  app.addHook('preClose', async () => {
    Object.assign(server, { keepAliveTimeout: keepAliveMillis, keepAliveTimeoutBuffer: 0 });
    if (server.listening) TcpServer.prototype.close.call(server);
    for (const [socket, response] of open) {
      // The framework asks the clients of later requests to close. These requests arrived before.
      if (response !== undefined) response.shouldKeepAlive = false;
      // A connection that is not read for a while after a refusal may have received a request.
      socket.resume();
    }
    const end = performance.now() + drainMillis;
    while (open.size > 0 && performance.now() < end) await sleep(20);
    // Read what has arrived in the meantime before closing connections that seem idle.
    await turn();
    await turn();
    for (const [socket, response] of open) {
      if (response === undefined) socket.destroy();
    }
  });
}
