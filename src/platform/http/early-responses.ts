import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { CompanyId } from '../db/company-scope.ts';
import type { Metrics, PageSource } from '../telemetry/metrics.ts';
import { validatorHeaders } from './keep-pages.ts';
import { describeResponse } from './request-log.ts';

export interface EarlyResponse {
  companyId: CompanyId;
  keyId: string;
  requestId: string;
  method: 'GET';
  route: string;
  /** The path and the query as sent. */
  url: string;
  status: number;
  ms: number;
  /** The address of the client. */
  address: string | undefined;
  source: PageSource;
}

export interface EarlyResponseOptions {
  /** The headers of every response. */
  headers: Record<string, string>;
  addressOf: (request: IncomingMessage) => string | undefined;
  /** Called when a response has been sent. */
  onResponse: (response: EarlyResponse) => void;
  metrics: Metrics;
  log: FastifyBaseLogger;
}

/** What a response consists of. */
export interface EarlyContent {
  route: string;
  etag: string;
  /** Undefined: 304. */
  body: Buffer | string | undefined;
  source: PageSource;
}

/** What is known about the request. */
interface EarlyRequest {
  caller: { companyId: CompanyId; keyId: string };
  /** The headers that describe the limit of the key, each name followed by its value. */
  limit: (string | number)[];
  /** When the request was received, by `performance.now()`. */
  begun: number;
}

export type SendEarly = (
  request: IncomingMessage,
  response: ServerResponse,
  content: EarlyContent,
  early: EarlyRequest,
) => void;

/** Returns a function that sends responses and records them as the hooks of Fastify do (src/platform/http/request-log.ts). */
export function createEarlyResponses(options: EarlyResponseOptions): SendEarly {
  const { addressOf, onResponse, metrics, log } = options;
  const commonHeaders = Object.entries(options.headers)
    .filter(([name]) => name !== 'cache-control')
    .flat();
  let unrecorded: EarlyResponse[] = [];

  /** Records responses after all that can be sent at the moment, so that no client waits for the record of another. */
  function recordAll(): void {
    const responses = unrecorded;
    unrecorded = [];
    for (const response of responses) {
      const { companyId, keyId, requestId, method, route, status, ms, source } = response;
      const recorded = { method, route, status };
      metrics.recordPage(source);
      metrics.recordResponse(recorded, ms);
      log.info({ requestId, ...describeResponse(recorded, ms), companyId, keyId }, 'request completed');
      onResponse(response);
    }
  }

  return (request, response, { route, etag, body, source }, { caller, limit, begun }) => {
    const status = body === undefined ? 304 : 200;
    const requestId = randomUUID();
    const content =
      body === undefined
        ? []
        : ['content-type', 'application/json; charset=utf-8', 'content-length', Buffer.byteLength(body)];
    response.writeHead(status, [
      ...commonHeaders,
      'x-request-id',
      requestId,
      ...limit,
      ...validatorHeaders(etag),
      ...content,
    ]);
    response.end(body);
    const { companyId, keyId } = caller;
    const ms = performance.now() - begun;
    if (unrecorded.length === 0) setImmediate(recordAll);
    unrecorded.push({
      companyId,
      keyId,
      requestId,
      method: 'GET',
      route,
      status,
      url: request.url ?? '',
      ms,
      address: addressOf(request),
      source,
    });
  };
}
