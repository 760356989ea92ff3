import type { CellObject, SheetData } from 'write-excel-file/node';
import { pickTexts } from '../../documents/pdf/wording.ts';
import { formatAmount, joinCells, textCell, type YearFormat } from '../rules/formats.ts';
import type { YearFile, YearLine } from './year.ts';

const labels = {
  fileName: ['jahresaufstellung', 'yearly-statement'],
  asOf: ['Stand', 'As of'],
  personnelNumber: ['Personalnummer', 'Personnel number'],
  name: ['Name', 'Name'],
  count: ['Monate', 'Months'],
  months: ['Monate mit Ticket', 'Months with a ticket'],
  gross: ['Ticketpreis', 'Ticket price'],
  company: ['Anteil Arbeitgeber', "Employer's share"],
  employee: ['Anteil Arbeitnehmer', "Employee's share"],
  taxFree: ['Zeile 17: steuerfrei (§ 3 Nr. 15 EStG)', 'Line 17: tax-free (§ 3 Nr. 15 EStG)'],
  flatTax: ['Pauschal besteuert (§ 40 Abs. 2 EStG)', 'Flat-taxed (§ 40 Abs. 2 EStG)'],
  exportedTaxFree: ['Exportiert: steuerfrei', 'Exported: tax-free'],
  exportedFlatTax: ['Exportiert: pauschal besteuert', 'Exported: flat-taxed'],
  exportedDeduction: ['Exportiert: Nettoabzug', 'Exported: net deduction'],
  differenceTaxFree: ['Differenz: steuerfrei', 'Difference: tax-free'],
  differenceFlatTax: ['Differenz: pauschal besteuert', 'Difference: flat-taxed'],
  differenceDeduction: ['Differenz: Nettoabzug', 'Difference: net deduction'],
  note: ['Hinweis', 'Note'],
  unnamed: ['Nicht mehr gespeichert', 'No longer stored'],
  'not-exported': ['Nicht alles exportiert', 'Not everything is exported'],
  'other-year': ['In einem anderen Jahr exportiert', 'Exported in another year'],
} as const;

const languageOf = (locale: string) => (new Intl.Locale(locale).language === 'de' ? 'de' : 'en');

export const yearFileName = ({ year, locale }: Pick<YearFile, 'year' | 'locale'>, format: YearFormat) =>
  `${pickTexts(labels, languageOf(locale)).fileName}-${year}.${format}`;

/** Returns the columns of the table. Both formats say the same. An amount is a number of cents. */
function columnsOf(file: YearFile) {
  const texts = pickTexts(labels, languageOf(file.locale));
  const text = (heading: string, width: number, value: (line: YearLine) => string) => ({ heading, width, text: value });
  const amount = (heading: string, cents: (line: YearLine) => number) => ({ heading, width: 16, cents });
  return [
    text(texts.personnelNumber, 16, ({ personnelNumber }) => personnelNumber),
    text(texts.name, 28, ({ name }) => name ?? texts.unnamed),
    text(texts.count, 9, ({ months }) => String(months.length)),
    text(texts.months, 40, ({ months }) => months.map((month) => month.slice(5, 7)).join(', ')),
    amount(texts.gross, ({ grossCents }) => grossCents),
    amount(texts.company, ({ companyShareCents }) => companyShareCents),
    amount(texts.employee, ({ deductionCents }) => deductionCents),
    amount(texts.taxFree, ({ taxFreeCents }) => taxFreeCents),
    amount(texts.flatTax, ({ flatTaxCents }) => flatTaxCents),
    amount(texts.exportedTaxFree, ({ exported }) => exported.taxFreeCents),
    amount(texts.exportedFlatTax, ({ exported }) => exported.flatTaxCents),
    amount(texts.exportedDeduction, ({ exported }) => exported.deductionCents),
    amount(texts.differenceTaxFree, ({ taxFreeCents, exported }) => taxFreeCents - exported.taxFreeCents),
    amount(texts.differenceFlatTax, ({ flatTaxCents, exported }) => flatTaxCents - exported.flatTaxCents),
    amount(texts.differenceDeduction, ({ deductionCents, exported }) => deductionCents - exported.deductionCents),
    text(texts.note, 30, ({ difference }) => (difference === null ? '' : texts[difference])),
    text(texts.asOf, 12, () => file.asOf),
  ];
}

type Column = ReturnType<typeof columnsOf>[number];

const toText = (column: Column, line: YearLine) =>
  'cents' in column ? formatAmount(column.cents(line)) : textCell(column.text(line));

function renderCsv(file: YearFile): Buffer {
  const columns = columnsOf(file);
  const rows = file.lines.map((line) => joinCells(columns.map((column) => toText(column, line))));
  return Buffer.from(`\uFEFF${[joinCells(columns.map(({ heading }) => textCell(heading))), ...rows].join('')}`);
}

/** Text is written as text: a spreadsheet runs no formula that somebody has as their name. */
const toCell = (column: Column, line: YearLine): CellObject =>
  'cents' in column
    ? { value: column.cents(line) / 100, type: Number, format: '#,##0.00' }
    : { value: column.text(line), type: String };

/** Its module also names the file, which needs no package for Excel. */
async function renderWorkbook(file: YearFile): Promise<Buffer> {
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const columns = columnsOf(file);
  const data: SheetData = [
    columns.map(({ heading }): CellObject => ({ value: heading, type: String, fontWeight: 'bold' })),
    ...file.lines.map((line) => columns.map((column) => toCell(column, line))),
  ];
  return writeExcelFile(data, {
    sheet: String(file.year),
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  }).toBuffer();
}

export interface YearTask {
  file: YearFile;
  format: YearFormat;
}

/** Returns the bytes of the file of a year. The portal runs it on a thread. */
export default async ({ file, format }: YearTask): Promise<Uint8Array> =>
  format === 'csv' ? renderCsv(file) : renderWorkbook(file);
