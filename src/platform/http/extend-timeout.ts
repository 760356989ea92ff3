import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Equals the time limit for a whole request. */
const timeoutMillis = 300_000;

/** Lets the service work longer than the idle limit. Call it once the body has arrived: clients must not stall. */
export function extendTimeout(reply: FastifyReply): void {
  // A request from inside of the process has no real socket.
  if (reply.raw.socket instanceof Socket) reply.raw.socket.setTimeout(timeoutMillis);
}
