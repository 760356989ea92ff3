import { createMessage, formatMessage, type Message } from '../../domain/messages/message.ts';
import { countRecognized } from './headings.ts';

export interface TableRow {
  /** As Excel counts it: from 1, with empty rows. A cell with line breaks is still one row. */
  number: number;
  cells: string[];
}

/** Some exports begin with a title or the date. The names of the columns are within this many rows. */
export const headingRows = 10;

/** Returns the index of the row with the names of the columns: the one with most known names, otherwise the first. */
export function findHeadings(rows: readonly TableRow[]): number {
  const counts = rows.slice(0, headingRows).map(({ cells }) => countRecognized(cells));
  const most = Math.max(0, ...counts);
  return most < 2 ? 0 : counts.indexOf(most);
}

export type TableProblem =
  | ('empty' | 'pdf' | 'not-text' | 'mixed-encoding' | 'unclosed-quote')
  | ('invalid-workbook' | 'workbook-too-large');

/** Why a file cannot be read as a table. With a row, the message continues "row 3". */
export class TableError extends Error {
  readonly code: TableProblem;
  readonly row: number | undefined;
  readonly explanation: Message;

  constructor(code: TableProblem, row?: number) {
    const explanation = createMessage(`table-${code}`);
    super(formatMessage(explanation));
    this.name = 'TableError';
    this.code = code;
    this.row = row;
    this.explanation = explanation;
  }
}
