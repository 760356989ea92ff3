import type { FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { myPrefix } from '../src/my/routes.ts';
import { buildOfflineApp } from '../src/operator/offline-app.ts';
import { readConfig } from '../src/platform/config/config.ts';
import type { ProblemCode } from '../src/platform/http/errors.ts';
import { portalPrefix } from '../src/portal/routes.ts';

interface PortalSchema extends FastifySchema {
  summary: string;
  response: Record<string, TSchema & { type?: string; content?: object }>;
  'x-problems': readonly ProblemCode[];
}

/** A route of the API of our own pages. Its address is relative to /portal/api, or to /my/api. */
export interface PortalRoute {
  method: string;
  url: string;
  config: RouteOptions['config'];
  schema: PortalSchema;
}

/** Returns the routes of the portal's own API, as the application registers them. */
export const listPortalRoutes = () => listPageRoutes(portalPrefix);

/** Returns the routes of the employee's page. */
export const listMyRoutes = () => listPageRoutes(myPrefix);

async function listPageRoutes(prefix: string): Promise<PortalRoute[]> {
  const routes: PortalRoute[] = [];
  const app = await buildOfflineApp(readConfig({}), ({ method, url, config, schema }) => {
    const isOperation = schema !== undefined && 'x-problems' in schema;
    if (!isOperation || !url.startsWith(`${prefix}/`) || method === 'HEAD') return;
    routes.push({
      method: String(method),
      url: url.slice(prefix.length),
      config,
      schema: schema as PortalSchema,
    });
  });
  await app.close();
  return routes;
}
