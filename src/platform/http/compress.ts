import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);
const acceptsGzip = /(^|[\s,])(gzip|\*)(?!\s*;\s*q=0(\.0+)?\s*(,|$))/;

/**
 * Compresses a JSON response of a size worth it, outside of the event loop. For responses only that no other site can
 * cause with the user's cookie: the size of a compressed response can reveal what it contains.
 */
export async function compressJson(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < 1_400) return payload;
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip.test(request.headers['accept-encoding'] ?? '')) return payload;
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  return compress(payload);
}
