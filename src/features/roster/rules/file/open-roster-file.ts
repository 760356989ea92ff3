import { createMessage, formatMessage } from '../../../../domain/messages/message.ts';
import { type ReadWorkbook, readTable } from '../../../../platform/table/read-table.ts';
import type { TableRow } from '../../../../platform/table/table-row.ts';
import type { RosterProblem } from '../fields.ts';
import { type Column, type ColumnChoices, findColumnProblems, readCells, readColumns } from './columns.ts';

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

/** Opens a file as a roster. Throws a `TableError` if it is no table, also while its entries are read. */
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
