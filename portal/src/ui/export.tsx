import { useState } from 'react';
import { readLines } from '../app/api/request.ts';
import { type Language, useLanguage } from '../app/i18n/language.tsx';
import { useReader } from '../app/i18n/reader.ts';
import { Action } from './Action.tsx';
import { type Cell, writeLine } from './csv-line.ts';
import { IconDownload } from './icons.gen.ts';
import { notifyProblem } from './notify.tsx';

/** Lets the user save a file. */
export function saveFile(name: string, parts: BlobPart[], type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // Delayed, because the browser may still be fetching the file.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Lets the user save lines. Spreadsheet programs need the byte order mark to read the characters correctly. */
const saveCsv = (name: string, lines: readonly string[]) => saveFile(name, ['\uFEFF', ...lines], 'text/csv');

/** Lets the user save a table that spreadsheet programs open with the right characters. */
export const downloadCsv = (name: string, rows: readonly (readonly Cell[])[], language: Language): void =>
  saveCsv(
    name,
    rows.map((cells) => writeLine(cells, language)),
  );

interface Props<T> {
  /** The address of the export in the portal's API. */
  path: string;
  /** The filters of the page. */
  query: object;
  /** The name of the file without its ending. */
  name: string;
  columns: readonly (readonly [heading: string, cell: (record: T) => Cell | null | undefined])[];
}

/** Saves all records of a list as a table for spreadsheet programs, filtered like the page and in its language. */
export function ExportButton<T>({ path, query, name, columns }: Props<T>) {
  const { t } = useReader();
  const { language } = useLanguage();
  const [isPending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      const lines = [
        writeLine(
          columns.map(([heading]) => heading),
          language,
        ),
      ];
      const write = (record: T) =>
        writeLine(
          columns.map(([, cell]) => cell(record) ?? ''),
          language,
        );
      // Several lines at once: a list of many short texts takes more memory than a few long ones.
      for await (const records of readLines<T>(path, query)) {
        lines.push(records.map(write).join(''));
      }
      saveCsv(`${name}.csv`, lines);
    } catch (error) {
      notifyProblem(error, t('exportBroken'));
    } finally {
      setPending(false);
    }
  };
  return (
    <Action
      variant="default"
      className="no-print"
      icon={IconDownload}
      loading={isPending}
      onClick={() => void save()}
      label={t('exportCsv')}
    />
  );
}
