import type { FastifyRequest } from 'fastify';
import type { Message } from '../../domain/messages/message.ts';
import { ApiError, describeError } from '../../platform/http/errors.ts';
import { readAhead } from '../../platform/table/read-ahead.ts';
import { type ReadWorkbook, readTable } from '../../platform/table/read-table.ts';
import { workbookType } from '../../platform/table/read-workbook.ts';
import { TableError } from '../../platform/table/table-row.ts';
import {
  checkRoster,
  type ForeignEntry,
  type Roster,
  type RosterOptions,
  readRoster,
  receivePieces,
} from './read-roster.ts';
import {
  type Column,
  type ColumnChoices,
  describePlaces,
  describeWarningPlace,
  type TablePlaces,
} from './rules/file/columns.ts';
import { openRosterFile } from './rules/file/open-roster-file.ts';

export interface TableOptions extends RosterOptions {
  /** Undefined: the columns are recognised by their names. */
  choices?: ColumnChoices | undefined;
  unpack: ReadWorkbook;
}

const maxSamples = 5;
const maxSampleLength = 100;
const shorten = (cell: string) => (cell.length > maxSampleLength ? `${cell.slice(0, maxSampleLength)}…` : cell);

function wrongRow(row: number, code: string, messages: Message[]): ApiError {
  const errors = messages.map((message) => describeError({ pointer: `row ${row}` }, code, message));
  const detail = `Nothing of the roster was accepted: row ${row} ${errors.map((one) => one.detail).join('; ')}.`;
  return new ApiError('invalid-roster', detail, { errors, errorCount: errors.length });
}

function describeFileError(error: TableError): ApiError {
  if (error.row !== undefined) return wrongRow(error.row, error.code, [error.explanation]);
  return new ApiError(error.code === 'workbook-too-large' ? 'body-too-large' : 'malformed-body', error.explanation);
}

function describeMessagePlace(message: Message, places: TablePlaces): Message {
  const { key, values } = message;
  if (values.place === undefined) return message;
  return { key, values: { ...values, place: describePlaces(String(values.place), places) } };
}

function describeProblem(error: unknown, places: TablePlaces): unknown {
  if (error instanceof TableError) return describeFileError(error);
  if (!(error instanceof ApiError)) return error;
  const errors = error.extra.errors?.map((one) => ({
    ...one,
    pointer: describePlaces('pointer' in one ? one.pointer : '', places),
    detail: describePlaces(one.detail, places),
    message: describeMessagePlace(one.message, places),
  }));
  return new ApiError(error.code, error.explanation ?? describePlaces(error.message, places), {
    ...error.extra,
    ...(errors ? { errors } : {}),
  });
}

function describeWarnings(roster: Roster, places: TablePlaces): Roster {
  const describe = <T extends { pointer: string }>(one: T): T => ({
    ...one,
    pointer: describeWarningPlace(one.pointer, places),
  });
  const warnings = roster.warnings.map((warning) => ({ ...describe(warning), records: warning.records.map(describe) }));
  return { ...roster, warnings };
}

/** Reads a roster as a table and applies the checks of every roster. Reports errors by row and column. */
export async function readRosterTable(body: AsyncIterable<Uint8Array>, options: TableOptions) {
  const rows: number[] = [];
  const columns: Column[] = [];
  const places: TablePlaces = { rowOf: (entry) => rows[entry], columns };
  async function* entries(): AsyncGenerator<ForeignEntry> {
    const { maxBytes, choices, unpack } = options;
    const file = await openRosterFile(receivePieces(body, maxBytes), { choices, unpack });
    if (file.columnProblems.length > 0) throw wrongRow(file.headingRow, 'columns', file.columnProblems);
    columns.push(...file.columns);
    for await (const { row, ...entry } of file.entries) {
      rows.push(row);
      yield entry;
    }
  }
  try {
    const roster = await checkRoster(entries(), options);
    return { roster: describeWarnings(roster, places), headings: columns.map(({ name }) => name) };
  } catch (error) {
    throw describeProblem(error, places);
  }
}

export async function inspectTable(body: AsyncIterable<Uint8Array>, maxBytes: number, unpack: ReadWorkbook) {
  try {
    const { format, headings, rows } = await readTable(receivePieces(body, maxBytes), unpack);
    const samples = headings.cells.map((): string[] => []);
    let rowCount = 0;
    for await (const { cells } of rows) {
      if (rowCount++ < maxSamples) samples.forEach((list, index) => void list.push(shorten(cells[index] ?? '')));
    }
    return { format, headingRow: headings.number, rowCount, headings: headings.cells.map(shorten), samples };
  } catch (error) {
    throw error instanceof TableError ? describeFileError(error) : error;
  }
}

export const tableTypes = ['text/csv', workbookType];

/** Returns the first character that is not white space, of the last piece that was read. */
const findCharacter = (pieces: readonly Uint8Array[]) =>
  Buffer.from(pieces.at(-1) ?? '')
    .toString('latin1')
    .trimStart()[0];

/**
 * Reads a roster that a user uploads: a table, the body of the API's sync, or only its list of entries. `isNamed`: it
 * contains its own syncId.
 */
export async function readUpload(
  body: AsyncIterable<Uint8Array>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  options: TableOptions,
) {
  const isTable = tableTypes.some((type) => headers['content-type']?.startsWith(type));
  if (isTable) return { ...(await readRosterTable(body, options)), isNamed: false };
  const pieces = receivePieces(body, options.maxBytes);
  const { begun, readAfter } = await readAhead(pieces, (read) => findCharacter(read) !== undefined);
  const isList = findCharacter(begun) === '[';
  const roster = await readRoster(readAfter(0), options, isList ? 'list' : 'object');
  return { roster, isNamed: !isList, headings: [] };
}
