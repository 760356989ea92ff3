import { requiredColumns, rosterColumns } from '../../../../../src/domain/choices.ts';
import { useMe } from '../../../app/api/me.ts';
import type { RosterFile } from '../../../app/api/request.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { Action } from '../../../ui/Action.tsx';
import { downloadCsv } from '../../../ui/export.tsx';
import { Rows } from '../../../ui/rows.tsx';
import { Hint } from '../../../ui/text.tsx';
import './drop-area.css';
import { Accordion, Badge, Card, Code, FileButton, Stack, Table, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { useReader } from '../../../app/i18n/reader.ts';
import { IconDownload, IconFileUpload } from '../../../ui/icons.gen.ts';
import { texts } from './texts.ts';

/** Enough to distinguish a table from JSON, however large the file is. */
const firstBytes = 256;

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const endings: Record<string, RosterFile['contentType']> = {
  csv: 'text/csv',
  txt: 'text/csv',
  json: 'application/json',
  xlsx: workbookType,
};

/** Returns the file with its type, by its name or else by its first characters. Rejects if it cannot be read. */
export async function readRosterFile(file: File): Promise<RosterFile> {
  const beginning = (await file.slice(0, firstBytes).text()).replace('\uFEFF', '').trimStart();
  const byName = endings[file.name.split('.').at(-1)?.toLowerCase() ?? ''];
  const ofText = /^[[{]/.test(beginning) ? 'application/json' : 'text/csv';
  return { file, contentType: byName ?? (beginning.startsWith('PK') ? workbookType : ofText) };
}

/** Returns whether the file is unchanged since it was chosen. The browser refuses to read a file that has changed. */
export const isReadable = async (file: File) => {
  const start = await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => undefined);
  return start !== undefined;
};

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Returns a function that formats a number of bytes. */
export function useFormatSize() {
  const locale = useMe().data?.company.locale ?? 'en';
  return (bytes: number): string => {
    const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
    const format = {
      style: 'unit',
      unit: units[power] ?? 'byte',
      unitDisplay: 'short',
      maximumFractionDigits: 1,
    } as const;
    return new Intl.NumberFormat(locale, format).format(bytes / 1000 ** power);
  };
}

type Column = (typeof rosterColumns)[number] | 'absenceStart' | 'absenceEnd';

const german: [Column, string][] = [
  ['hrId', 'Personalnummer'],
  ['firstName', 'Vorname'],
  ['lastName', 'Nachname'],
  ['email', 'E-Mail'],
  ['dateOfBirth', 'Geburtsdatum'],
  ['startDate', 'Eintritt'],
  ['terminationDate', 'Austritt'],
  ['absenceStart', 'Elternzeit von'],
  ['absenceEnd', 'Elternzeit bis'],
  ['autoSyncEmployee', 'Jobticket'],
];
const english = rosterColumns.map((column): [Column, string] => [column, column]);

const examples: Partial<Record<Column, string>>[] = [
  {
    hrId: 'E-1001',
    firstName: 'Anna',
    lastName: 'Müller',
    email: 'anna.mueller@example.com',
    dateOfBirth: '1990-04-23',
    startDate: '2026-12-01',
    autoSyncEmployee: 'true',
  },
  {
    hrId: 'E-1002',
    firstName: 'Jonas',
    lastName: 'Weber',
    email: 'jonas.weber@example.com',
    startDate: '2024-03-01',
    terminationDate: '2027-06-30',
    autoSyncEmployee: 'true',
    absences: '2027-01-01/2027-03-31',
    absenceStart: '2027-01-01',
    absenceEnd: '2027-03-31',
  },
];

/** Returns a cell as German spreadsheets write it: `2026-12-01` as `01.12.2026`, `true` as `ja`. */
const toGerman = (cell: string) =>
  cell === 'true'
    ? 'ja'
    : cell.replace(/^(\d{4})-(\d{2})-(\d{2})$/, (_all, year, month, day) => `${day}.${month}.${year}`);

/** Lets the user choose or drop a file. The button does everything that dropping does. */
export function DropArea({ onFile }: { onFile(file: File): void }) {
  const { t } = useReader(texts);
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent, isOverNow = true) => {
    event.preventDefault();
    setOver(isOverNow);
  };
  const drop = (event: DragEvent) => {
    over(event, false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional, the button works for all users.
    <div
      className="drop-area"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Stack align="center" gap="xs">
        <IconFileUpload size={34} stroke={1.4} color="var(--mantine-color-dimmed)" aria-hidden />
        <FileButton
          accept=".xlsx,.csv,.txt,.json,text/csv,application/json"
          onChange={(file) => file && onFile(file)}
          inputProps={{ 'aria-label': t('choose') }}
        >
          {(props) => <Action {...props} label={t('choose')} />}
        </FileButton>
        <Hint visibleFrom="sm">{t('drop')}</Hint>
        <Hint ta="center">{t('formats')}</Hint>
      </Stack>
    </div>
  );
}

/** Explains the format of a table and offers a template. */
export function Help() {
  const { t } = useReader(texts);
  const { language } = useLanguage();
  const isGerman = language === 'de';
  /** The columns of the template, with their names in the file. */
  const columns = isGerman ? german : english;
  const download = () => {
    const cell = (text = '') => (isGerman ? toGerman(text) : text);
    const rows = examples.map((line) => columns.map(([column]) => cell(line[column])));
    downloadCsv(t('templateName'), [columns.map(([, heading]) => heading), ...rows], language);
  };
  return (
    <Stack align="flex-start" gap="sm">
      <Action variant="default" icon={IconDownload} onClick={download} label={t('template')} />
      <Card padding={0} w="100%">
        <Accordion order={2}>
          <Accordion.Item value="help" style={{ border: 0 }}>
            <Accordion.Control>{t('help')}</Accordion.Control>
            <Accordion.Panel>
              <Text mb="sm">{t('helpText')}</Text>
              <Table.ScrollContainer minWidth={0} type="native">
                <Rows
                  label={t('help')}
                  rows={columns}
                  rowKey={([column]) => column}
                  isQuiet
                  columns={[
                    {
                      header: t('column'),
                      cell: { style: { verticalAlign: 'top' } },
                      render: ([column, heading]) => (
                        <>
                          <Code>{heading}</Code>
                          {requiredColumns.some((one) => one === column) && (
                            <Badge size="xs" color="gray" display="block" mt={4}>
                              {t('needed')}
                            </Badge>
                          )}
                        </>
                      ),
                    },
                    {
                      header: t('meaning'),
                      render: ([column]) =>
                        t(column === 'absenceStart' || column === 'absenceEnd' ? `${column}Help` : column),
                    },
                  ]}
                />
              </Table.ScrollContainer>
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      </Card>
    </Stack>
  );
}
