import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from '../telemetry/metrics.ts';
import { unavailable } from './errors.ts';
import { Counts } from './fair-slots.ts';
import type { Links } from './links.ts';
import { presentProblem, problemMediaType } from './problem.ts';

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

/** Returns whether the sender has more in progress than it may have if all share `places` equally. */
function exceedsShare(inProgress: Counts<string>, sender: string, places: number): boolean {
  const own = inProgress.of(sender);
  const senders = inProgress.size + (own === 0 ? 1 : 0);
  return own >= Math.max(1, places / senders);
}

export interface LoadSheddingOptions {
  waiting: () => number;
  /**
   * While more statements than this wait, requests of companies that have more than their share in progress are refused.
   * While four times as many wait, all requests are. No company has more than twice as many requests in progress.
   */
  maxWaiting: number;
  /** Returns the company of a request whose key is known, otherwise the network it comes from. */
  senderOf: (request: IncomingMessage) => string;
  links: Links;
  metrics: Metrics;
  log: FastifyBaseLogger;
}

/**
 * Returns a request handler that refuses requests while more of them wait for the database than can be processed soon,
 * first those of the company that causes it. A request that waits for longer than its client does is wasted work. Under
 * such a load most requests are refused, so this happens before any other work.
 */
export function shedLoad(handler: RequestListener, options: LoadSheddingOptions): RequestListener {
  const { waiting, maxWaiting, senderOf, links, metrics, log } = options;
  const error = unavailable('More requests are in progress than the service can process in time.');
  const pause = createPauses();
  const inProgress = new Counts<string>();
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

  function refuse(request: IncomingMessage, response: ServerResponse, sender: string): void {
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
    log.warn({ refused, waiting: waiting(), sender }, 'requests refused: too many wait for the database');
    [refused, loggedAt] = [0, performance.now()];
  }

  /**
   * A request queues its statement a moment after it is accepted, so a burst of one sender is limited by its number too.
   * Otherwise it would fill the queue before anything waits, and others would be refused.
   */
  function isRefused(request: IncomingMessage, sender: string): boolean {
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
    response.once('close', () => inProgress.add(sender, -1));
    handler(request, response);
  };
}
