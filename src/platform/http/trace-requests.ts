import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, SpanOrigin, Tracing } from '../telemetry/tracing/tracing.ts';
import { patternOf } from './request-hooks.ts';

/** Health checks arrive every few seconds and say nothing about requests. */
const untraced = '/v1/health';

const nobody = {};

/** Returns the span to continue: only a trusted proxy names one. That of anyone else is only linked. */
function findSender(request: FastifyRequest): SpanOrigin {
  const { traceparent } = request.headers;
  if (typeof traceparent !== 'string') return nobody;
  return (request.ips ?? []).length > 1 ? { parent: traceparent } : { link: traceparent };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined: the request is not traced. */
    span: Span | undefined;
  }
}

/** Records one span per request, with the route pattern and never the path, which has personal data. */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing,
  identifyCompany: (request: FastifyRequest) => number | undefined,
): void {
  app.decorateRequest('span', undefined);
  const enter = ({ span }: FastifyRequest, done: () => void) => {
    if (span === undefined) done();
    else span.enter(done);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const route = patternOf(request);
    if (route === untraced) return done();
    request.span = tracing.startFirstSpan(findSender(request), () => {
      const { method } = request;
      const attributes = { 'http.request.method': method, 'transit.request_id': request.id };
      return {
        name: route === undefined ? method : `${method} ${route}`,
        kind: 'server',
        attributes: route === undefined ? attributes : { ...attributes, 'http.route': route },
      };
    });
    enter(request, done);
  });
  // The events of a body that was read do not belong to the span, so it is entered again.
  app.addHook('preValidation', (request, _reply, done) => enter(request, done));
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.span?.isKept) return done();
    const { statusCode } = reply;
    const companyId = identifyCompany(request);
    request.span.end({
      attributes: {
        'http.response.status_code': statusCode,
        ...(companyId === undefined ? {} : { 'transit.company_id': companyId }),
      },
      errorType: statusCode >= 500 ? String(statusCode) : undefined,
    });
    // The log line of the response carries the ids of the span.
    enter(request, done);
  });
}
