import type { PayrollLine } from './plan.ts';

export const coverSheetFormats = ['pdf', 'xlsx'] as const;
export type CoverSheetFormat = (typeof coverSheetFormats)[number];

/** The file of a year. */
export const yearFormats = ['csv', 'xlsx'] as const;
export type YearFormat = (typeof yearFormats)[number];

/** A line as a file contains it, with the number of its wage type. */
export interface FileLine extends PayrollLine {
  wageType: number;
}

/** Formats cents with a decimal comma: `57,46`. It works on text, because cents / 100 is not exact. */
export function formatAmount(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`;
}

/** docs/payroll.md explains every field, and what the tax adviser has to confirm. */

/** Formats the first day of a month as DATEV writes it: `01/11/2026`. */
const formatDate = (period: string) => period.split('-').toReversed().join('/');

/** The processing key (Bearbeitungsschlüssel) of an amount; 1 would be hours, 2 days. */
const amountKey = 3;

interface LodasHeader {
  consultant: number;
  client: number;
  period: string;
}

const lodasHeader = ({ consultant, client }: LodasHeader) => [
  '[Allgemein]',
  'Ziel=LODAS',
  'Version_SST=1.0',
  `BeraterNr=${consultant}`,
  `MandantenNr=${client}`,
  'Datumsformat=TT/MM/JJJJ',
  'Feldtrennzeichen=;',
  'Zahlenkomma=,',
  '',
  '[Satzbeschreibung]',
  '1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;bs_wert_butab#bwd;bs_nr#bwd;la_eigene#bwd;pnr#bwd;',
  '',
  '[Bewegungsdaten]',
];

/** Yields the lines of a file of movement data (Bewegungsdaten) for LODAS. */
export function* formatLodas(lines: Iterable<FileLine>, header: LodasHeader): Generator<string> {
  for (const line of lodasHeader(header)) yield `${line}\r\n`;
  const date = formatDate(header.period);
  for (const { personnelNumber, wageType, cents } of lines) {
    yield `1;${date};${formatAmount(cents)};${amountKey};${wageType};${personnelNumber};\r\n`;
  }
}

/**
 * Yields records of eleven fields for Lohn und Gehalt: Personalnummer, Kalendertag, Ausfallschlüssel, Lohnartennummer,
 * Stundenanzahl, Tagesanzahl, Wert, Abw. Faktor, Abw. Lohnveränderung, Kostenstelle, Kostenträger.
 */
export function* formatLohnUndGehalt(lines: Iterable<FileLine>, period: string): Generator<string> {
  const date = formatDate(period);
  for (const { personnelNumber, wageType, cents } of lines) {
    const cells = [personnelNumber, date, '', wageType, '', '', formatAmount(cents), '', '', '', ''];
    yield `${cells.join(';')}\r\n`;
  }
}

/** A German spreadsheet opens it with a double click: semicolons, decimal commas, UTF-8 with a byte order mark. */

const headings = {
  de: ['Zeitraum', 'Personalnummer', 'Lohnart', 'Bezeichnung', 'Betrag'],
  en: ['Period', 'Personnel number', 'Wage type', 'Description', 'Amount'],
};

/** What the lines of each kind are, as payroll names it. */
export const descriptions = {
  de: {
    'tax-free': 'Deutschlandticket steuerfrei (§ 3 Nr. 15 EStG)',
    'flat-tax': 'Deutschlandticket pauschal versteuert (§ 40 Abs. 2 EStG)',
    deduction: 'Deutschlandticket Eigenanteil (Nettoabzug)',
  },
  en: {
    'tax-free': 'Transit ticket, tax-free (§ 3 Nr. 15 EStG)',
    'flat-tax': 'Transit ticket, flat tax (§ 40 Abs. 2 EStG)',
    deduction: "Transit ticket, employee's share (net deduction)",
  },
};

/**
 * Matches the places where a spreadsheet would run the following text as a formula. These are the beginning of a cell
 * and, for programs that separate cells by other characters, any place after such a separator. For those programs, a
 * quote after a separator also begins and ends a cell that was meant to be text: `A;"=1+1"` would run.
 */
const formulas = /^(?=[=+\-@\t\r\n])|(?<=[;,"\t\r\n])(?=[=+\-@])/g;

const quote = (cell: string) => (/[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Formats text from outside: an apostrophe before a formula makes it plain text. */
export const textCell = (cell: string) => quote(cell.replace(formulas, "'"));

/** Returns a line of a table for people, whose texts are from outside. */
export const formatRow = (cells: readonly string[]) => joinCells(cells.map(textCell));

/** Returns a line of cells whose texts are formatted already. */
export const joinCells = (cells: readonly string[]) => `${cells.join(';')}\r\n`;

/** Yields the lines of the file. Headings and descriptions are German for a German locale, and English for all others. */
export function* formatCsv(lines: Iterable<FileLine>, period: string, locale: string): Generator<string> {
  const language = new Intl.Locale(locale).language === 'de' ? 'de' : 'en';
  const [year, month, day] = period.split('-');
  const from = language === 'de' ? `${day}.${month}.${year}` : period;
  yield `\uFEFF${joinCells(headings[language])}`;
  for (const { personnelNumber, wageType, kind, cents } of lines) {
    yield joinCells([
      from,
      textCell(personnelNumber),
      String(wageType),
      descriptions[language][kind],
      formatAmount(cents),
    ]);
  }
}
