import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { createLayout, type Features, type LayoutRules } from './layout.ts';
import { createSubsetter } from './subset.ts';

/** What is used here of a font as fontkit parses it; pdfkit reads more of it. */
interface Font extends LayoutRules {
  hasGlyphForCodePoint(codePoint: number): boolean;
  getGlyph(id: number): { advanceWidth: number };
  bbox: Record<'minX' | 'minY' | 'maxX' | 'maxY', number>;
  ascent: number;
  descent: number;
  xHeight: number;
  capHeight: number;
  lineGap: number;
}

/** A font that all documents share. */
export interface Typeface {
  /** For pdfkit. */
  source: PDFKit.Mixins.PDFFontSource;
  hasLetter(letter: string): boolean;
  /** How far each letter moves on, as a part of the font size. */
  advancesOf(text: string, features: Features): number[];
}

/**
 * Parsing a font takes 50 ms, so it happens once. pdfkit takes parsed fonts but hands none out: this reads a private field
 * of it, because the parser is a dependency of pdfkit and not ours.
 */
function parseFont(file: Buffer): Font {
  const holder = new PDFDocument({ font: '', autoFirstPage: false }).font(file);
  return (holder as unknown as { _font: { font: Font } })._font.font;
}

/**
 * The font as pdfkit sees it: with our layout and subsets, and measured in thousandths, as PDF files are. pdfkit turns the
 * positions of a word into thousandths in place; as they are that already, documents can share them.
 */
function sourceOf(font: Font, file: Buffer, layout: ReturnType<typeof createLayout>): PDFKit.Mixins.PDFFontSource {
  const scale = 1000 / font.unitsPerEm;
  const { minX, minY, maxX, maxY } = font.bbox;
  const own = {
    layout,
    createSubset: createSubsetter(file),
    getGlyph: (id: number) => ({ advanceWidth: font.getGlyph(id).advanceWidth * scale }),
    unitsPerEm: 1000,
    bbox: { minX: minX * scale, minY: minY * scale, maxX: maxX * scale, maxY: maxY * scale },
    ascent: font.ascent * scale,
    descent: font.descent * scale,
    xHeight: font.xHeight * scale,
    capHeight: font.capHeight * scale,
    lineGap: font.lineGap * scale,
  };
  return Object.create(font, Object.getOwnPropertyDescriptors(own));
}

function openTypeface(address: string): Typeface {
  const file = readFileSync(new URL(address));
  const font = parseFont(file);
  const layout = createLayout(font);
  return {
    source: sourceOf(font, file, layout),
    hasLetter: (letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0),
    advancesOf: (text, features) => layout(text, features).positions.map(({ xAdvance }) => xAdvance / 1000),
  };
}

let opened: Record<'regular' | 'semibold', Typeface> | undefined;

export function openTypefaces() {
  opened ??= {
    regular: openTypeface(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
    semibold: openTypeface(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
  };
  return opened;
}
