import { createHash } from 'node:crypto';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTestIn } from '../../../domain/test-mark.ts';
import { writeOutput } from '../../../platform/cli/files.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { createThread } from '../../../platform/threads/thread.ts';
import type { CompanyContext } from '../../context.ts';
import type { CoverSheetFormat } from '../rules/formats.ts';
import { coverSheetName } from './compose.ts';
import { type CoverSheet, loadCoverSheet } from './load.ts';
import type { CoverSheetTask } from './render.ts';

/** Renders cover sheets on a separate thread, so that the API in the same process stays responsive. */
export const startCoverSheetRenderer = () =>
  createThread<CoverSheetTask, Uint8Array>(new URL('./render.ts', import.meta.url));

const contentTypes: Record<CoverSheetFormat, string> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const hash = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

interface SendOptions extends CoverSheetTask {
  render(task: CoverSheetTask): Promise<Uint8Array>;
  onDownload(): Promise<void>;
}

export async function sendCoverSheet(
  request: FastifyRequest,
  reply: FastifyReply,
  { render, onDownload, ...task }: SendOptions,
) {
  const { sheet, format } = task;
  const rendered = await render(task);
  const content = Buffer.from(rendered.buffer as ArrayBuffer, rendered.byteOffset, rendered.byteLength);
  return sendFile(request, reply, {
    sha256: hash(content),
    sizeBytes: content.length,
    contentType: contentTypes[format],
    disposition: contentDisposition(`${coverSheetName(sheet)}.${format}`),
    open: async () => content,
    onDownload,
  });
}

interface SaveInput {
  id: number;
  format: CoverSheetFormat;
  out: string;
}

/** Writes the cover sheet of an export to a path. */
export async function saveCoverSheet({ config, db, companyId }: CompanyContext, { id, format, out }: SaveInput) {
  const sheet: CoverSheet = await loadCoverSheet(db, companyId, id);
  const { default: render } = await import('./render.ts');
  const content = await render({ sheet, format, isTest: isTestIn(config.environment) });
  await writeOutput(out, content);
  return { id, fileName: `${coverSheetName(sheet)}.${format}`, out, sizeBytes: content.length };
}
