import { parentPort, workerData } from 'node:worker_threads';
import { readWorkbook } from '../../domain/roster-file/read-workbook.ts';
import { RosterFileError } from '../../domain/roster-file/roster-file-error.ts';

/** Reads one Excel file in a thread of its own, and posts its rows or why it cannot be read. */
try {
  parentPort?.postMessage({ rows: await readWorkbook(workerData as Uint8Array) });
} catch (error) {
  parentPort?.postMessage({ problem: error instanceof RosterFileError ? error.code : 'invalid-workbook' });
}
