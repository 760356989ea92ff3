import PDFDocument from 'pdfkit';
import { testMark } from '../../../domain/test-mark.ts';
import { printable } from '../../../platform/pdf/printable.ts';
import { type Features, openTypefaces } from '../../../platform/pdf/typeface.ts';

export type Pdf = PDFKit.PDFDocument;

export interface TextStyle {
  face: 'regular' | 'semibold';
  size: number;
  color: string;
  /** Distance from one baseline to the next, as a multiple of the size. */
  leading?: number;
  features?: Features;
}

/** The area for a text. A text that does not fit even at the smallest size ends in an ellipsis. */
export interface TextBox {
  x: number;
  /** The top edge. */
  y: number;
  width: number;
  /** A text of several lines is set smaller until it fits. Absent: one line of the requested size. */
  height?: number;
  align?: 'left' | 'right';
}

/** Relative to the requested size. Names of 200 characters then fit their boxes and are still legible. */
const smallest = 0.6;
const shrinkStep = 0.95;
/** Half the height of Inter's capitals, which centres lines visually. */
const halfCapHeight = 0.364;

/** Writes across the present page that it is valid nowhere, below what will be drawn, and once more at its top. */
function drawTestMark(pdf: Pdf): void {
  const { width, height } = pdf.page;
  const size = 150;
  const advances = openTypefaces().semibold.advancesOf('TEST', []);
  const textWidth = advances.reduce((sum, advance) => sum + advance, 0) * size;
  pdf.save().rotate(-55, { origin: [width / 2, height / 2] });
  pdf.font('semibold').fontSize(size).fillColor('#fbe3e1');
  pdf.text('TEST', (width - textWidth) / 2, height / 2 + halfCapHeight * size, {
    lineBreak: false,
    baseline: 'alphabetic',
  });
  pdf.restore();
  const style: TextStyle = { face: 'semibold', size: 8.5, color: '#b42318' };
  setText(pdf, testMark, style, { x: left, y: 14, width: right - left });
}

interface PageOptions extends PDFKit.PDFDocumentOptions {
  isTest: boolean;
}

/** The same page always produces the same bytes: pdfkit reads no clock if it is given a date. */
export function renderPage({ isTest, ...options }: PageOptions, draw: (pdf: Pdf) => void): Promise<Buffer> {
  // The standard fonts are not used. Without this setting pdfkit would load Helvetica for every document.
  const pdf = new PDFDocument({ size: 'A4', margin: 0, font: '', displayTitle: true, ...options });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  pdf.on('end', () => resolve(Buffer.concat(chunks)));
  pdf.on('error', reject);
  const { regular, semibold } = openTypefaces();
  pdf.registerFont('regular', regular.source).registerFont('semibold', semibold.source);
  if (isTest) {
    drawTestMark(pdf);
    pdf.on('pageAdded', () => drawTestMark(pdf));
  }
  draw(pdf);
  pdf.end();
  return promise;
}

/** The colours and the margins of all pages. */
export const [ink, grey, tint] = ['#17262d', '#5b6b73', '#f1f6f7'];
const rule = '#d9e1e4';
export const [left, right] = [64, 531.28];

export const drawLine = (pdf: Pdf, y: number, from = left, to = right) =>
  pdf.moveTo(from, y).lineTo(to, y).lineWidth(0.6).stroke(rule);

/** A text and the start of each character, in multiples of the font size: it can be broken at any size. */
interface MeasuredText {
  text: string;
  /** Has one more element than there are characters, for the end. */
  starts: number[];
}

interface Line {
  text: string;
  width: number;
}

interface Span {
  from: number;
  to: number;
}

function measure(text: string, advances: number[]): MeasuredText {
  const starts = [0];
  for (const advance of advances) starts.push((starts.at(-1) ?? 0) + advance);
  return { text, starts };
}

const widthOf = ({ starts }: MeasuredText, { from, to }: Span) => (starts[to] ?? 0) - (starts[from] ?? 0);

const spansOf = (text: string, pattern: RegExp, offset = 0): Span[] =>
  Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({
    from: offset + index,
    to: offset + index + match.length,
  }));

/** Splits a text where lines may end: at spaces, after hyphens, and inside a word only if it is longer than a line. */
function piecesOf(measured: MeasuredText, width: number): Span[] {
  return spansOf(measured.text, /[^ -]*-+|[^ -]+/g).flatMap((word) =>
    widthOf(measured, word) <= width
      ? [word]
      : spansOf(measured.text.slice(word.from, word.to), /.\p{Mark}*/gsu, word.from),
  );
}

function breakSpans(measured: MeasuredText, width: number): Span[] {
  const lines: Span[] = [];
  for (const { from, to } of piecesOf(measured, width)) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(measured, { from: line.from, to }) <= width) line.to = to;
    else lines.push({ from, to });
  }
  return lines;
}

interface Limits {
  /** In multiples of the font size, like the width of the ellipsis. */
  width: number;
  maxLines: number;
  ellipsisWidth: number;
}

function shorten(measured: MeasuredText, { from, to }: Span, { width, ellipsisWidth }: Limits): Line {
  let end = to;
  const isTooLong = () => widthOf(measured, { from, to: end }) + ellipsisWidth > width;
  while (end > from && (isTooLong() || /^[\p{Mark} ]$/u.test(measured.text.charAt(end)))) end--;
  return {
    text: `${measured.text.slice(from, end)}…`,
    width: widthOf(measured, { from, to: end }) + ellipsisWidth,
  };
}

/** Returns the lines of a text, and whether they contain all of it. If not, the last line ends in an ellipsis. */
function breakLines(measured: MeasuredText, limits: Limits): { lines: Line[]; isWhole: boolean } {
  const spans = breakSpans(measured, limits.width);
  const isWhole = spans.length <= limits.maxLines;
  const lines = spans
    .slice(0, limits.maxLines)
    .map((span, index) =>
      isWhole || index < limits.maxLines - 1
        ? { text: measured.text.slice(span.from, span.to), width: widthOf(measured, span) }
        : shorten(measured, span, limits),
    );
  return { lines, isWhole };
}

/** Returns the largest size at which the text fits its box, and its lines at that size. */
function fit(text: string, { face, size, leading = 1.5, features = [] }: TextStyle, { width, height }: TextBox) {
  const typeface = openTypefaces()[face];
  const measured = measure(text, typeface.advancesOf(text, features));
  const [ellipsisWidth = 0] = typeface.advancesOf('…', features);
  for (let fitting = size; ; fitting *= shrinkStep) {
    const lineHeight = fitting * leading;
    const maxLines = height === undefined ? 1 : Math.max(1, Math.floor(height / lineHeight));
    const { lines, isWhole } = breakLines(measured, { width: width / fitting, maxLines, ellipsisWidth });
    const isLastTry = height === undefined || fitting * shrinkStep < size * smallest;
    if (isWhole || isLastTry) return { lines, size: fitting, lineHeight };
  }
}

/** Prints a text into its box and returns its lower edge. */
export function setText(pdf: Pdf, text: string, style: TextStyle, box: TextBox): number {
  const { lines, size, lineHeight } = fit(printable(text), style, box);
  const options = {
    lineBreak: false,
    baseline: 'alphabetic',
    ...(style.features && { features: style.features }),
  } as const;
  pdf.font(style.face).fontSize(size).fillColor(style.color);
  lines.forEach((line, index) => {
    const x = box.align === 'right' ? box.x + box.width - line.width * size : box.x;
    pdf.text(line.text, x, box.y + (index + 0.5) * lineHeight + halfCapHeight * size, options);
  });
  return box.y + lines.length * lineHeight;
}

/** Draws a code of black squares, by rows, as one shape. */
export function drawSquares(
  pdf: Pdf,
  rows: readonly (readonly boolean[])[],
  { x, y, size }: { x: number; y: number; size: number },
): void {
  const side = size / rows.length;
  rows.forEach((row, down) => {
    // Neighbours in one rectangle: viewers draw fine lines between single squares.
    for (let from = 0; from < row.length; from++) {
      if (!row[from]) continue;
      const start = from;
      while (row[from + 1]) from++;
      pdf.rect(x + start * side, y + down * side, (from + 1 - start) * side, side);
    }
  });
  pdf.fill(ink);
}
