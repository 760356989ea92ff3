import { parentPort } from 'node:worker_threads';
import writeExcelFile from 'write-excel-file/node';

/** Text is written as text: a spreadsheet runs no formula that somebody has as their name. */
const write = (table: string[][]) =>
  writeExcelFile(
    table.map((row) => row.map((value) => ({ value, type: String }))),
    { columns: (table[0] ?? []).map(() => ({ width: 20 })) },
  ).toBuffer();

parentPort?.on('message', async (table: string[][]) => parentPort?.postMessage(await write(table)));
