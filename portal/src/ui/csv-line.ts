type Language = 'de' | 'en';

/** Text, or a number, which gets the decimal separator of the language. */
export type Cell = string | number;

/** A cell that a spreadsheet would take for a formula begins with one of these. */
const formula = /^[=+\-@\t\r]/;

const separators: Record<Language, { cell: string; decimal: string }> = {
  de: { cell: ';', decimal: ',' },
  en: { cell: ',', decimal: '.' },
};

function writeCell(cell: Cell, language: Language): string {
  const separator = separators[language];
  // A negative number is no formula.
  if (typeof cell === 'number') return String(cell).replace('.', separator.decimal);
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return /["\r\n]/.test(safe) || safe.includes(separator.cell) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns one line of a table. German spreadsheet programs need semicolons and decimal commas. */
export const writeLine = (cells: readonly Cell[], language: Language): string =>
  `${cells.map((cell) => writeCell(cell, language)).join(separators[language].cell)}\r\n`;

/** Writes a date such as `2026-11-15` as spreadsheet programs of the language recognize it. */
export const writeDate = (day: string | null, language: Language): string => {
  if (day === null) return '';
  return language === 'de' ? day.slice(0, 10).split('-').reverse().join('.') : day.slice(0, 10);
};
