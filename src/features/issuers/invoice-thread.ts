import { parentPort } from 'node:worker_threads';
import { createMessage, type Message } from '../../domain/messages/message.ts';
import { readTable } from '../../platform/table/read-table.ts';
import { headingRows, TableError } from '../../platform/table/table-row.ts';
import { findInvoiceColumns, InvoiceFileError, type InvoiceLine, readInvoiceLine } from './rules/invoice-lines.ts';

export type ReadInvoice = { lines: InvoiceLine[] } | { problem: Message };

/** A month of the largest company, with as many credits and replacements. */
const maxLines = 250_000;

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function readLines(bytes: Uint8Array): Promise<InvoiceLine[]> {
  const { headings, rows } = await readTable(inOnePiece(bytes));
  let columns = findInvoiceColumns(headings.cells);
  let before = 0;
  const lines: InvoiceLine[] = [];
  for await (const row of rows) {
    if (columns === undefined) {
      // Some files begin with a title or an address.
      columns = findInvoiceColumns(row.cells);
      if (columns === undefined && ++before >= headingRows) break;
      continue;
    }
    const line = readInvoiceLine(row, columns);
    if (line !== undefined) lines.push(line);
    if (lines.length > maxLines) throw new InvoiceFileError(createMessage('invoice-too-long', { most: maxLines }));
  }
  if (columns === undefined) throw new InvoiceFileError(createMessage('invoice-no-columns'));
  return lines;
}

const read = (bytes: Uint8Array): Promise<ReadInvoice> =>
  readLines(bytes).then(
    (lines) => ({ lines }),
    (error) => {
      if (error instanceof InvoiceFileError) return { problem: error.explanation };
      if (error instanceof TableError) return { problem: error.explanation };
      throw error;
    },
  );

parentPort?.on('message', async (bytes: Uint8Array) => parentPort?.postMessage(await read(bytes)));
