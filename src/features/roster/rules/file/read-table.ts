import { createMessage, formatMessage } from '../../../../domain/messages/message.ts';
import type { RosterProblem } from '../fields.ts';
import { type Column, type ColumnChoices, findColumnProblems, readCells, readColumns } from './columns.ts';
import { decodeText, type Encoding } from './decode-text.ts';
import { readAhead } from './read-ahead.ts';
import { type Delimiter, readDelimited } from './read-delimited.ts';
import { isWorkbook, readWorkbook, workbookLimits } from './read-workbook.ts';
import { findHeadings, headingRows, RosterFileError, type TableRow } from './table-row.ts';

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
    if (length > workbookLimits.maxBytes) throw new RosterFileError('workbook-too-large');
    all.push(piece);
  }
  return Buffer.concat(all);
}

async function* iterate(rows: readonly TableRow[]): AsyncGenerator<TableRow> {
  yield* rows;
}

/** Reads a table of text or an Excel file as it arrives. Throws a `RosterFileError`, also while rows are read. */
export async function readTable(pieces: AsyncIterable<Uint8Array>, unpack: ReadWorkbook = readWorkbook) {
  const { begun: bytes, readAfter: readBytes } = await readAhead(pieces, (begun) => Buffer.concat(begun).length >= 4);
  const first = Buffer.concat(bytes);
  if (first.toString('latin1').startsWith('%PDF')) throw new RosterFileError('pdf');
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
  if (headings === undefined) throw new RosterFileError('empty');
  return { format, headings, rows: readAfter(index + 1) };
}

/** A row as an entry that is still to be checked, or the reason why it is none. */
export type RosterFileRow = { row: number } & ({ entry: Record<string, unknown> } | { problem: RosterProblem });

async function* readRows(columns: readonly Column[], rows: AsyncIterable<TableRow>): AsyncGenerator<RosterFileRow> {
  let index = 0;
  for await (const { number: row, cells } of rows) {
    const pointer = `/employees/${index++}`;
    const hasSurplus = cells.slice(columns.length).some((cell) => cell !== '');
    if (cells.length >= columns.length && !hasSurplus) {
      yield { row, entry: readCells(columns, cells) };
      continue;
    }
    const message = createMessage('entry-cells', { expected: columns.length, actual: cells.length });
    yield { row, problem: { pointer, code: 'wrong-number-of-cells', detail: formatMessage(message), message } };
  }
}

/** Opens a file as a roster. Throws a `RosterFileError` if it is no table, also while its entries are read. */
export async function openRosterFile(
  pieces: AsyncIterable<Uint8Array>,
  { choices, unpack }: { choices?: ColumnChoices | undefined; unpack?: ReadWorkbook } = {},
) {
  const { headings, rows } = await readTable(pieces, unpack);
  const columns = readColumns(headings.cells, choices);
  return {
    headingRow: headings.number,
    columns,
    /** What is wrong with the columns. The entries are to be read only if there is nothing. */
    columnProblems: findColumnProblems(columns),
    entries: readRows(columns, rows),
  };
}
