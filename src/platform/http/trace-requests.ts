import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracing } from '../telemetry/tracing/tracing.ts';
import { patternOf } from './request-hooks.ts';

/** Health checks arrive every few seconds and say nothing about requests. */
const untraced = '/v1/health';

/** Returns the span to continue: only a trusted proxy names one. That of anyone else is only linked. */
function findSender({ ips = [], headers: { traceparent } }: FastifyRequest) {
  if (typeof traceparent !== 'string') return {};
  return ips.length > 1 ? { parent: traceparent } : { link: traceparent };
}

/** Records one span per request, with the route pattern and never the path, which has personal data. */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing,
  identifyCompany: (request: FastifyRequest) => number | undefined,
): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const enter = (request: FastifyRequest, done: () => void) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.enter(done);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const { method } = request;
    const route = patternOf(request);
    if (route !== untraced) {
      const attributes = { 'http.request.method': method, 'transit.request_id': request.id };
      const span = tracing.startSpan({
        name: route === undefined ? method : `${method} ${route}`,
        kind: 'server',
        attributes: route === undefined ? attributes : { ...attributes, 'http.route': route },
        ...findSender(request),
      });
      spans.set(request, span);
    }
    enter(request, done);
  });
  // The events of a body that was read do not belong to the span, so it is entered again.
  app.addHook('preValidation', (request, _reply, done) => enter(request, done));
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    const companyId = identifyCompany(request);
    spans.get(request)?.end({
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
