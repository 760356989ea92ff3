import type { Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long a connection may be idle after an answer that could not tell its client to close it any more. */
const keepAliveMillis = 1_000;
const maxTurns = 1_000;

/**
 * Lets nobody new in, but whoever has knocked before: the system has opened such a connection already, and would end it
 * together with what was sent over it. To be done before anybody is told to close and comes back.
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
  // Closing it as an HTTP server would close what is idle, too.
  TcpServer.prototype.close.call(server);
}

/** Every connection, those on which no request has come yet, which Node does not count as idle, and answers to come. */
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
 * Lets clients go without losing a request of theirs: every answer tells them to close, and those that keep their
 * connections have a while to ask for one. Only then is closed what is idle.
 */
export function drainOnClose(app: FastifyInstance, drainMillis: number): void {
  const { server } = app;
  const { open, silent, pending } = watchConnections(server);
  app.addHook('preClose', async () => {
    // The framework tells those who ask from now on; these have asked before.
    for (const response of pending) response.shouldKeepAlive = false;
    Object.assign(server, { keepAliveTimeout: keepAliveMillis, keepAliveTimeoutBuffer: 0 });
    if (server.listening) TcpServer.prototype.close.call(server);
    const end = performance.now() + drainMillis;
    while (open.size > 0 && performance.now() < end) await sleep(20);
    // What has arrived in the meantime is read before what seems idle is closed.
    await turn();
    await turn();
    for (const socket of silent) socket.destroy();
  });
}
