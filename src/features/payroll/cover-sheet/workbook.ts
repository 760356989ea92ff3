import writeExcelFile, { type CellObject, type SheetData } from 'write-excel-file/node';
import type { ComposedCoverSheet } from './compose.ts';

/** Text is written as text: a spreadsheet runs no formula that somebody has as their name. */
const text = (value: string): CellObject => ({ value, type: String });
const amount = (cents: number): CellObject => ({ value: cents / 100, type: Number, format: '#,##0.00' });
const bold = (cell: CellObject): CellObject => ({ ...cell, fontWeight: 'bold' });

export function renderCoverSheetWorkbook(sheet: ComposedCoverSheet): Promise<Buffer> {
  const { texts, company, facts, sums, kinds, rows, totals } = sheet;
  const data: SheetData = [
    [bold(text(`${sheet.title} ${sheet.month}`))],
    [text(company.name)],
    ...facts.map(([label, value]) => [text(label), text(value)]),
    [],
    [bold(text(texts.sums))],
    ...sums.map(({ label, cents }) => [text(label), null, amount(cents)]),
    [],
    [texts.personnelNumber, texts.name, ...kinds.map((kind) => texts[kind])].map((heading) => bold(text(heading))),
    ...rows.map((row) => [
      text(row.personnelNumber),
      text(row.name ?? texts.unnamed),
      ...kinds.map((kind) => amount(row[kind])),
    ]),
    [bold(text(texts.sum)), null, ...kinds.map((kind) => bold(amount(totals[kind])))],
  ];
  const columns = [{ width: 22 }, { width: 34 }, ...kinds.map(() => ({ width: 20 }))];
  return writeExcelFile(data, { sheet: sheet.month, columns }).toBuffer();
}
