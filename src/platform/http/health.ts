import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { App } from './app.ts';
import { unavailable } from './errors.ts';
import { operation } from './operation.ts';

/** The response must be sent within a second, whatever the state of the database. */
const timeoutMillis = 800;

export function healthRoutes(app: App, { db }: { db: Db }): void {
  app.get(
    '/health',
    operation({
      id: 'checkHealth',
      tag: 'Service',
      summary: 'Health check',
      description:
        'Returns 204 without a body if the service works. Any other response, or none, means that it does not. Requires no key and is not rate limited. A query and a trailing slash have no effect.',
      // The server removes them (src/platform/http/server.ts).
      ignoresQuery: true,
      responses: { 204: { description: 'The service is up.', type: 'null' } },
    }),
    async function checkHealthHandler(request, reply) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => reject(new Error(`no response within ${timeoutMillis} ms`)), timeoutMillis);
      sql`select 1`.execute(db).then(() => resolve(), reject);
      try {
        await promise;
      } catch (error) {
        request.log.warn({ err: error }, 'health check failed');
        throw unavailable('The database does not respond.');
      } finally {
        clearTimeout(timer);
      }
      return reply.code(204).send();
    },
  );
}
