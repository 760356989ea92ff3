import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { countRecognized } from './headings.ts';
import { readAhead } from './read-ahead.ts';
import { headingRows, TableError, type TableRow } from './table-row.ts';

/** Limits a row. Otherwise an unclosed quotation mark would turn the rest of the file into one cell. */
const maxRowCharacters = 2 ** 17;

export const delimiters = [';', ',', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

const unquote = (cell: string) => cell.trim().replace(/^"(.*)"$/, '$1');

/** Returns the delimiter by which most names of columns are known, otherwise the most frequent one of the first line. */
function chooseDelimiter(beginning: string): Delimiter {
  const lines = beginning
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, headingRows);
  const score = (delimiter: Delimiter) => {
    const known = lines.map((line) => countRecognized(line.split(delimiter).map(unquote)));
    const cells = (lines[0] ?? '').split(delimiter).length;
    return Math.max(0, ...known) * maxRowCharacters + cells;
  };
  const scored = delimiters.map((delimiter) => ({ delimiter, score: score(delimiter) }));
  return scored.toSorted((a, b) => b.score - a.score)[0]?.delimiter ?? ';';
}

const hasHeadings = (text: string) =>
  text.length >= maxRowCharacters || text.trimStart().split(/\r\n|\r|\n/).length > headingRows;

/** Yields the rows of a table of text that are not empty. Throws if a quotation mark is not closed. */
export async function* readDelimited(
  text: AsyncGenerator<string>,
  onDelimiter: (delimiter: Delimiter) => void = () => {},
): AsyncGenerator<TableRow> {
  const { begun, readAfter } = await readAhead(text, (pieces) => hasHeadings(pieces.join('')));
  const delimiter = chooseDelimiter(begun.join('').replace(/^\uFEFF/, ''));
  onDelimiter(delimiter);
  let next = 1;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
    max_record_size: maxRowCharacters,
    on_record: (cells: string[]): never => {
      const number = next++;
      // Typed as if records stayed lists of cells. Null omits the record.
      return (cells.every((cell) => cell === '') ? null : { number, cells }) as never;
    },
  });
  const feeding = pipeline(readAfter(0), parser);
  // The parser reports the same error.
  feeding.catch(() => {});
  try {
    yield* parser as AsyncIterable<TableRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new TableError('unclosed-quote', next);
  }
}
