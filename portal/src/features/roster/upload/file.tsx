import { requiredColumns, rosterColumns } from '../../../../../src/domain/choices.ts';
import type { RosterFile } from '../../../app/api/request.ts';
import { type Language, useLanguage } from '../../../app/i18n/language.tsx';
import { Action } from '../../../ui/Action.tsx';
import { downloadCsv } from '../../../ui/export.tsx';
import { Rows } from '../../../ui/table.tsx';
import { Hint } from '../../../ui/text.tsx';
import './drop-area.css';
import { Accordion, Badge, Card, Code, FileButton, Stack, Table, Text } from '@mantine/core';
import { IconDownload, IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useReader } from '../../../app/i18n/reader.ts';
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

/** The columns of the template, with their names in the file. The help explains the same ones. */
const templateColumns = (language: Language) => (language === 'de' ? german : english);

function downloadTemplate(language: Language, name: string): void {
  const isGerman = language === 'de';
  const columns = templateColumns(language);
  const rows = examples.map((line) =>
    columns.map(([column]) => (isGerman ? toGerman(line[column] ?? '') : (line[column] ?? ''))),
  );
  downloadCsv(name, [columns.map(([, heading]) => heading), ...rows], language);
}

/** Lets the user choose or drop a file. The button does everything that dropping does. */
export function DropArea({ onFile }: { onFile(file: File): void }) {
  const { t } = useReader(texts);
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
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
  return (
    <Stack align="flex-start" gap="sm">
      <Action
        variant="default"
        icon={IconDownload}
        onClick={() => downloadTemplate(language, t('templateName'))}
        label={t('template')}
      />
      <Card padding={0} w="100%">
        <Accordion order={2}>
          <Accordion.Item value="help" style={{ border: 0 }}>
            <Accordion.Control>{t('help')}</Accordion.Control>
            <Accordion.Panel>
              <Text mb="sm">{t('helpText')}</Text>
              <Table.ScrollContainer minWidth={0} type="native">
                <Rows
                  label={t('help')}
                  rows={templateColumns(language)}
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
