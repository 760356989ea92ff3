import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { handleProtocolErrors } from './client-error.ts';
import type { Links } from './links.ts';

export const maxHeadBytes = 16 * 1024;

const options = {
  headersTimeout: 20_000,
  // Node looks for expired connections every 30 s by default, so that a head might take 50 s.
  connectionsCheckingInterval: 1_000,
  // Uploading a large roster over a slow line takes time. The connection timeout ends uploads that stall.
  requestTimeout: 300_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: maxHeadBytes,
  requireHostHeader: false,
  // A request without a body needs no stream that emits its end.
  optimizeEmptyRequests: true,
};

/** Node closes the connection of a client that stops reading only after twice this time. */
const connectionMillis = 40_000;

const healthCheck = /^\/v1\/health\/?(?:\?.*)?$/s;

/** Removes what monitors add to the address of the health check, so that everything behind this sees one address. */
function normalizeHealthCheck(request: IncomingMessage): void {
  if (healthCheck.test(request.url ?? '')) request.url = '/v1/health';
}

/**
 * Returns the `serverFactory` option for Fastify. `wrap` receives Fastify's handler and returns the one that the server
 * calls, so that requests can be refused before Fastify sees them.
 */
export function createServerFactory(links: Links, wrap: (handler: RequestListener) => RequestListener) {
  return (handler: RequestListener): Server => {
    const handle = wrap(handler);
    const server = createServer(options, (request, response) => {
      normalizeHealthCheck(request);
      handle(request, response);
    });
    server.setTimeout(connectionMillis);
    handleProtocolErrors(server, links);
    return server;
  };
}
