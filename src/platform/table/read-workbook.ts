import { inflateRawSync } from 'node:zlib';
import { countRecognized } from './headings.ts';
import { findHeadings, TableError, type TableRow } from './table-row.ts';

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export interface WorkbookLimits {
  maxBytes: number;
  /** Of its contents. A few kilobytes can be unpacked to gigabytes. */
  maxUnpackedBytes: number;
}

/** A file of 250,000 employees with ten columns has about 15 MiB, and ten times as much unpacked. */
export const workbookLimits: WorkbookLimits = { maxBytes: 32 * 2 ** 20, maxUnpackedBytes: 256 * 2 ** 20 };

export const isWorkbook = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 0x03 || bytes[2] === 0x05);

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const maxComment = 2 ** 16;
const maxEntries = 10_000;

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - endBytes - maxComment);
  for (let at = archive.length - endBytes; at >= first; at--) if (archive.readUInt32LE(at) === endSignature) return at;
  throw new TableError('invalid-workbook');
}

/** Returns how many bytes an entry of an archive has unpacked. Does not believe what the archive says about it. */
function measureEntry(archive: Buffer, at: number, maxOutputLength: number): number {
  const [method, packed] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
  const header = archive.readUInt32LE(at + 42);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  if (method === 0) return packed;
  if (method !== 8) throw new TableError('invalid-workbook');
  return inflateRawSync(archive.subarray(start, start + packed), { maxOutputLength }).length;
}

/** Throws if the archive would unpack to more than the limit, before anything else reads it. */
function assertUnpackable(archive: Buffer, limit: number): void {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  let left = limit;
  if (count > maxEntries) throw new TableError('workbook-too-large');
  for (let entry = 0; entry < count; entry++) {
    if (archive.readUInt32LE(at) !== entrySignature) throw new TableError('invalid-workbook');
    left -= measureEntry(archive, at, left + 1);
    if (left < 0) throw new TableError('workbook-too-large');
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return Number.isNaN(cell.valueOf()) ? '' : cell.toISOString().replace(/T00:00:00.*$/, '');
  return String(cell).trim();
}

const toRows = (data: readonly (readonly unknown[])[]): TableRow[] =>
  data
    .map((cells, index) => ({ number: index + 1, cells: cells.map(toText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));

/** Returns the rows of the sheet that looks like a roster: the one with most known names of columns, or the first. */
const chooseSheet = (sheets: TableRow[][]): TableRow[] =>
  sheets.toSorted((a, b) => countKnown(b) - countKnown(a))[0] ?? [];
const countKnown = (rows: TableRow[]) => countRecognized(rows[findHeadings(rows)]?.cells ?? []);

/**
 * Returns the rows of an Excel file (.xlsx) that are not empty. Dates become YYYY-MM-DD. Takes seconds for a large file
 * and does not yield to other work, so a server calls it in a thread.
 */
export async function readWorkbook(bytes: Uint8Array, limits: WorkbookLimits = workbookLimits): Promise<TableRow[]> {
  if (bytes.length > limits.maxBytes) throw new TableError('workbook-too-large');
  try {
    assertUnpackable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), limits.maxUnpackedBytes);
    const { default: readSheets } = await import('read-excel-file/universal');
    const sheets = await readSheets(new Uint8Array(bytes).buffer as ArrayBuffer);
    return chooseSheet(sheets.map(({ data }) => toRows(data)).filter((rows) => rows.length > 0));
  } catch (error) {
    if (error instanceof TableError) throw error;
    const isTooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    throw new TableError(isTooLarge ? 'workbook-too-large' : 'invalid-workbook');
  }
}
