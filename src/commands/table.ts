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

/** Returns the names of all fields, the id first. */
function listNames(rows: Row[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...new Set(['id', ...names])].filter((name) => names.has(name));
}

const formatFields = (fields: [string, unknown][]) =>
  align(
    fields.map(([name, value]) => [formatHeading(name), formatCell(value)]),
    [false, false],
  );

/** Writes one line per record, or one block per record if the lines would not fit. */
function formatRows(rows: Row[], width: number): string {
  const names = listNames(rows);
  const isNumeric = names.map((name) => rows.every((row) => typeof row[name] === 'number'));
  const cells = rows.map((row) => names.map((name) => formatCell(row[name])));
  const table = align([names.map(formatHeading), ...cells], isNumeric);
  const isFitting = table.split('\n').every((line) => lengthOf(line) <= width);
  return isFitting ? table : rows.map((row) => formatFields(names.map((name) => [name, row[name]]))).join('\n\n');
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

/**
 * Formats a JSON value as text: a list of records as rows, a record as one line per field. `width`: how many
 * characters fit on a line.
 */
export function formatTable(value: unknown, width = Number.POSITIVE_INFINITY): string {
  if (Array.isArray(value) && value.length === 0) return 'Nothing found.\n';
  if (isListOfRows(value)) return `${formatRows(value, width)}\n`;
  return `${isRow(value) ? formatRecord(value, width) : formatCell(value)}\n`;
}
