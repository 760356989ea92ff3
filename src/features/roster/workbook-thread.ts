import { parentPort } from 'node:worker_threads';
import { readWorkbook } from './rules/file/read-workbook.ts';
import { RosterFileError, type RosterFileProblem, type TableRow } from './rules/file/table-row.ts';

export type UnpackedWorkbook = { rows: TableRow[] } | { problem: RosterFileProblem };

const unpack = (bytes: Uint8Array): Promise<UnpackedWorkbook> =>
  readWorkbook(bytes).then(
    (rows) => ({ rows }),
    (error) => ({ problem: error instanceof RosterFileError ? error.code : 'invalid-workbook' }),
  );

parentPort?.on('message', async (bytes: Uint8Array) => parentPort?.postMessage(await unpack(bytes)));
