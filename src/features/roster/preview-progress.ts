import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

const linesType = 'application/x-ndjson';

/** Returns whether the client reads lines, of which only the last one is the response. */
export const acceptsLines = ({ headers }: FastifyRequest) => headers.accept?.includes(linesType) === true;

type Plan<T> = (onPlanned: (entries: number) => void) => Promise<T>;

/**
 * Sends how many entries of a roster are planned, one line each time, and the response as the last line. Begins with the
 * first entries, so that a failure up to that point gets its own status. A later failure breaks the connection.
 */
export async function sendProgress<T>(reply: FastifyReply, entries: number, plan: Plan<T>): Promise<T> {
  const lines = new PassThrough();
  // The rejected plan reports the failure.
  lines.on('error', () => {});
  const started = Promise.withResolvers<void>();
  const planned = plan((count) => {
    lines.write(`${JSON.stringify({ planned: count, entries })}\n`);
    started.resolve();
  });
  planned.then(
    (response) => lines.end(`${reply.serialize(response)}\n`),
    (error: Error) => lines.destroy(error),
  );
  await Promise.race([started.promise, planned]);
  reply.header('cache-control', 'no-store').type(linesType);
  // Typed as the response in the last line.
  return reply.send(lines) as never;
}
