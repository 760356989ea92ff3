import { IncomingMessage, METHODS, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import findMyWay from 'find-my-way';
import helmet from 'helmet';
import type { CompanyId } from '../db/company-scope.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { ApiError } from './errors.ts';
import { setHeaders } from './reply-headers.ts';

const protect = helmet({
  contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
  crossOriginResourcePolicy: { policy: 'same-site' },
  // For Internet Explorer, Flash and filters that no browser has any more, and what browsers do anyway.
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Returns the headers that helmet sets, computed once: as a hook, it would set them one by one per request. */
function securityHeaders(): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, () => {});
  return response.getHeaders() as Record<string, string>;
}

/** A host name or IP address with an optional port, in the characters that RFC 3986 allows. */
const pattern = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

const isHost = (name: string) => name.length === 4 && name.toLowerCase() === 'host';

/** Throws if the head violates RFC 9112, section 3.2. Node would refuse without a body, or use one of two hosts. */
function assertHead({ method, url, headers: { host }, rawHeaders, httpVersion }: IncomingMessage): void {
  if (url === '*' && method !== 'OPTIONS') {
    throw new ApiError('malformed-request', 'The target * is only valid with OPTIONS. Send the path of an operation.');
  }
  if (host === undefined && httpVersion === '1.1') {
    throw new ApiError('malformed-request', 'The Host header is missing. Send exactly one.');
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? '')) hosts++;
  if (hosts > 1) throw new ApiError('malformed-request', 'There is more than one Host header. Send exactly one.');
  if (host !== undefined && !pattern.test(host)) {
    throw new ApiError(
      'malformed-request',
      'The Host header is not a host name or IP address. Send the host of the URL.',
    );
  }
}

export function checkHeads(app: FastifyInstance): void {
  const headers = { ...securityHeaders(), 'cache-control': 'no-store' };
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(reply, { ...headers, 'x-request-id': request.id });
    assertHead(request.raw);
    done();
  });
}

/** CONNECT never becomes a request (src/platform/http/server.ts). */
const methods = METHODS.filter((method) => method !== 'CONNECT') as HTTPMethods[];
const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Routes every method that Node parses through the application and its error responses, without reading the body. */
export function acceptEveryMethod(app: FastifyInstance): void {
  for (const method of methods) {
    if (!usual.includes(method)) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}

interface KnownPath {
  url: string;
  allow: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    knownPath: KnownPath | undefined;
  }
}

/** Returns the pattern of the path, whether or not it supports the method of the request. */
export const patternOf = ({ routeOptions, knownPath }: FastifyRequest) => routeOptions.url ?? knownPath?.url;

/** Finds paths that do not support the method, by a router with one entry per path instead of 2,000 routes. */
export function findKnownPaths(app: FastifyInstance, { maxParamLength }: { maxParamLength: number }): void {
  const router = findMyWay({ maxParamLength });
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    for (const [url, known] of Map.groupBy(routes, (route) => route.url)) {
      const allow = [...new Set(known.flatMap((route) => route.method))].sort().join(', ');
      router.on('GET', url, () => {}, { url, allow } satisfies KnownPath);
    }
  });
  app.decorateRequest('knownPath', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) request.knownPath = router.find('GET', request.raw.url ?? '')?.store;
    done();
  });
}

/** Responds with 405 and `Allow` to methods that a known path does not support, before the body is read. */
export function refuseOtherMethods({ method, knownPath }: FastifyRequest, _reply: FastifyReply, done: () => void) {
  if (knownPath === undefined) return done();
  const { allow } = knownPath;
  throw new ApiError('method-not-allowed', `${method} is not supported here. Use ${allow}.`, {}, { allow });
}

export interface KeyRequest {
  companyId: CompanyId;
  keyId: string;
  requestId: string;
  method: string;
  route: string;
  url: string;
  status: number;
  ms: number;
  problem: string | undefined;
  address: string | undefined;
}

/** Logs and measures each response, by route pattern: the path has personal data, such as email addresses. */
export function recordResponses(
  app: FastifyInstance,
  metrics: Metrics,
  onKeyRequest: (request: KeyRequest) => void,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { principal, user, employee, method } = request;
    const route = patternOf(request) ?? 'unknown';
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    metrics.recordResponse({ method, route, status }, ms);
    const companyId = (principal ?? user ?? employee)?.companyId;
    const caller = { companyId, keyId: principal?.keyId, userId: user?.id, employeeId: employee?.employeeId };
    request.log.info({ method, route, status, ms: Math.round(ms * 10) / 10, ...caller }, 'request completed');
    if (principal !== undefined) {
      const { id: requestId, raw, ip: address, problem } = request;
      onKeyRequest({
        companyId: principal.companyId,
        keyId: principal.keyId,
        requestId,
        method,
        route,
        url: raw.url ?? '',
        status,
        ms,
        problem,
        address,
      });
    }
    done();
  });
}
