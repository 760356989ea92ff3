import { drawBrand } from '../../documents/pdf/brand.ts';
import {
  drawLine,
  grey,
  ink,
  left,
  type Pdf,
  right,
  setText,
  type TextStyle,
  tint,
} from '../../documents/pdf/text-block.ts';
import type { InvoicePage } from './compose.ts';

const width = right - left;
const aside = { x: right - 200, width: 200 };
const footerTop = 748;

const body: TextStyle = { face: 'regular', size: 9.5, color: ink };
const quiet: TextStyle = { ...body, color: grey };
const strong: TextStyle = { ...body, face: 'semibold' };
const small: TextStyle = { ...quiet, size: 7.5 };
const figures: TextStyle = { ...body, features: ['tnum'] };

function drawHeader(pdf: Pdf, { sender, senderLine, recipient, reference }: InvoicePage): void {
  setText(pdf, sender, { ...strong, size: 14, leading: 1.3 }, { x: left, y: 46, width: 300, height: 56 });
  drawBrand(pdf, right, 46, 18);
  setText(pdf, senderLine, { ...small, size: 6.5 }, { x: left, y: 122, width: 250, height: 20 });
  recipient.reduce(
    (y, line, index) =>
      setText(pdf, line, { ...(index === 0 ? strong : body), size: 10.5 }, { x: left, y, width: 250, height: 32 }),
    140,
  );
  reference.reduce((y, [label, value]) => {
    setText(pdf, label, { ...quiet, size: 8 }, { x: aside.x, y, width: 74 });
    const box = { x: aside.x + 76, y, width: aside.width - 76, height: 26, align: 'right' as const };
    return Math.max(setText(pdf, value, { ...body, size: 8, features: ['tnum'] }, box), y + 12) + 2;
  }, 122);
}

/** The columns of amounts, from their left edge. */
const columns = {
  item: { x: left + 8, width: 196 },
  quantity: { x: left + 208, width: 46 },
  unitPrice: { x: left + 262, width: 82 },
  rate: { x: left + 352, width: 34 },
  amount: { x: left + 390, width: width - 398 },
} as const;
const numbers = ['quantity', 'unitPrice', 'rate', 'amount'] as const;

function drawTableRow(pdf: Pdf, line: InvoicePage['lines'][number], top: number): number {
  const y = top + 5;
  for (const column of numbers) setText(pdf, line[column], figures, { ...columns[column], y, align: 'right' });
  const nameEnd = setText(pdf, line.name, body, { ...columns.item, y, height: 29 });
  const end =
    line.detail === undefined ? nameEnd : setText(pdf, line.detail, small, { ...columns.item, y: nameEnd, height: 24 });
  drawLine(pdf, end + 5);
  return end + 5;
}

function drawTable(pdf: Pdf, { columns: headings, lines }: InvoicePage, top: number): number {
  pdf.roundedRect(left, top, width, 22, 4).fill(tint);
  const heading: TextStyle = { ...strong, size: 8, color: grey };
  setText(pdf, headings.item, heading, { ...columns.item, y: top + 5 });
  for (const column of numbers)
    setText(pdf, headings[column], heading, { ...columns[column], y: top + 5, align: 'right' });
  return lines.reduce((y, line) => drawTableRow(pdf, line, y), top + 24);
}

function drawTotals(pdf: Pdf, { totals, total }: InvoicePage, top: number): number {
  const labels = { x: left + 208, width: 170 };
  const bottom = totals.reduce((y, [label, value]) => {
    setText(pdf, label, quiet, { ...labels, y });
    setText(pdf, value, figures, { ...columns.amount, y, align: 'right' });
    return y + 17;
  }, top + 8);
  pdf.roundedRect(left + 200, bottom + 2, width - 200, 28, 5).fill(tint);
  const style: TextStyle = { ...strong, size: 11.5, features: ['tnum'] };
  setText(pdf, total[0], style, { ...labels, y: bottom + 7.5 });
  setText(pdf, total[1], style, {
    x: columns.amount.x - 40,
    width: columns.amount.width + 40,
    y: bottom + 7.5,
    align: 'right',
  });
  return bottom + 30;
}

/** The columns of corrected charges. */
const correctedColumns = {
  month: { x: left, width: 92 },
  charge: { x: left + 98, width: 226 },
  hrId: { x: left + 330, width: 72 },
  amount: { x: right - 60, width: 60, align: 'right' },
} as const;

/** Draws a second page that lists the corrected charges. */
function drawCorrected(pdf: Pdf, { title, rows, note }: NonNullable<InvoicePage['corrected']>): void {
  pdf.addPage();
  let y = setText(pdf, title, { ...strong, size: 14, leading: 1.3 }, { x: left, y: 46, width, height: 40 }) + 10;
  drawLine(pdf, y);
  for (const { reason, ...row } of rows) {
    for (const column of ['month', 'charge', 'hrId', 'amount'] as const) {
      setText(pdf, row[column], figures, { ...correctedColumns[column], y: y + 2, height: 14.5 });
    }
    const end = setText(pdf, reason, small, { ...correctedColumns.charge, y: y + 15, width: 330 });
    drawLine(pdf, end + 1.5);
    y = end + 1.5;
  }
  setText(pdf, note, small, { x: left, y: y + 8, width, height: 24 });
}

function drawFooter(pdf: Pdf, { footer }: InvoicePage): void {
  drawLine(pdf, footerTop);
  footer.forEach((lines, index) => {
    const box = { x: left + index * 157, width: 150 };
    lines.reduce(
      (y, line, row) =>
        setText(pdf, line, { ...small, face: row === 0 ? 'semibold' : 'regular' }, { ...box, y, height: 22 }),
      footerTop + 8,
    );
  });
}

/**
 * Draws the page. An invoice has few lines, one per charge type, price and tax, so that one page is always enough. A
 * credit note has a second one.
 */
export function drawInvoice(pdf: Pdf, page: InvoicePage): void {
  drawHeader(pdf, page);
  let y = setText(pdf, page.title, { ...strong, size: 20, leading: 1.3 }, { x: left, y: 248, width, height: 30 }) + 10;
  y = setText(pdf, page.intro, body, { x: left, y, width, height: 30 });
  if (page.corrects !== null) y = setText(pdf, page.corrects, body, { x: left, y, width, height: 45 });
  y = drawTable(pdf, page, y + 10);
  y = drawTotals(pdf, page, y);
  y += 20;
  for (const text of [...page.exemptions, page.terms]) y = setText(pdf, text, body, { x: left, y, width, height: 45 });
  y += 4;
  for (const note of page.notes) y = setText(pdf, note, small, { x: left, y: y + 2, width, height: 24 });
  drawFooter(pdf, page);
  if (page.corrected !== null) drawCorrected(pdf, page.corrected);
}
