import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, type ProblemCode, problems } from '../errors.ts';
import type { Links } from './links.ts';
import { presentProblem, problemMediaType } from './problem.ts';

const codes: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

function refuse(socket: Duplex, code: ProblemCode, links: Links): void {
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

/** Whether an answer has begun, in the middle of which a second one would be taken for a part of it. Node looks there, too. */
const isAnswering = (socket: Socket & { _httpMessage?: ServerResponse | null }) =>
  socket._httpMessage?.headersSent === true;

/** For messages that never become a request because they are no valid HTTP: the same form of answer, written by hand. */
export function createClientErrorHandler(links: Links) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // Something follows a request that was to be the last: it does not count, that one is answered and ends the connection.
    if (error.code === 'HPE_CLOSED_CONNECTION') return;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) socket.destroy();
    else refuse(socket, codes[error.code ?? ''] ?? 'malformed-request', links);
  };
}

/** What Node handles beside its requests, and would answer without a body or not at all. */
export function handleProtocolErrors(server: Server, links: Links): void {
  server.on('connect', (_request, socket) => refuse(socket, 'malformed-request', links));
  // Nobody is upgraded, but Node drops what came together with such a request: the next one could be read from its middle.
  server.prependListener('request', (request, response) => {
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  });
  // An expectation that we do not know is no reason not to answer.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
