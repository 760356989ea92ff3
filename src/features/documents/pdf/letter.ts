import { encode } from 'uqr';
import { brandName } from './brand.ts';
import { body, drawFooterOf, drawHeader, measure, quiet, type Stationery, small, strong } from './page.ts';
import { drawSquares, left, type Pdf, renderPage, right, setText, tint } from './text-block.ts';

/** A letter on one page that brings its reader to a page of ours: by a code to scan, or by an address to type. */
export interface Letter extends Omit<Stationery, 'logo'> {
  title: string;
  salutation: string;
  paragraphs: readonly string[];
  entry: {
    /** What the code to scan opens. */
    url: string;
    /** Printed above the address. */
    heading: string;
    /** What to type instead, with its labels, such as the address and a code. */
    typed: readonly (readonly [label: string, value: string])[];
    hint: string;
  };
  /** Printed below the code. */
  closing: readonly string[];
  regards: string;
  footer: { issuer: string; note: string };
}

/** The letters of one file, a page each. */
export interface Letters {
  kind: 'letters';
  language: 'de' | 'en';
  /** Names the file in readers. */
  title: string;
  /** YYYY-MM-DD. */
  madeOn: string;
  logo: Uint8Array | null;
  letters: readonly Letter[];
  /** Whether they are marked as valid nowhere. */
  isTest?: boolean;
}

const codeSize = 132;
const padding = 16;

/** Draws the code with the quiet zone that scanners need. */
function drawCode(pdf: Pdf, url: string, x: number, y: number): void {
  pdf.rect(x, y, codeSize, codeSize).fill('#ffffff');
  drawSquares(pdf, encode(url, { border: 4, ecc: 'M' }).data, { x, y, size: codeSize });
}

function drawEntry(pdf: Pdf, { url, heading, typed, hint }: Letter['entry'], top: number): number {
  const height = codeSize + 2 * padding;
  pdf.roundedRect(left, top, right - left, height, 6).fill(tint);
  drawCode(pdf, url, left + padding, top + padding);
  const column = { x: left + codeSize + 2 * padding, width: right - left - codeSize - 3 * padding };
  let y = setText(pdf, heading, { ...strong, size: 11 }, { ...column, y: top + padding, height: 33 }) + 6;
  for (const [label, value] of typed) {
    y = setText(pdf, label, small, { ...column, y });
    y = setText(pdf, value, { ...strong, features: ['case', 'zero'] }, { ...column, y, height: 30 }) + 5;
  }
  setText(pdf, hint, { ...quiet, size: 8.5 }, { ...column, y, height: 39 });
  return top + height;
}

function drawLetter(pdf: Pdf, letter: Letter, logo: Uint8Array | null): void {
  drawHeader(pdf, { ...letter, logo });
  let y = setText(pdf, letter.title, { ...strong, size: 18, leading: 1.3 }, { ...measure, y: 242, height: 47 }) + 14;
  y = setText(pdf, letter.salutation, body, { ...measure, y, height: 45 }) + 7;
  for (const text of letter.paragraphs) y = setText(pdf, text, body, { ...measure, y, height: 90 }) + 7;
  y = drawEntry(pdf, letter.entry, y + 9) + 18;
  for (const text of letter.closing) y = setText(pdf, text, body, { ...measure, y, height: 45 }) + 7;
  y = setText(pdf, letter.regards, body, { ...measure, y: y + 6 });
  setText(pdf, letter.sender, strong, { ...measure, y, height: 30 });
  drawFooterOf(pdf, letter.footer);
}

/** Renders one page per letter. */
export function renderLetters({ language, title, madeOn, logo, letters, isTest = false }: Letters): Promise<Buffer> {
  const author = letters[0]?.sender ?? brandName;
  const info = { Title: title, Author: author, Creator: brandName, CreationDate: new Date(`${madeOn}T00:00:00Z`) };
  return renderPage({ isTest, lang: language, info }, (pdf) =>
    letters.forEach((letter, index) => {
      if (index > 0) pdf.addPage();
      drawLetter(pdf, letter, logo);
    }),
  );
}
