import type { Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long a connection may stay idle after a response that was too late to carry `Connection: close`. */
const keepAliveMillis = 1_000;
const maxTurns = 1_000;

/**
 * Stops accepting connections, except those that the operating system has already opened: it would reset them together
 * with the requests sent over them. Call this before any client is asked to close its connection, because the client
 * reconnects.
 */
export async function stopListening(server: Server): Promise<void> {
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  for (let [turns, before] = [0, -1]; before !== accepted && turns < maxTurns; turns++) {
    before = accepted;
    await turn();
    await turn();
  }
  // `close` of the HTTP server would also close idle connections.
  TcpServer.prototype.close.call(server);
}

/** Tracks open connections with the response to their last request. Undefined: none yet, which is not idle for Node. */
function watchConnections(server: Server): ReadonlyMap<Socket, ServerResponse | undefined> {
  const open = new Map<Socket, ServerResponse | undefined>();
  server.on('connection', (socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    open.set(socket, response);
  });
  return open;
}

/**
 * Disconnects clients without losing a request. Every response asks its client to close the connection, and clients
 * with open connections have `drainMillis` to send another request and receive such a response. Only then are idle
 * connections closed.
 */
export function drainOnClose(app: FastifyInstance, drainMillis: number): void {
  const { server } = app;
  const open = watchConnections(server);
  app.addHook('preClose', async () => {
    Object.assign(server, { keepAliveTimeout: keepAliveMillis, keepAliveTimeoutBuffer: 0 });
    if (server.listening) TcpServer.prototype.close.call(server);
    for (const [socket, response] of open) {
      // The framework asks the clients of later requests to close. These requests arrived before.
      if (response !== undefined) response.shouldKeepAlive = false;
      // A connection that is not read for a while after a refusal (src/platform/http/shed-load.ts) may have received a request.
      socket.resume();
    }
    const end = performance.now() + drainMillis;
    while (open.size > 0 && performance.now() < end) await sleep(20);
    // Read what has arrived in the meantime before closing connections that seem idle.
    await turn();
    await turn();
    for (const [socket, response] of open) {
      if (response === undefined) socket.destroy();
    }
  });
}
