import { brandName, drawBrand } from './brand.ts';
import type { DocumentLayout } from './compose.ts';
import {
  drawLine,
  drawSquares,
  grey,
  ink,
  left,
  type Pdf,
  renderPage,
  right,
  setText,
  type TextStyle,
  tint,
} from './text-block.ts';

const width = right - left;
/** The columns of text: the full width, the block beside the recipient, and the values of the facts. */
export const measure = { x: left, width };
const aside = { x: right - 176, width: 176 };
const values = { x: left + 168, width: width - 168 };
const padding = 14;
const rowPadding = 4.5;
const footerTop = 782;

export const body: TextStyle = { face: 'regular', size: 10, color: ink };
export const quiet: TextStyle = { ...body, color: grey };
export const strong: TextStyle = { ...body, face: 'semibold' };
export const small: TextStyle = { ...quiet, size: 7.5 };

/** What stands at the head of a page. */
export type Stationery = Pick<DocumentLayout, 'sender' | 'logo' | 'senderAddress' | 'recipient' | 'reference'>;

export function drawHeader(pdf: Pdf, { sender, logo, senderAddress, recipient, reference }: Stationery): void {
  const head = { x: left, width: 340 };
  if (logo !== null) pdf.image(Buffer.from(logo), left, 34, { fit: [200, 46] });
  const senderEnd =
    logo === null
      ? setText(pdf, sender, { ...strong, size: 14, leading: 1.3 }, { ...head, y: 46, height: 40 })
      : setText(pdf, sender, { ...strong, size: 9 }, { ...head, y: 84, height: 14 });
  senderAddress.reduce((y, line) => setText(pdf, line, { ...small, size: 8.5 }, { ...head, y }), senderEnd + 2);
  drawBrand(pdf, right, 46, 18);
  const address = { x: left, width: 290 };
  const nameEnd = setText(pdf, recipient.name, { ...strong, size: 11 }, { ...address, y: 132, height: 62 });
  setText(pdf, recipient.email, { ...quiet, size: 9.5 }, { ...address, y: nameEnd, height: 30 });
  reference.reduce((y, [label, value]) => {
    const labelEnd = setText(pdf, label, small, { ...aside, y });
    // One line, set smaller if need be: a number that is broken cannot be searched for or copied.
    const style: TextStyle = { ...body, size: 9.5, features: ['case'] };
    return setText(pdf, value, style, { ...aside, y: labelEnd, height: 14.5 }) + 7;
  }, 132);
}

function drawFacts(pdf: Pdf, facts: DocumentLayout['facts'], top: number): number {
  drawLine(pdf, top);
  return facts.reduce((y, [label, value]) => {
    const labelEnd = setText(pdf, label, quiet, { x: left, y: y + rowPadding, width: 156 });
    const valueEnd = setText(pdf, value, body, { ...values, y: y + rowPadding, height: 54 });
    const bottom = Math.max(labelEnd, valueEnd) + rowPadding;
    drawLine(pdf, bottom);
    return bottom;
  }, top);
}

const [tableRow, firstColumn] = [15, 100];

/** Draws months and their amounts. The first row names the columns, the last one has the sums. */
function drawTable(pdf: Pdf, { head, rows }: NonNullable<DocumentLayout['table']>, top: number): number {
  const columnWidth = (width - firstColumn) / (head.length - 1);
  const drawRow = ([first = '', ...cells]: string[], y: number, style: TextStyle) => {
    setText(pdf, first, style, { x: left, y, width: firstColumn, height: tableRow });
    cells.forEach((cell, index) => {
      const x = left + firstColumn + index * columnWidth;
      setText(pdf, cell, style, { x, y, width: columnWidth, height: tableRow, align: 'right' });
    });
  };
  drawRow(head, top, { ...quiet, size: 8.5 });
  return rows.reduce((y, row, index) => {
    drawLine(pdf, y);
    const style: TextStyle = { ...(index === rows.length - 1 ? strong : body), size: 9, features: ['tnum'] };
    drawRow(row, y + 1.5, style);
    return y + tableRow;
  }, top + tableRow);
}

const amountRow = 22;

const heightOf = ({ parts, shares }: NonNullable<DocumentLayout['amounts']>) =>
  (parts.length + 1 + shares.length) * amountRow + 2 * rowPadding;

function drawAmounts(
  pdf: Pdf,
  amounts: NonNullable<DocumentLayout['amounts']>,
  { top, width }: { top: number; width: number },
): number {
  const { parts, total, shares } = amounts;
  const rows = [...parts, total, ...shares];
  pdf.roundedRect(left, top, width, heightOf(amounts), 6).fill(tint);
  const inner = { x: left + padding, width: width - 2 * padding };
  return (
    rows.reduce((y, [label, value], index) => {
      const isTotal = index === parts.length;
      if (isTotal && index > 0) drawLine(pdf, y, inner.x, inner.x + inner.width);
      const text = { ...inner, y: y + (amountRow - 15) / 2 };
      setText(pdf, label, isTotal ? strong : quiet, text);
      setText(pdf, value, { ...(isTotal ? strong : body), features: ['tnum'] }, { ...text, align: 'right' });
      return y + amountRow;
    }, top + rowPadding) + rowPadding
  );
}

/** Draws the amounts, with the code of the ticket beside them, as high as they are, and its caption below. */
function drawAmountsAndCode(pdf: Pdf, { amounts, code, hasSmallClosing }: DocumentLayout, top: number): number {
  if (amounts === null) return top;
  if (code === null) return drawAmounts(pdf, amounts, { top, width }) + (hasSmallClosing ? 12 : 20);
  const size = heightOf(amounts);
  const y = drawAmounts(pdf, amounts, { top, width: width - size - padding }) + 8;
  // Above the mark of tests, which would make it unreadable.
  pdf.rect(right - size, top, size, size).fill('#ffffff');
  drawSquares(pdf, code.rows, { x: right - size, y: top, size });
  return setText(pdf, code.caption, { ...quiet, size: 8.5 }, { ...measure, y, height: 26 }) + 12;
}

function drawTerms(pdf: Pdf, terms: string[], top: number): number {
  return terms.reduce((y, term, index) => {
    setText(pdf, `${index + 1}.`, quiet, { x: left, y, width: 18 });
    return setText(pdf, term, body, { x: left + 18, y, width: width - 18, height: 45 }) + 4;
  }, top);
}

export function drawFooterOf(pdf: Pdf, { issuer, note }: Pick<DocumentLayout['footer'], 'issuer' | 'note'>): void {
  drawLine(pdf, footerTop);
  const lines = { x: left, width: aside.x - left - 8 };
  setText(pdf, issuer, small, { ...lines, y: footerTop + 8 });
  setText(pdf, note, small, { ...lines, y: footerTop + 19 });
}

function drawFooter(pdf: Pdf, { footer, number }: DocumentLayout): void {
  drawFooterOf(pdf, footer);
  setText(pdf, number, { ...small, features: ['case'] }, { ...aside, y: footerTop + 8, height: 11.5, align: 'right' });
  setText(pdf, footer.page, small, { ...aside, y: footerTop + 19, align: 'right' });
}

/** Every text has its own box, so that even a very long name never overlaps the footer or adds a second page. */
function drawDocument(pdf: Pdf, document: DocumentLayout): void {
  drawHeader(pdf, document);
  let y = setText(pdf, document.title, { ...strong, size: 22, leading: 1.3 }, { ...measure, y: 242 }) + 14;
  if (document.salutation !== null) y = setText(pdf, document.salutation, body, { ...measure, y, height: 45 }) + 7;
  y = setText(pdf, document.intro, body, { ...measure, y, height: 45 }) + 18;
  if (document.facts.length > 0) y = drawFacts(pdf, document.facts, y) + 20;
  if (document.table !== null) y = drawTable(pdf, document.table, y) + 14;
  y = drawAmountsAndCode(pdf, document, y);
  if (document.terms.length > 0) y = drawTerms(pdf, document.terms, y) + 12;
  if (document.paragraph !== null) {
    const height = Math.min(90, footerTop - y - 8 - 51 * document.closing.length);
    y = setText(pdf, document.paragraph, body, { ...measure, y, height }) + 12;
  }
  const closing: TextStyle = document.hasSmallClosing ? { ...body, size: 8.5 } : body;
  for (const text of document.closing) y = setText(pdf, text, closing, { ...measure, y, height: 45 }) + 6;
  if (document.regards !== null) {
    y = setText(pdf, document.regards, body, { ...measure, y: y + 10 });
    setText(pdf, document.sender, strong, { ...measure, y, height: 45 });
  }
  drawFooter(pdf, document);
}

export function renderDocument(document: DocumentLayout): Promise<Buffer> {
  const info = {
    Title: document.title,
    Author: document.sender,
    Subject: document.number,
    Creator: brandName,
    CreationDate: new Date(`${document.madeOn}T00:00:00Z`),
  };
  return renderPage({ isTest: document.isTest, lang: document.language, info }, (pdf) => drawDocument(pdf, document));
}
