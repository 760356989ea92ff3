import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics, ResponseMetrics } from '../telemetry/metrics.ts';
import { patternOf } from './method-not-allowed.ts';

/** Who made a request, by ids only. */
export interface Caller {
  companyId: number | undefined;
  keyId: string | undefined;
  userId: string | undefined;
}

/** Returns what is recorded about a response. Times are rounded to tenths of a millisecond. */
export const describeResponse = (response: ResponseMetrics, milliseconds: number) => ({
  ...response,
  ms: Math.round(milliseconds * 10) / 10,
});

/**
 * Records one log line and one measurement per response. Logs the route pattern and never the path as sent, because the
 * email addresses and search terms in it are personal data.
 */
export function recordResponses(
  app: FastifyInstance,
  metrics: Metrics,
  identifyCaller: (request: FastifyRequest) => Caller,
  onResponse: (request: FastifyRequest, response: ResponseMetrics, milliseconds: number) => void,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const response = {
      method: request.method,
      route: patternOf(request) ?? 'unknown',
      status: reply.statusCode,
    };
    metrics.recordResponse(response, reply.elapsedTime);
    const described = describeResponse(response, reply.elapsedTime);
    request.log.info({ ...described, ...identifyCaller(request) }, 'request completed');
    onResponse(request, response, reply.elapsedTime);
    done();
  });
}
