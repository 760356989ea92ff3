import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Equals the time limit for a whole request. */
const timeoutMillis = 300_000;

/**
 * Lets the service work on a request for longer than the idle limit of a connection. Call it once the body has arrived:
 * until then, a client that stops sending is still disconnected. The idle limit applies again from the next request on
 * the connection.
 */
export function extendTimeout(reply: FastifyReply): void {
  // A request from inside of the process has no real socket.
  if (reply.raw.socket instanceof Socket) reply.raw.socket.setTimeout(timeoutMillis);
}
