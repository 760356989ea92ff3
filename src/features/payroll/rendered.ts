import { createHash } from 'node:crypto';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFile } from '../../platform/http/send-file.ts';
import { createThread } from '../../platform/threads/thread.ts';
import type { CoverSheetFormat, YearFormat } from './rules/formats.ts';
import type { RenderTask } from './thread.ts';

/** Renders on a separate thread, so that the API in the same process stays responsive. */
export const startRenderer = () => createThread<RenderTask, Uint8Array>(new URL('./thread.ts', import.meta.url));

const contentTypes: Record<CoverSheetFormat | YearFormat, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

interface SendOptions {
  task: RenderTask;
  fileName: string;
  render(task: RenderTask): Promise<Uint8Array>;
  onDownload(): Promise<void>;
}

/** Renders a file and sends it. */
export async function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  { task, fileName, render, onDownload }: SendOptions,
) {
  const rendered = await render(task);
  const content = Buffer.from(rendered.buffer as ArrayBuffer, rendered.byteOffset, rendered.byteLength);
  return sendFile(request, reply, {
    sha256: createHash('sha256').update(content).digest('hex'),
    sizeBytes: content.length,
    contentType: contentTypes[task.format],
    disposition: contentDisposition(fileName),
    open: async () => content,
    onDownload,
  });
}
