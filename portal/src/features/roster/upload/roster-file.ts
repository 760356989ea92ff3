import type { RosterFile } from '../../../app/api/request.ts';

/** Enough to distinguish a table from JSON, however large the file is. */
const firstBytes = 256;

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const endings: Record<string, RosterFile['contentType']> = {
  csv: 'text/csv',
  txt: 'text/csv',
  json: 'application/json',
  xlsx: workbookType,
};

/**
 * Returns the file with its type, by its name or otherwise by its first characters. Rejects if the file cannot be read.
 */
export async function readRosterFile(file: File): Promise<RosterFile> {
  const beginning = (await file.slice(0, firstBytes).text()).replace('\uFEFF', '').trimStart();
  const byName = endings[file.name.split('.').at(-1)?.toLowerCase() ?? ''];
  const byContent = beginning.startsWith('PK')
    ? workbookType
    : /^[[{]/.test(beginning)
      ? 'application/json'
      : 'text/csv';
  return { file, contentType: byName ?? byContent };
}

/** Returns whether the file is unchanged since it was chosen. The browser refuses to read a file that has changed. */
export const isReadable = (file: File) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function formatSize(bytes: number, locale: string): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power] as string,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** power);
}
