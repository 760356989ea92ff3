import type { FastifyReply } from 'fastify';

/** As long as a whole request may take. */
const silenceMillis = 300_000;

/**
 * Lets the service work on a request for longer than a connection may otherwise be idle. To be called once the body has
 * arrived: until then a client that stops sending is still disconnected. The limit is back with the next request of the connection.
 */
export function allowSilence(reply: FastifyReply): void {
  reply.raw.socket?.setTimeout(silenceMillis);
}
