import { createServer } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { OperatorError } from '../operator-error.ts';

export interface ResponseMetrics {
  method: string;
  /** The route pattern, not the path, so that the number of series stays small. */
  route: string;
  status: number;
}

export interface Metrics {
  record(response: ResponseMetrics, milliseconds: number): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const off: Metrics = { record() {}, start: async () => {}, stop: async () => {} };

function createServerFor(registry: Registry, log: FastifyBaseLogger) {
  return createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'metrics could not be collected');
        response.writeHead(500).end();
      },
    );
  });
}

/** Serves Prometheus metrics on a separate port, so that they are never reachable through the API. */
export function createMetrics({ metricsPort, metricsHost }: Config, log: FastifyBaseLogger): Metrics {
  if (metricsPort === undefined) return off;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const server = createServerFor(registry, log);
  return {
    record: (response, milliseconds) => durations.observe({ ...response }, milliseconds / 1000),
    start: () =>
      new Promise((resolve, reject) => {
        const fail = (error: Error) =>
          reject(
            new OperatorError(
              `Metrics cannot be served: ${error.message}. Set METRICS_HOST and METRICS_PORT to a free address.`,
            ),
          );
        server.once('error', fail);
        server.listen(metricsPort, metricsHost, resolve);
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
