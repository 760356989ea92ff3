import type { FastifyInstance } from 'fastify';
import type { CompanyId } from '../db/company-scope.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { patternOf } from './method-not-allowed.ts';

/** A request with a key, as it is known when its response has been sent. */
export interface KeyRequest {
  companyId: CompanyId;
  keyId: string;
  requestId: string;
  method: string;
  /** The pattern of the route. */
  route: string;
  /** The path and the query as sent. */
  url: string;
  status: number;
  ms: number;
  problem: string | undefined;
  address: string | undefined;
}

/**
 * Records one log line and one measurement per response. Logs the route pattern and never the path as sent, because the
 * email addresses and search terms in it are personal data. Calls `onKeyRequest` for requests with a key.
 */
export function recordResponses(
  app: FastifyInstance,
  metrics: Metrics,
  onKeyRequest: (request: KeyRequest) => void,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { principal, user, method } = request;
    const route = patternOf(request) ?? 'unknown';
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    metrics.recordResponse({ method, route, status }, ms);
    const companyId = principal?.companyId ?? user?.companyId;
    const caller = { companyId, keyId: principal?.keyId, userId: user?.id };
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
