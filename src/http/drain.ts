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

/**
 * Tracks every open connection, pending responses, and connections without a request yet, which Node does not count as
 * idle.
 */
function watchConnections(server: Server) {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  const pending = new Set<ServerResponse>();
  server.on('connection', (socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
    });
  });
  server.prependListener('request', ({ socket }, response) => {
    silent.delete(socket);
    pending.add(response);
    response.once('close', () => pending.delete(response));
  });
  return { open, silent, pending };
}

/**
 * Disconnects clients without losing a request. Every response asks its client to close the connection, and clients
 * with open connections have `drainMillis` to send another request and receive such a response. Only then are idle
 * connections closed.
 */
export function drainOnClose(app: FastifyInstance, drainMillis: number): void {
  const { server } = app;
  const { open, silent, pending } = watchConnections(server);
  app.addHook('preClose', async () => {
    // The framework asks the clients of later requests to close. These requests arrived before.
    for (const response of pending) response.shouldKeepAlive = false;
    Object.assign(server, { keepAliveTimeout: keepAliveMillis, keepAliveTimeoutBuffer: 0 });
    if (server.listening) TcpServer.prototype.close.call(server);
    const end = performance.now() + drainMillis;
    while (open.size > 0 && performance.now() < end) await sleep(20);
    // Read what has arrived in the meantime before closing connections that seem idle.
    await turn();
    await turn();
    for (const socket of silent) socket.destroy();
  });
}
