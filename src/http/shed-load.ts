import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { unavailable } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Links } from './links.ts';
import { presentProblem, problemMediaType } from './problem.ts';

/** One log line per refused request would be a load of its own. */
const logIntervalMillis = 5_000;

/** Placeholder for a request id, of the same length. */
const placeholderId = '00000000-0000-0000-0000-000000000000';

/** Health checks test whether the service is up, not how busy it is. */
const isHealthCheck = ({ url }: IncomingMessage) => url === '/v1/health';

export interface LoadSheddingOptions {
  /** Returns how many statements wait for a database connection. */
  waiting: () => number;
  /** Requests are refused while more statements than this wait. */
  maxWaiting: number;
  links: Links;
  metrics: Metrics;
  log: FastifyBaseLogger;
}

/**
 * Returns a request handler that refuses requests while more of them wait for the database than can be processed soon,
 * and passes on all others. A request that waits for longer than its client does is wasted work. Under such a load most
 * requests are refused, so this happens before any other work.
 */
export function shedLoad(handler: RequestListener, options: LoadSheddingOptions): RequestListener {
  const { waiting, maxWaiting, links, metrics, log } = options;
  const error = unavailable('More requests are in progress than the service can process in time.');
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

  function refuse({ method = '' }: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUID();
    response
      .writeHead(status, [...headers, 'x-request-id', requestId])
      .end(method === 'HEAD' ? undefined : before + requestId + after);
    metrics.recordResponse({ method, route: 'refused', status }, 0);
    metrics.recordOverload('database');
    refused += 1;
    if (performance.now() - loggedAt < logIntervalMillis) return;
    log.warn({ refused, waiting: waiting() }, 'requests refused: too many wait for the database');
    [refused, loggedAt] = [0, performance.now()];
  }

  return (request, response) => {
    if (waiting() > maxWaiting && !isHealthCheck(request)) refuse(request, response);
    else handler(request, response);
  };
}
