import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiProblem, readLines } from '../app/api/request.ts';
import { useCommonTexts } from '../app/i18n/common.ts';
import { useLanguage } from '../app/i18n/language.tsx';
import { type Cell, writeLine } from './csv-line.ts';
import { saveCsv } from './download-csv.ts';
import { ProblemText } from './MessageText.tsx';

interface Props<T> {
  /** The address of the export in the portal's API. */
  path: string;
  /** The filters of the page. */
  query: object;
  /** The name of the file without its ending. */
  name: string;
  headings: readonly string[];
  toCells(record: T): Cell[];
}

/** Saves all records of a list as a table for spreadsheet programs, filtered like the page and in its language. */
export function ExportButton<T>({ path, query, name, headings, toCells }: Props<T>) {
  const t = useCommonTexts();
  const { language } = useLanguage();
  const [isPending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      const lines = [writeLine(headings, language)];
      // Several lines at once: a list of many short texts takes more memory than a few long ones.
      for await (const records of readLines<T>(path, query)) {
        lines.push(records.map((record) => writeLine(toCells(record), language)).join(''));
      }
      saveCsv(`${name}.csv`, lines);
    } catch (error) {
      const message = error instanceof ApiProblem ? <ProblemText problem={error} /> : t('exportBroken');
      notifications.show({ color: 'red', title: t('problemTitle'), message });
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      variant="default"
      size="compact-md"
      className="no-print"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isPending}
      onClick={() => void save()}
    >
      {t('exportCsv')}
    </Button>
  );
}
