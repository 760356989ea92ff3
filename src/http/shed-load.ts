import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { AppContext } from '../context.ts';
import { unavailable } from '../errors.ts';
import { presentProblem, problemMediaType } from './problem.ts';

/** One log line per refused request would be a load of its own. */
const tellEveryMillis = 5_000;

/** Placeholder for a request id, of the same length. */
const anyId = '00000000-0000-0000-0000-000000000000';

/** Health checks ask whether the service is up, not how busy it is. */
const isSpared = ({ url }: IncomingMessage) => url === '/v1/health';

/**
 * Refuses requests while more of them wait for the database than can be processed soon. A request that waits for longer
 * than its client does is wasted work. Under such a load most requests are refused, so this happens before any other
 * work.
 */
export function shedLoad(server: Server, parts: AppContext, log: FastifyBaseLogger): void {
  const { config, links, metrics, waiting } = parts;
  const error = unavailable('More requests are under way than can be answered in time.');
  let [refused, toldAt] = [0, Number.NEGATIVE_INFINITY];

  // All refusals are identical except for the id, so the rest is built once.
  const { status } = presentProblem(error, links, '');
  const [before = '', after = ''] = JSON.stringify(presentProblem(error, links, anyId)).split(anyId);
  const headers = Object.entries({
    ...error.headers,
    'content-type': problemMediaType,
    'content-length': String(Buffer.byteLength(before + anyId + after)),
    'cache-control': 'no-store',
  }).flat();

  function refuse({ method = '' }: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUID();
    response
      .writeHead(status, [...headers, 'x-request-id', requestId])
      .end(method === 'HEAD' ? undefined : before + requestId + after);
    metrics.record({ method, route: 'refused', status }, 0);
    refused += 1;
    if (performance.now() - toldAt < tellEveryMillis) return;
    log.warn({ refused, waiting: waiting() }, 'requests are refused because too many wait for the database');
    [refused, toldAt] = [0, performance.now()];
  }

  const answers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (request, response) => {
    if (waiting() > config.overloadQueue && !isSpared(request)) refuse(request, response);
    else for (const answer of answers) answer(request, response);
  });
}
