import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

/** Compressed bodies are refused: their size says nothing about how much they become. */
export function assertPlainBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return;
  throw new ApiError('unsupported-media-type', `Send the roster without compression, not as \`${encoding}\`.`);
}
