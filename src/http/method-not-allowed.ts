import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';
import { ApiError } from '../errors.ts';

/** CONNECT never becomes a request (src/http/client-error.ts). */
const methods = METHODS.filter((method) => method !== 'CONNECT') as HTTPMethods[];
const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Routes every method that Node parses through the application and its error responses, without reading the body. */
export function acceptEveryMethod(app: FastifyInstance): void {
  for (const method of methods) {
    if (!usual.includes(method)) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}

/** Responds with 405 and `Allow` to methods that the paths of these routes do not support. */
export function refuseOtherMethods(app: FastifyInstance, routes: readonly RouteOptions[]): void {
  for (const [url, known] of Map.groupBy(routes, (route) => route.url)) {
    const allowed = known.flatMap((route) => route.method);
    const allow = [...new Set(allowed)].sort().join(', ');
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      config: { public: true },
      schema: { hide: true },
      // Refuse before the body is read, whatever its type.
      onRequest: async (request) => {
        throw new ApiError(
          'method-not-allowed',
          `${request.method} is not supported here. Use ${allow}.`,
          {},
          { allow },
        );
      },
      handler: async () => undefined,
    });
  }
}
