import { rosterColumns } from '../../../../../src/domain/choices.ts';
import type { Language } from '../../../app/i18n/language.tsx';
import { downloadCsv } from '../../../ui/download-csv.ts';

export type Column = (typeof rosterColumns)[number] | 'absenceStart' | 'absenceEnd';

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
export const templateColumns = (language: Language) => (language === 'de' ? german : english);

export function downloadTemplate(language: Language, name: string): void {
  const isGerman = language === 'de';
  const columns = templateColumns(language);
  const rows = examples.map((line) =>
    columns.map(([column]) => (isGerman ? toGerman(line[column] ?? '') : (line[column] ?? ''))),
  );
  downloadCsv(name, [columns.map(([, heading]) => heading), ...rows], language);
}
