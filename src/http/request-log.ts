import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/**
 * Records one log line and one measurement per response. Logs the route pattern and never the path as sent, because the
 * email addresses and search terms in it are personal data.
 */
export function recordResponses(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const answer = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
    };
    metrics.record(answer, reply.elapsedTime);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { companyId, keyId } = request.principal ?? {};
    const { user } = request;
    request.log.info({ ...answer, ms, companyId: companyId ?? user?.companyId, keyId, userId: user?.id }, 'answered');
    done();
  });
}
