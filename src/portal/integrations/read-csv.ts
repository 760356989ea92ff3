import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import {
  type Columns,
  describePlaces,
  describeWarningPlace,
  findColumnProblems,
  readCells,
  readColumns,
} from '../../domain/roster/csv.ts';
import { ApiError, type RequestError } from '../../errors.ts';
import {
  checkRoster,
  type ForeignEntry,
  type Roster,
  type RosterOptions,
  receivePieces,
} from '../../hr-integrations/sync/read-roster.ts';

/** Limits a line. Otherwise an unclosed quotation mark would turn the rest of the file into one cell. */
const maxLineCharacters = 2 ** 17;

const notAccepted = (errors: RequestError[], problem: string) =>
  new ApiError('invalid-roster', `Nothing of the roster was accepted: ${problem}`, {
    errors,
    errorCount: errors.length,
  });

const wrongLine = (line: number, code: string, details: string[]) =>
  notAccepted(
    details.map((detail) => ({ pointer: `line ${line}`, code, detail })),
    `line ${line} ${details.join('; ')}.`,
  );

/**
 * Decodes UTF-8 and drops a byte order mark. Throws on other encodings, which would otherwise garble employees' names.
 */
async function* decode(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of pieces) yield utf8.decode(piece, { stream: true });
    yield utf8.decode();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('malformed-body', 'The file is not in UTF-8. Save it as “CSV UTF-8” and upload it again.');
  }
}

/** Returns the delimiter. The first line names the columns, and no column name contains a comma or a semicolon. */
const delimiterOf = (header: string) => (header.split(';').length > header.split(',').length ? ';' : ',');

/** Returns the delimiter and the text from its beginning. */
async function findDelimiter(
  text: AsyncGenerator<string>,
): Promise<{ delimiter: string; whole: AsyncGenerator<string> }> {
  let begun = '';
  while (!/[\r\n]/.test(begun.trimStart()) && begun.length < maxLineCharacters) {
    const next = await text.next();
    if (next.done) break;
    begun += next.value;
  }
  async function* whole() {
    yield begun;
    yield* text;
  }
  return { delimiter: delimiterOf(begun.trimStart().split(/[\r\n]/, 1)[0] ?? ''), whole: whole() };
}

interface Line {
  /** The line at which the record begins, counted from 1. A cell in quotation marks may span several lines. */
  line: number;
  cells: string[];
}

const lineBreaks = (cell: string) => cell.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Yields the lines that are not empty. */
async function* readLines(text: AsyncGenerator<string>): AsyncGenerator<Line> {
  const { delimiter, whole } = await findDelimiter(text);
  let next = 1;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
    max_record_size: maxLineCharacters,
    on_record: (cells: string[]): never => {
      const line = next;
      next += cells.reduce((lines, cell) => lines + lineBreaks(cell), 1);
      // Typed as if records stayed lists of cells. Null omits the record.
      return (cells.every((cell) => cell === '') ? null : { line, cells }) as never;
    },
  });
  const feeding = pipeline(whole, parser);
  // The parser reports the same error.
  feeding.catch(() => {});
  try {
    yield* parser as AsyncIterable<Line>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw wrongLine(next, 'unclosed-quote', ['has a quotation mark that is not closed']);
  }
}

async function readHeader(lines: AsyncGenerator<Line>): Promise<Columns> {
  const header = await lines.next();
  if (header.done)
    throw new ApiError('malformed-body', 'The file is empty. Its first line must contain the names of the columns.');
  const columns = readColumns(header.value.cells);
  const problems = findColumnProblems(columns);
  if (problems.length > 0) throw wrongLine(header.value.line, 'columns', problems);
  return columns;
}

function* readEntry(columns: Columns, { cells }: Line, index: number): Generator<ForeignEntry> {
  const surplus = cells.slice(columns.length).some((cell) => cell !== '');
  if (cells.length >= columns.length && !surplus) return yield { entry: readCells(columns, cells) };
  const detail = `must have ${columns.length} cells like the first line, but has ${cells.length}`;
  yield { problem: { pointer: `/employees/${index}`, code: 'wrong-number-of-cells', detail } };
}

function describeProblem(error: ApiError, lineOf: (entry: number) => number | undefined): ApiError {
  const errors = error.extra.errors?.map((one) => ({
    ...one,
    pointer: describePlaces('pointer' in one ? one.pointer : '', lineOf),
    detail: describePlaces(one.detail, lineOf),
  }));
  return new ApiError(error.code, describePlaces(error.message, lineOf), {
    ...error.extra,
    ...(errors ? { errors } : {}),
  });
}

function describeWarnings(roster: Roster, lineOf: (entry: number) => number | undefined): Roster {
  const describe = <T extends { pointer: string }>(one: T): T => ({
    ...one,
    pointer: describeWarningPlace(one.pointer, lineOf),
  });
  const warnings = roster.warnings.map((warning) => ({ ...describe(warning), records: warning.records.map(describe) }));
  return { ...roster, warnings };
}

/** Reads a CSV roster and applies the checks of every roster. Reports errors by line and column. */
export async function readRosterCsv(body: AsyncIterable<Uint8Array>, options: RosterOptions): Promise<Roster> {
  const lineNumbers: number[] = [];
  async function* entries(): AsyncGenerator<ForeignEntry> {
    const lines = readLines(decode(receivePieces(body, options.maxBytes)));
    const columns = await readHeader(lines);
    for await (const line of lines) {
      yield* readEntry(columns, line, lineNumbers.length);
      lineNumbers.push(line.line);
    }
  }
  try {
    return describeWarnings(await checkRoster(entries(), options), (entry) => lineNumbers[entry]);
  } catch (error) {
    throw error instanceof ApiError ? describeProblem(error, (entry) => lineNumbers[entry]) : error;
  }
}
