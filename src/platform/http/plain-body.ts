import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

/** Throws if the body is compressed, because its compressed size does not limit its decompressed size. */
export function assertPlainBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return;
  throw new ApiError(
    'unsupported-media-type',
    `The body is compressed as \`${encoding}\`. Send it without compression.`,
  );
}

/** Returns the body of a route that receives it as a stream. Fastify passes none if the request says that it has none. */
export const streamOf = ({ body }: FastifyRequest): Readable => (body as Readable | undefined) ?? Readable.from([]);
