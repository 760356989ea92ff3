import { Worker } from 'node:worker_threads';
import { RosterFileError, type RosterFileProblem } from '../../domain/roster-file/roster-file-error.ts';
import type { TableRow } from '../../domain/roster-file/table-row.ts';

/** A file that needs more is made to exhaust the server, or should be a table of text. */
const maxHeapMegabytes = 768;
const maxMillis = 60_000;

type Message = { rows: TableRow[] } | { problem: RosterFileProblem };

/** Reads an Excel file in a thread with limited memory and time, so that it neither blocks nor ends the process. */
export async function unpackWorkbook(bytes: Uint8Array): Promise<TableRow[]> {
  const thread = new Worker(new URL('./workbook-thread.ts', import.meta.url), {
    workerData: bytes,
    // Flags of the process, such as those of an inline script, do not apply to the thread.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  });
  const timer = setTimeout(() => void thread.terminate(), maxMillis);
  try {
    const message = await new Promise<Message>((resolve) => {
      thread.once('message', resolve);
      // Out of memory, or out of time.
      const onEnd = () => resolve({ problem: 'workbook-too-large' });
      thread.once('error', onEnd).once('exit', onEnd);
    });
    if ('problem' in message) throw new RosterFileError(message.problem);
    return message.rows;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
