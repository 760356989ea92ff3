import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesETag } from './kept-pages.ts';

interface SentFile {
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string;
  sizeBytes: number;
  contentType: string;
  /** The header `Content-Disposition`. */
  disposition: string;
  headers?: Record<string, string>;
  open(): Promise<Readable | Buffer>;
  /** Runs just before the file is sent. If it fails, nothing is sent. */
  onDownload?: (() => Promise<void>) | undefined;
}

/** Sends a file byte for byte, or 304 if the client already has it. Typed as whatever the route says that it sends. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): Promise<never> {
  const etag = `"${file.sha256}"`;
  const caching = { etag, 'cache-control': 'no-store' };
  if (matchesETag(request.headers['if-none-match'], etag)) {
    return reply.code(304).headers(caching).send() as never;
  }
  const content = await file.open();
  if (request.method !== 'HEAD') {
    await file.onDownload?.().catch((error: unknown) => {
      if (!Buffer.isBuffer(content)) content.destroy();
      throw error;
    });
  }
  reply.headers({
    ...caching,
    'content-type': file.contentType,
    'content-length': file.sizeBytes,
    'content-disposition': file.disposition,
    ...file.headers,
  });
  return reply.send(content) as never;
}
