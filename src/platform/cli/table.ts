type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const isListOfRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isRow(item));

/** Writes `lastSignInAt` as `Last sign in at`. */
function formatHeading(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Escapes characters that would break the line, move the cursor or turn the text around. */
const escapeControls = (text: string) =>
  text.replaceAll(
    /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function formatCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(formatCell).join(', ');
  if (isRow(value)) {
    const fields = Object.entries(value).map(([name, field]) => `${formatHeading(name)}: ${formatCell(field)}`);
    return fields.join('; ') || '-';
  }
  return escapeControls(String(value));
}

const lengthOf = (text: string) => [...text].length;

/** Aligns the columns of lines. Numbers are aligned to the right. */
function align(lines: string[][], isNumeric: boolean[]): string {
  const widths = isNumeric.map((_, column) => Math.max(...lines.map((line) => lengthOf(line[column] ?? ''))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const space = ' '.repeat((widths[column] ?? 0) - lengthOf(cell));
          return isNumeric[column] ? space + cell : cell + space;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function listNames(rows: Row[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...new Set(['id', ...names])].filter((name) => names.has(name));
}

const formatFields = (fields: [string, unknown][]) =>
  align(
    fields.map(([name, value]) => [formatHeading(name), formatCell(value)]),
    [false, false],
  );

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && lengthOf(last) + 1 + lengthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(...(word.match(new RegExp(`.{1,${width}}`, 'gu')) ?? ['']));
  }
  return lines;
}

/** The least that a column of sentences needs to be readable. */
const narrowest = 20;

/** Breaks the cells of the two widest columns so that the fewest lines are needed. Undefined: too little space. */
function wrapColumns(lines: string[][], width: number): string[][] | undefined {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => lengthOf(line[column] ?? ''))));
  const [first = 0, second = 0] = widths.map((_, column) => column).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
  const others = widths.reduce((sum, own, column) => sum + (column === first || column === second ? 0 : own), 0);
  const left = width - others - 2 * (widths.length - 1);
  if (widths.length < 3 || left < 2 * narrowest) return undefined;
  const breakAt = (share: number) =>
    lines.flatMap((line) => {
      const cells = line.map((cell, column) => {
        if (column === first) return wrap(cell, share);
        return column === second ? wrap(cell, left - share) : [cell];
      });
      const height = Math.max(...cells.map((cell) => cell.length));
      return Array.from({ length: height }, (_, row) => cells.map((cell) => cell[row] ?? ''));
    });
  const shares = Array.from({ length: left - 2 * narrowest + 1 }, (_, index) => left - narrowest - index);
  return shares.map(breakAt).reduce((best, next) => (next.length < best.length ? next : best));
}

/** Writes one line per record. If they would not fit, breaks long cells or, with many columns, writes one block per record. */
function formatRows(rows: Row[], width: number): string {
  const names = listNames(rows);
  const isNumeric = names.map((name) => rows.every((row) => typeof row[name] === 'number'));
  const lines = [names.map(formatHeading), ...rows.map((row) => names.map((name) => formatCell(row[name])))];
  const table = align(lines, isNumeric);
  if (table.split('\n').every((line) => lengthOf(line) <= width)) return table;
  const wrapped = wrapColumns(lines, width);
  if (wrapped !== undefined) return align(wrapped, isNumeric);
  return rows.map((row) => formatFields(names.map((name) => [name, row[name]]))).join('\n\n');
}

/** Lists of records follow the other fields, each under its own heading. */
function formatRecord(record: Row, width: number): string {
  const fields = Object.entries(record).filter(([, value]) => !isListOfRows(value));
  const lists = Object.entries(record).flatMap(([name, value]) => (isListOfRows(value) ? [{ name, rows: value }] : []));
  return [
    ...(fields.length > 0 ? [formatFields(fields)] : []),
    ...lists.map(({ name, rows }) => `${formatHeading(name)}:\n${formatRows(rows, width)}`),
  ].join('\n\n');
}

/** Formats a list of records as rows, a record as one line per field. `width`: the characters of a line. */
export function formatTable(value: unknown, width = Number.POSITIVE_INFINITY): string {
  if (Array.isArray(value) && value.length === 0) return 'Nothing found.\n';
  if (isListOfRows(value)) return `${formatRows(value, width)}\n`;
  return `${isRow(value) ? formatRecord(value, width) : formatCell(value)}\n`;
}
