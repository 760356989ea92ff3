import type { FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { buildOfflineApp } from '../src/operator/offline-app.ts';
import { readConfig } from '../src/platform/config/config.ts';
import type { ProblemCode } from '../src/platform/http/errors.ts';
import { portalPrefix } from '../src/portal/routes.ts';

interface PortalSchema extends FastifySchema {
  summary: string;
  response: Record<string, TSchema & { type?: string; content?: object }>;
  'x-problems': readonly ProblemCode[];
}

/** A route of the portal's own API. Its address is relative to /portal/api. */
export interface PortalRoute {
  method: string;
  url: string;
  config: RouteOptions['config'];
  schema: PortalSchema;
}

/** Returns the routes of the portal's own API, as the application registers them. */
export async function listPortalRoutes(): Promise<PortalRoute[]> {
  const routes: PortalRoute[] = [];
  const app = await buildOfflineApp(readConfig({}), ({ method, url, config, schema }) => {
    const isOperation = schema !== undefined && 'x-problems' in schema;
    if (!isOperation || !url.startsWith(portalPrefix) || method === 'HEAD') return;
    routes.push({
      method: String(method),
      url: url.slice(portalPrefix.length),
      config,
      schema: schema as PortalSchema,
    });
  });
  await app.close();
  return routes;
}
