import type { FastifyReply } from 'fastify';
import symbols from 'fastify/lib/symbols.js';

export type ReplyHeaders = Record<string, string | number>;

interface WithHeaders {
  [symbols.kReplyHeaders]: ReplyHeaders;
}

/**
 * Returns the headers that Fastify will send, by their names in lower case. For those of every response: `reply.header`
 * normalizes each name again, and with twenty headers takes a fifth of the time of all that bare Fastify does.
 */
export const headersOf = (reply: FastifyReply): ReplyHeaders =>
  (reply as unknown as WithHeaders)[symbols.kReplyHeaders];

/** Replaces all headers, before any other is set. */
export function setHeaders(reply: FastifyReply, headers: ReplyHeaders): void {
  (reply as unknown as WithHeaders)[symbols.kReplyHeaders] = headers;
}
