import { type FileLine, formatAmount } from './file-line.ts';

/**
 * Writes a payroll file that a German spreadsheet opens with a double click: semicolons between cells, a comma in
 * amounts, UTF-8 with a byte order mark.
 */

const headings = {
  de: ['Zeitraum', 'Personalnummer', 'Lohnart', 'Bezeichnung', 'Betrag'],
  en: ['Period', 'Personnel number', 'Wage type', 'Description', 'Amount'],
};

const descriptions = {
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
const text = (cell: string) => quote(cell.replace(formulas, "'"));

const line = (cells: readonly string[]) => `${cells.join(';')}\r\n`;

/** Yields the lines of the file. Headings and descriptions are German for a German locale, and English for all others. */
export function* formatCsv(lines: Iterable<FileLine>, period: string, locale: string): Generator<string> {
  const language = new Intl.Locale(locale).language === 'de' ? 'de' : 'en';
  const [year, month, day] = period.split('-');
  const from = language === 'de' ? `${day}.${month}.${year}` : period;
  yield `\uFEFF${line(headings[language])}`;
  for (const { personnelNumber, wageType, kind, cents } of lines) {
    yield line([from, text(personnelNumber), String(wageType), descriptions[language][kind], formatAmount(cents)]);
  }
}
