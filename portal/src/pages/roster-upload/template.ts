import { rosterColumns } from '../../api/types.gen.ts';
import type { Language } from '../../i18n/language.tsx';

const examples: Partial<Record<string, string>>[] = [
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
  },
];

/**
 * Returns a table that spreadsheet programs open with the right characters. They need the byte order mark, and German
 * ones need semicolons.
 */
function writeTemplate(language: Language): string {
  const separator = language === 'de' ? ';' : ',';
  const lines = [rosterColumns, ...examples.map((line) => rosterColumns.map((column) => line[column] ?? ''))];
  return `\uFEFF${lines.map((cells) => cells.join(separator)).join('\r\n')}\r\n`;
}

export function downloadTemplate(language: Language, name: string): void {
  const address = URL.createObjectURL(new Blob([writeTemplate(language)], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // Delayed, because the browser may still be fetching the file.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
