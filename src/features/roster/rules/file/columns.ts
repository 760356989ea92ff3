import { type ColumnField, columnFields, requiredColumns, rosterColumns } from '../../../../domain/choices.ts';
import { unescapePointer } from '../../../../domain/json-pointer.ts';
import { createMessage, type Message } from '../../../../domain/messages/message.ts';
import { findNearestName } from '../../../../domain/nearest-name.ts';
import { recognizeHeadings } from '../../../../platform/table/headings.ts';
import { readDate } from '../../../../platform/table/read-date.ts';
import type { RosterEntry } from '../entry.ts';

/**
 * Reads a roster as a table: one row per employee, columns named like the fields of an entry or as HR systems name them.
 * A row becomes an entry that is then checked like any other. Cells that cannot be read are passed on unchanged, so that
 * the checks report what is wrong with them.
 */

type EntryField = keyof RosterEntry;
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
  ...['true', 'wahr', 'ja', 'yes', '1'].map((word): [string, boolean] => [word, true]),
  ...['false', 'falsch', 'nein', 'no', '0'].map((word): [string, boolean] => [word, false]),
]);
const truth: ReadCell = (cell) => truths.get(cell.toLowerCase()) ?? cell;

/** Reads `2026-01-01/2026-03-31` and `01.01.2026-31.03.2026`. A question mark means: not approved. */
function readAbsence(word: string) {
  const approved = !word.endsWith('?');
  const days = (approved ? word : word.slice(0, -1)).split(/\/|–|(?<=\.\d{4})-/, 2);
  const [startDate = '', endDate] = days;
  return { startDate: readDate(startDate), endDate: endDate === '' ? null : endDate && readDate(endDate), approved };
}

const readAbsences: ReadCell = (cell) =>
  cell
    .replace(/\s+(?:–|-|bis)\s+/g, '/')
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map(readAbsence);

const readers: Record<EntryField, ReadCell> = {
  hrId: text,
  firstName: text,
  lastName: text,
  email: text,
  personnelNumber: clearable(text),
  group: clearable(text),
  profileImage: clearable(text),
  dateOfBirth: clearable(readDate as ReadCell),
  startDate: clearable(readDate as ReadCell),
  terminationDate: clearable(readDate as ReadCell),
  autoSyncEmployee: clearable(truth),
  absences: clearable(readAbsences),
};

/** A table may have several pairs of columns with the first and last days of absences. */
const repeatable: readonly ColumnField[] = ['absenceStart', 'absenceEnd'];

export interface Column {
  name: string;
  /** Undefined: the column has another meaning. Its cells are reported like unknown fields of an entry. */
  field: ColumnField | undefined;
  /** True: a user has decided that the column does not matter. Nothing is reported. */
  isIgnored: boolean;
}

/** What a user has decided about each column, in their order. Null: it does not matter. */
export type ColumnChoices = readonly (ColumnField | null)[];

export function readColumns(headings: readonly string[], choices?: ColumnChoices): Column[] {
  const recognized = recognizeHeadings(headings);
  return headings.map((heading, index) => {
    const name = heading || `column ${index + 1}`;
    if (choices === undefined) return { name, field: recognized[index], isIgnored: false };
    const field = choices[index] ?? undefined;
    return { name, field, isIgnored: field === undefined };
  });
}

export function findColumnProblems(columns: readonly Column[]): Message[] {
  const fields = columns.map(({ field }) => field);
  const missing = requiredColumns.filter((column) => !fields.includes(column));
  const repeated = columnFields.filter(
    (field) => !repeatable.includes(field) && fields.indexOf(field) !== fields.lastIndexOf(field),
  );
  const count = (wanted: ColumnField) => fields.filter((field) => field === wanted).length;
  const misspelt = columns.flatMap(({ name, field, isIgnored }) => {
    const nearest = field === undefined && !isIgnored ? findNearestName(name, rosterColumns) : undefined;
    return nearest === undefined ? [] : [createMessage('entry-misspelt-column', { name, nearest })];
  });
  return [
    ...misspelt,
    ...missing.map((column) => createMessage('entry-missing-column', { column })),
    ...repeated.map((column) => createMessage('entry-repeated-column', { column })),
    ...(count('absenceEnd') > count('absenceStart') ? [createMessage('entry-absence-columns')] : []),
  ];
}

/** Returns the absences of columns with first and last days. The first column of each kind belong together, and so on. */
function readAbsencePairs(columns: readonly Column[], cells: readonly string[]) {
  const cellsOf = (wanted: ColumnField) =>
    columns.flatMap(({ field }, index) => (field === wanted ? [cells[index]?.trim() ?? ''] : []));
  const ends = cellsOf('absenceEnd');
  return cellsOf('absenceStart').flatMap((start, index) => {
    const end = ends[index] ?? '';
    if (start === '' && end === '') return [];
    return [{ startDate: readDate(start) ?? '', endDate: end === '' ? null : readDate(end), approved: true }];
  });
}

/**
 * Returns a row as an entry. A missing column leaves the known value unchanged, and an empty cell clears it. Empty
 * cells of required fields are omitted instead, so that the checks report them.
 */
export function readCells(columns: readonly Column[], cells: readonly string[]): Record<string, unknown> {
  const entry: Record<string, unknown> = {};
  let hasPairs = false;
  for (const [index, { name, field, isIgnored }] of columns.entries()) {
    const cell = cells[index]?.trim() ?? '';
    if (isIgnored) continue;
    if (field === 'absenceStart' || field === 'absenceEnd') hasPairs = true;
    else if (cell !== '') entry[field ?? name] = field === undefined ? cell : readers[field](cell);
    else if (field !== undefined && !requiredColumns.includes(field)) entry[field] = null;
  }
  if (hasPairs) {
    const listed = Array.isArray(entry.absences) ? entry.absences : [];
    entry.absences = [...listed, ...readAbsencePairs(columns, cells)];
  }
  return entry;
}

/** Finds the places of a table: its rows, and its columns as the file names them. */
export interface TablePlaces {
  rowOf(entry: number): number | undefined;
  columns: readonly Column[];
}

/** Returns the name of the column that a field was read from. Pairs of columns contain the days of absences. */
function nameColumn(columns: readonly Column[], field: string, item?: string, part?: string): string[] {
  const nameOf = (wanted: string, index = 0) => columns.filter((column) => column.field === wanted)[index]?.name;
  const listed = nameOf(field);
  if (item === undefined) return [listed ?? field];
  const pair = part === 'startDate' ? 'absenceStart' : 'absenceEnd';
  const paired = listed === undefined ? nameOf(pair, Number(item)) : undefined;
  if (paired !== undefined) return [paired];
  return [`${listed ?? field} ${Number(item) + 1}`, ...(part === undefined ? [] : [part])];
}

export const describeWarningPlace = (pointer: string, places: TablePlaces): string =>
  unescapePointer(describePlaces(pointer, places));

/** Replaces pointers into a roster by places in the table: `row 12, E-Mail`. Other text stays unchanged. */
export const describePlaces = (text: string, { rowOf, columns }: TablePlaces): string =>
  text.replace(
    /\/employees(?:\/(\d+)(?:\/(\w+)(?:\/(\d+)(?:\/(\w+))?)?)?)?/g,
    (_pointer, ...[entry, field, item, part]: (string | undefined)[]) => {
      if (entry === undefined) return 'the table';
      const row = `row ${rowOf(Number(entry))}`;
      return field === undefined ? row : [row, ...nameColumn(columns, field, item, part)].join(', ');
    },
  );
