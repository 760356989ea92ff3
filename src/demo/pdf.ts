import PDFDocument from 'pdfkit';

/** One page: a heading, a table of facts, amounts where there are any, and a closing text. */
export interface Letter {
  title: string;
  number: string;
  /** As printed. */
  date: string;
  /** For the file itself; the same content always gives the same bytes. */
  createdAt: Date;
  sender: { name: string; lines: string[] };
  recipient: string[];
  intro: string;
  facts: [label: string, value: string][];
  amounts?: { rows: [label: string, value: string][]; total: [label: string, value: string] };
  closing: string;
  signature: string;
  footer: string;
}

const ink = '#1c2b33';
const grey = '#64757f';
const rule = '#d7dfe3';
const accent = '#0f6b5c';
const tint = '#f1f6f5';
const margin = 64;
const pageWidth = 595.28;
const width = pageWidth - 2 * margin;
const footerTop = 776;

/** What the standard fonts can print beyond Latin-1 (WinAnsi). */
const printableExtras = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const replacements: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ħ: 'h',
  '\u202f': '\u00a0',
  '−': '–',
};

const isPrintable = (letter: string) => /^[\n\x20-\x7e\xa0-\xff]$/.test(letter) || printableExtras.includes(letter);

/** Letters that Helvetica lacks lose their marks: `Yıldız` is printed as `Yildiz` rather than as gibberish. */
export const printable = (text: string) =>
  Array.from(text.normalize('NFC'), (letter) => {
    if (isPrintable(letter)) return letter;
    const plain = replacements[letter] ?? letter.normalize('NFKD').replace(/\p{Mark}/gu, '');
    return Array.from(plain).every(isPrintable) && plain !== '' ? plain : '?';
  }).join('');

type Pdf = PDFKit.PDFDocument;

interface TextStyle extends PDFKit.Mixins.TextOptions {
  bold?: boolean;
  size?: number;
  color?: string;
}

/** Writes and answers where the text ended. */
function write(
  pdf: Pdf,
  text: string,
  x: number,
  y: number,
  { bold, size, color, ...options }: TextStyle = {},
): number {
  pdf
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size ?? 10)
    .fillColor(color ?? ink);
  pdf.text(printable(text), x, y, { width, lineGap: 3, ...options });
  return pdf.y;
}

const line = (pdf: Pdf, y: number) =>
  pdf
    .moveTo(margin, y)
    .lineTo(pageWidth - margin, y)
    .lineWidth(0.6)
    .stroke(rule);

function drawHeader(pdf: Pdf, { sender, recipient, number, date }: Letter): void {
  pdf.rect(0, 0, pageWidth, 10).fill(accent);
  write(pdf, sender.name, margin, 52, { bold: true, size: 15, color: accent });
  let y = 50;
  for (const text of sender.lines)
    y = write(pdf, text, margin, y, { size: 8.5, color: grey, align: 'right', lineGap: 2 });
  line(pdf, 100);
  write(pdf, recipient.join('\n'), margin, 128, { width: width * 0.6 });
  write(pdf, `${date}\nNr. ${number}`, margin, 128, { color: grey, align: 'right' });
}

const rowHeight = 25;

function drawFacts(pdf: Pdf, facts: Letter['facts'], top: number): number {
  pdf.roundedRect(margin, top, width, facts.length * rowHeight + 10, 6).fill(tint);
  facts.forEach(([label, value], index) => {
    const y = top + 5 + index * rowHeight;
    if (index > 0)
      pdf
        .moveTo(margin + 16, y)
        .lineTo(pageWidth - margin - 16, y)
        .lineWidth(0.6)
        .stroke(rule);
    write(pdf, label, margin + 16, y + 8, { color: grey, width: 170 });
    write(pdf, value, margin + 190, y + 8, { width: width - 206 });
  });
  return top + facts.length * rowHeight + 10;
}

function drawAmounts(pdf: Pdf, { rows, total }: NonNullable<Letter['amounts']>, top: number): number {
  let y = top;
  for (const [label, value] of rows) {
    write(pdf, label, margin + 16, y, {});
    write(pdf, value, margin, y, { align: 'right', width: width - 16 });
    y += 20;
  }
  line(pdf, y);
  write(pdf, total[0], margin + 16, y + 8, { bold: true });
  write(pdf, total[1], margin, y + 8, { bold: true, align: 'right', width: width - 16 });
  return y + 28;
}

function drawLetter(pdf: Pdf, letter: Letter): void {
  drawHeader(pdf, letter);
  let y = write(pdf, letter.title, margin, 222, { bold: true, size: 21 });
  y = write(pdf, letter.intro, margin, y + 10);
  y = drawFacts(pdf, letter.facts, y + 16);
  if (letter.amounts) y = drawAmounts(pdf, letter.amounts, y + 24);
  y = write(pdf, letter.closing, margin, y + 22);
  write(pdf, letter.signature, margin, y + 18);
  line(pdf, footerTop);
  write(pdf, letter.footer, margin, footerTop + 9, { size: 8, color: grey, align: 'center' });
}

export function renderPdf(letter: Letter): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: 0, bottom: 0, left: margin, right: margin },
    lang: 'de-DE',
    displayTitle: true,
    info: { Title: letter.title, Author: letter.sender.name, CreationDate: letter.createdAt },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  pdf.on('end', () => resolve(Buffer.concat(chunks)));
  pdf.on('error', reject);
  drawLetter(pdf, letter);
  pdf.end();
  return promise;
}
