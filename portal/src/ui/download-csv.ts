import type { Language } from '../app/i18n/language.tsx';
import { type Cell, writeLine } from './csv-line.ts';

/** Lets the user save lines. Spreadsheet programs need the byte order mark to read the characters correctly. */
export function saveCsv(name: string, lines: readonly string[]): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', ...lines], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // Delayed, because the browser may still be fetching the file.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Lets the user save a table that spreadsheet programs open with the right characters. */
export const downloadCsv = (name: string, rows: readonly (readonly Cell[])[], language: Language): void =>
  saveCsv(
    name,
    rows.map((cells) => writeLine(cells, language)),
  );
