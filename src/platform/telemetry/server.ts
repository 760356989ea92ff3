import { createServer, type ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import { OperatorError } from '../config/operator-error.ts';
import type { Readiness } from './readiness.ts';

export interface MonitoringServerOptions {
  port: number;
  host: string;
  setting: string;
  registry: Registry;
  readiness: Readiness;
  log: FastifyBaseLogger;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(`${JSON.stringify(body)}\n`);
}

type Routes = Record<string, (response: ServerResponse) => Promise<void>>;

function createRoutes({ registry, readiness }: MonitoringServerOptions): Routes {
  return {
    '/metrics': async (response) => {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    },
    // Needs nothing but this process, so that an outage of the database restarts nobody.
    '/live': async (response) => sendJson(response, 200, { status: 'alive' }),
    '/ready': async (response) => {
      const problems = await readiness.listProblems();
      if (problems.length === 0) sendJson(response, 200, { status: 'ready' });
      else sendJson(response, 503, { status: 'not ready', problems });
    },
  };
}

/** Serves metrics and probes on a port of their own, so that they are never reachable through the API. */
export async function startMonitoringServer(options: MonitoringServerOptions): Promise<() => Promise<void>> {
  const { port, host, setting, log } = options;
  const routes = createRoutes(options);
  const server = createServer((request, response) => {
    const route = Object.hasOwn(routes, request.url ?? '') ? routes[request.url ?? ''] : undefined;
    if (route === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(route === undefined ? 404 : 405).end();
      return;
    }
    route(response).catch((error: unknown) => {
      log.error({ err: error }, 'metrics could not be collected');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const remedy = `Set METRICS_HOST and ${setting} to a free address.`;
      reject(new OperatorError(`Metrics cannot be served: ${error.message}. ${remedy}`));
    });
    server.listen(port, host, resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}
