import { createMessage, formatMessage, type Message } from '../../../../domain/messages/message.ts';
import type { RosterProblem } from '../fields.ts';
import { type Column, type ColumnChoices, findColumnProblems, readCells, readColumns } from './columns.ts';
import { type ReadWorkbook, readTable, type Table, type TableFormat } from './read-table.ts';
import type { TableRow } from './table-row.ts';

/** A row as an entry that is still to be checked, or the reason why it is none. */
export type RosterFileRow = { row: number } & ({ entry: Record<string, unknown> } | { problem: RosterProblem });

export interface RosterFile {
  format: TableFormat;
  /** The row with the names of the columns. */
  headingRow: number;
  columns: Column[];
  /** What is wrong with the columns. The entries are to be read only if there is nothing. */
  columnProblems: Message[];
  entries: AsyncGenerator<RosterFileRow>;
}

function readRow(columns: readonly Column[], { number: row, cells }: TableRow, index: number): RosterFileRow {
  const surplus = cells.slice(columns.length).some((cell) => cell !== '');
  if (cells.length >= columns.length && !surplus) return { row, entry: readCells(columns, cells) };
  const message = createMessage('entry-cells', { expected: columns.length, actual: cells.length });
  const detail = formatMessage(message);
  return { row, problem: { pointer: `/employees/${index}`, code: 'wrong-number-of-cells', detail, message } };
}

async function* readRows(columns: readonly Column[], rows: Table['rows']): AsyncGenerator<RosterFileRow> {
  let index = 0;
  for await (const row of rows) yield readRow(columns, row, index++);
}

/**
 * Opens a file as a roster. The columns are those that a user has chosen, or are recognised by their names. Throws a
 * `RosterFileError` if the file is no table, also while its entries are read.
 */
export async function openRosterFile(
  pieces: AsyncIterable<Uint8Array>,
  { choices, unpack }: { choices?: ColumnChoices | undefined; unpack?: ReadWorkbook } = {},
): Promise<RosterFile> {
  const { format, headings, rows } = await readTable(pieces, unpack);
  const columns = readColumns(headings.cells, choices);
  return {
    format,
    headingRow: headings.number,
    columns,
    columnProblems: findColumnProblems(columns),
    entries: readRows(columns, rows),
  };
}
