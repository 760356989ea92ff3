import { moneyFormat } from '../../../domain/money.ts';
import { brandName, drawBrand } from '../../documents/pdf/brand.ts';
import {
  drawLine,
  grey,
  ink,
  left,
  type Pdf,
  renderPage,
  right,
  setText,
  type TextStyle,
  tint,
} from '../../documents/pdf/text-block.ts';
import type { ComposedCoverSheet } from './compose.ts';

const width = right - left;
const footerTop = 790;
const rowHeight = 17;
const amountWidth = 84;

const body: TextStyle = { face: 'regular', size: 9, color: ink };
const quiet: TextStyle = { ...body, color: grey };
const strong: TextStyle = { ...body, face: 'semibold' };
const small: TextStyle = { ...quiet, size: 7.5 };

function drawHeader(pdf: Pdf, { company, title, month, facts }: ComposedCoverSheet): number {
  setText(pdf, company.name, { ...strong, size: 13 }, { x: left, y: 46, width: 320, height: 40 });
  drawBrand(pdf, right, 46, 18);
  company.address.reduce((y, line) => setText(pdf, line, quiet, { x: left, y, width: 320 }), 68);
  setText(pdf, title, { ...strong, size: 20, leading: 1.3 }, { x: left, y: 112, width });
  let y = setText(pdf, month, { ...quiet, size: 13 }, { x: left, y: 138, width }) + 12;
  for (const [label, value] of facts) {
    setText(pdf, label, quiet, { x: left, y, width: 130 });
    // The checksum is set smaller until it fits one line.
    setText(pdf, value, body, { x: left + 136, y, width: width - 136, height: 14 });
    y += 15.5;
  }
  return y + 10;
}

function drawSums(pdf: Pdf, { sums, texts, company }: ComposedCoverSheet, top: number): number {
  const money = moneyFormat(company.locale, company.currency);
  const height = 12 + (sums.length + 1) * 18;
  pdf.roundedRect(left, top, width, height, 6).fill(tint);
  setText(pdf, texts.sums, strong, { x: left + 12, y: top + 7, width: 200 });
  sums.forEach(({ label, cents }, index) => {
    const y = top + 7 + (index + 1) * 18;
    setText(pdf, label, body, { x: left + 12, y, width: 330 });
    setText(pdf, money(cents), { ...strong, features: ['tnum'] }, { x: right - 132, y, width: 120, align: 'right' });
  });
  return top + height;
}

/** Draws the line on which the person signs who hands the file over, unless that is recorded. */
function drawSignature(pdf: Pdf, { texts, isHandedOver }: ComposedCoverSheet, top: number): number {
  if (isHandedOver) return top;
  setText(pdf, `${texts.handedOver}:`, quiet, { x: left, y: top + 22, width: 100 });
  drawLine(pdf, top + 36, left + 100, right);
  setText(pdf, texts.signature, small, { x: left + 100, y: top + 38, width: 200 });
  return top + 50;
}

type Cells = [personnelNumber: string, name: string, ...amounts: string[]];

function drawCells(pdf: Pdf, [personnelNumber, name, ...amounts]: Cells, y: number, style: TextStyle): void {
  setText(pdf, personnelNumber, style, { x: left + 6, y, width: 76 });
  const { features: _, ...plain } = style;
  setText(pdf, name, plain, { x: left + 88, y, width: width - 94 - amounts.length * amountWidth, height: 14 });
  amounts.forEach((amount, index) => {
    const x = right - 6 - (amounts.length - index) * amountWidth;
    setText(pdf, amount, style, { x: x + 4, y, width: amountWidth - 4, align: 'right' });
  });
}

function drawTableHead(pdf: Pdf, { texts, kinds }: ComposedCoverSheet, top: number): number {
  pdf.roundedRect(left, top, width, 20, 4).fill(tint);
  const cells: Cells = [texts.personnelNumber, texts.name, ...kinds.map((kind) => texts[kind])];
  drawCells(pdf, cells, top + 4, { ...strong, size: 8, color: grey });
  return top + 22;
}

function drawFooter(pdf: Pdf, { language, company }: ComposedCoverSheet, page: number, pages: number): void {
  drawLine(pdf, footerTop);
  const [issuer, count] =
    language === 'de'
      ? [`${brandName} im Auftrag von ${company.name}`, `Seite ${page} von ${pages}`]
      : [`${brandName} on behalf of ${company.name}`, `Page ${page} of ${pages}`];
  setText(pdf, issuer, small, { x: left, y: footerTop + 6, width: 360 });
  setText(pdf, count, small, { x: right - 100, y: footerTop + 6, width: 100, align: 'right' });
}

/** Divides the lines of the table among pages: the first one has less room. */
function paginate<T>(lines: readonly T[], firstRoom: number, room: number): T[][] {
  const pages = [lines.slice(0, firstRoom)];
  for (let start = firstRoom; start < lines.length; start += room) pages.push(lines.slice(start, start + room));
  return pages;
}

const roomFrom = (top: number) => Math.floor((footerTop - 8 - top) / rowHeight);
const topOfTable = 54;

export function renderCoverSheetPdf(sheet: ComposedCoverSheet, isTest: boolean): Promise<Buffer> {
  const { texts, kinds, rows, totals, title, month, madeOn, language, company } = sheet;
  const money = moneyFormat(company.locale, company.currency);
  const info = { Title: `${title} ${month}`, Creator: brandName, CreationDate: madeOn };
  const lines: { cells: Cells; isSum?: true }[] = [
    ...rows.map((row) => ({
      cells: [row.personnelNumber, row.name ?? texts.unnamed, ...kinds.map((kind) => money(row[kind]))] as Cells,
    })),
    { cells: [texts.sum, '', ...kinds.map((kind) => money(totals[kind]))], isSum: true },
  ];
  return renderPage({ isTest, lang: language, info }, (pdf) => {
    const bottom = drawSignature(pdf, sheet, drawSums(pdf, sheet, drawHeader(pdf, sheet))) + 18;
    setText(pdf, texts.list, { ...strong, size: 11 }, { x: left, y: bottom, width });
    const top = bottom + 22;
    const pages = paginate(lines, roomFrom(top + 22), roomFrom(topOfTable + 22));
    pages.forEach((page, index) => {
      if (index > 0) pdf.addPage();
      let y = drawTableHead(pdf, sheet, index === 0 ? top : topOfTable);
      for (const { cells, isSum } of page) {
        drawCells(pdf, cells, y + 2, { ...(isSum ? strong : body), features: ['tnum'] });
        y += rowHeight;
        drawLine(pdf, y);
      }
      drawFooter(pdf, sheet, index + 1, pages.length);
    });
  });
}
