import { unescapePointer } from '../json-pointer.ts';
import { findNearestName } from '../nearest-name.ts';
import type { RosterEntry } from './entry.ts';

/**
 * Reads a roster as a table: one line per employee, columns named like the fields of an entry. A line becomes an entry
 * that is then checked like any other. Cells that cannot be read are passed on unchanged, so that the checks report
 * what is wrong with them.
 */

type Column = keyof RosterEntry;
/** Returns the value of a cell. The cell is never empty, because an empty cell clears its field. */
type ReadCell = (cell: string) => unknown;

const text: ReadCell = (cell) => cell;

/** Treats the word "null" as no value, because some exports write it for an empty cell. */
const clearable =
  (read: ReadCell): ReadCell =>
  (cell) =>
    cell.toLowerCase() === 'null' ? null : read(cell);

/** German spreadsheets write booleans in German. */
const truths = new Map([
  ['true', true],
  ['wahr', true],
  ['false', false],
  ['falsch', false],
]);
const truth: ReadCell = (cell) => truths.get(cell.toLowerCase()) ?? cell;

/**
 * Reads `2026-01-01/2026-03-31`. Without a last day the absence has no end, and a question mark marks it as not
 * approved.
 */
function readAbsence(word: string) {
  const approved = !word.endsWith('?');
  const [startDate = '', endDate] = (approved ? word : word.slice(0, -1)).split('/', 2);
  return { startDate, endDate: endDate === '' ? null : endDate, approved };
}

const readers: Record<Column, ReadCell> = {
  hrId: text,
  firstName: text,
  lastName: text,
  email: text,
  profileImage: clearable(text),
  dateOfBirth: clearable(text),
  startDate: clearable(text),
  terminationDate: clearable(text),
  autoSyncEmployee: clearable(truth),
  absences: clearable((cell) => cell.split(/\s+/).map(readAbsence)),
};

export const rosterColumns = Object.keys(readers) as Column[];
export const requiredColumns: Column[] = ['hrId', 'firstName', 'lastName', 'email'];

/** Treats `First Name`, `first_name` and `firstName` as one name. */
const nameKey = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');
const columnsByKey = new Map(rosterColumns.map((column) => [nameKey(column), column]));

/** A column without a field has another meaning. Its cells are reported like unknown fields of an entry. */
export type Columns = { name: string; field: Column | undefined }[];

export const readColumns = (header: string[]): Columns =>
  header.map((name, index) => ({ name: name || `column ${index + 1}`, field: columnsByKey.get(nameKey(name)) }));

/** Returns the problems of the header line as sentences. */
export function findColumnProblems(columns: Columns): string[] {
  const fields = columns.map(({ field }) => field);
  const missing = requiredColumns.filter((column) => !fields.includes(column));
  const repeated = rosterColumns.filter((column) => fields.indexOf(column) !== fields.lastIndexOf(column));
  const misspelt = columns.flatMap(({ name, field }) => {
    const nearest = field === undefined ? findNearestName(name, rosterColumns) : undefined;
    return nearest === undefined ? [] : [`has the unknown column ${name}: use ${nearest}`];
  });
  return [
    ...misspelt,
    ...missing.map((column) => `must contain the column ${column}`),
    ...repeated.map((column) => `must contain the column ${column} only once`),
  ];
}

/**
 * Returns a line as an entry. A missing column leaves the known value unchanged, and an empty cell clears it. Empty
 * cells of required fields are omitted instead, so that the checks report them.
 */
export function readCells(columns: Columns, cells: string[]): Record<string, unknown> {
  const entry: Record<string, unknown> = {};
  for (const [index, { name, field }] of columns.entries()) {
    const cell = cells[index]?.trim() ?? '';
    if (cell !== '') entry[field ?? name] = field === undefined ? cell : readers[field](cell);
    else if (field !== undefined && !requiredColumns.includes(field)) entry[field] = null;
  }
  return entry;
}

/** Returns the first place of a warning as a place in the table. */
export const describeWarningPlace = (pointer: string, lineOf: (entry: number) => number | undefined): string =>
  unescapePointer(describePlaces(pointer, lineOf));

/** Replaces pointers into a roster by places in the table: `line 12, email`. Other text stays unchanged. */
export const describePlaces = (text: string, lineOf: (entry: number) => number | undefined): string =>
  text.replace(
    /\/employees(?:\/(\d+)(?:\/(\w+)(?:\/(\d+)(?:\/(\w+))?)?)?)?/g,
    (_pointer, ...[entry, field, item, part]: (string | undefined)[]) => {
      if (entry === undefined) return 'the table';
      const place = [`line ${lineOf(Number(entry))}`];
      if (field !== undefined) place.push(item === undefined ? field : `${field} ${Number(item) + 1}`);
      if (part !== undefined) place.push(part);
      return place.join(', ');
    },
  );
