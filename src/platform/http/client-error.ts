import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, type ProblemCode, problems } from './errors.ts';
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
    else refuse(socket, codes[error.code ?? ''] ?? 'malformed-request', links);
  };
}

/** Handles what Node emits outside of requests and would respond to without a body, or not at all. */
export function handleProtocolErrors(server: Server, links: Links): void {
  server.on('connect', (_request, socket) => refuse(socket, 'malformed-request', links));
  // The service never upgrades a connection. Node drops the bytes that arrived together with such a request, so it
  // could read the next request from its middle. Close the connection instead.
  server.prependListener('request', (request, response) => {
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  });
  // An unknown expectation is no reason to refuse a request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
