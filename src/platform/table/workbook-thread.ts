import { parentPort } from 'node:worker_threads';
import { readWorkbook } from './read-workbook.ts';
import { TableError, type TableProblem, type TableRow } from './table-row.ts';

export type UnpackedWorkbook = { rows: TableRow[] } | { problem: TableProblem };

const unpack = (bytes: Uint8Array): Promise<UnpackedWorkbook> =>
  readWorkbook(bytes).then(
    (rows) => ({ rows }),
    (error) => ({ problem: error instanceof TableError ? error.code : 'invalid-workbook' }),
  );

parentPort?.on('message', async (bytes: Uint8Array) => parentPort?.postMessage(await unpack(bytes)));
