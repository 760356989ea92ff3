import { startLimitedThread } from '../threads/thread.ts';
import { TableError, type TableRow } from './table-row.ts';
import type { UnpackedWorkbook } from './workbook-thread.ts';

/** A file that needs more is made to exhaust the server, or should be a table of text. */
const maxHeapMegabytes = 768;
const maxMillis = 60_000;

/** Reads an Excel file in a thread with limited memory and time, so that it neither blocks nor ends the process. */
export async function unpackWorkbook(bytes: Uint8Array): Promise<TableRow[]> {
  const thread = startLimitedThread<Uint8Array, UnpackedWorkbook>(new URL('./workbook-thread.ts', import.meta.url), {
    maxHeapMegabytes,
    signal: AbortSignal.timeout(maxMillis),
  });
  try {
    // Out of memory, or out of time.
    const unpacked = await thread.call(bytes).catch(() => ({ problem: 'workbook-too-large' as const }));
    if ('problem' in unpacked) throw new TableError(unpacked.problem);
    return unpacked.rows;
  } finally {
    await thread.stop();
  }
}
