import { decodeText, type Encoding } from './decode-text.ts';
import { readAhead } from './read-ahead.ts';
import { type Delimiter, readDelimited } from './read-delimited.ts';
import { isWorkbook, readWorkbook, workbookLimits } from './read-workbook.ts';
import { findHeadings, headingRows, TableError, type TableRow } from './table-row.ts';

/** How a file is written. An Excel file has neither encoding nor delimiter. */
export interface TableFormat {
  type: 'text' | 'workbook';
  encoding: Encoding | null;
  delimiter: Delimiter | null;
}

/** Unpacks an Excel file. A server does it in a thread. */
export type ReadWorkbook = (bytes: Uint8Array) => Promise<TableRow[]>;

/** Returns an Excel file as a whole. Refuses one that is too large before all of it is in memory. */
async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > workbookLimits.maxBytes) throw new TableError('workbook-too-large');
    all.push(piece);
  }
  return Buffer.concat(all);
}

async function* iterate(rows: readonly TableRow[]): AsyncGenerator<TableRow> {
  yield* rows;
}

/** Reads a table of text or an Excel file as it arrives. Throws a `TableError`, also while rows are read. */
export async function readTable(pieces: AsyncIterable<Uint8Array>, unpack: ReadWorkbook = readWorkbook) {
  const { begun: bytes, readAfter: readBytes } = await readAhead(pieces, (begun) => Buffer.concat(begun).length >= 4);
  const first = Buffer.concat(bytes);
  if (first.toString('latin1').startsWith('%PDF')) throw new TableError('pdf');
  const format: TableFormat = { type: isWorkbook(first) ? 'workbook' : 'text', encoding: null, delimiter: null };
  const rows =
    format.type === 'workbook'
      ? iterate(await unpack(await collect(readBytes(0))))
      : readDelimited(
          decodeText(readBytes(0), (encoding) => {
            format.encoding = encoding;
          }),
          (delimiter) => {
            format.delimiter = delimiter;
          },
        );
  const { begun, readAfter } = await readAhead(rows, (read) => read.length >= headingRows);
  const index = findHeadings(begun);
  const headings = begun[index];
  if (headings === undefined) throw new TableError('empty');
  return { format, headings, rows: readAfter(index + 1) };
}
