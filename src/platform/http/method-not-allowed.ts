import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import findMyWay from 'find-my-way';
import { ApiError } from './errors.ts';

/** CONNECT never becomes a request (src/platform/http/client-error.ts). */
const methods = METHODS.filter((method) => method !== 'CONNECT') as HTTPMethods[];
const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Routes every method that Node parses through the application and its error responses, without reading the body. */
export function acceptEveryMethod(app: FastifyInstance): void {
  for (const method of methods) {
    if (!usual.includes(method)) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}

interface KnownPath {
  /** The pattern of the path, such as /v1/employees/:id. */
  url: string;
  allow: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The path of a request whose method the path does not support. */
    knownPath: KnownPath | undefined;
  }
}

/** Returns the pattern of the path, whether or not it supports the method of the request. */
export const patternOf = ({ routeOptions, knownPath }: FastifyRequest) => routeOptions.url ?? knownPath?.url;

/**
 * Finds the paths of requests whose method they do not support. A router of its own with one entry per path does this,
 * since every pair of a path and a refused method would be two thousand routes.
 */
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
