import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { createLayout, type Features, type LayoutRules } from './layout.ts';
import { createSubsetter } from './subset.ts';

/** The parts of a font as parsed by fontkit that are used here. pdfkit uses more of it. */
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
  /** The font in the form that pdfkit expects. */
  source: PDFKit.Mixins.PDFFontSource;
  hasLetter(letter: string): boolean;
  /** Returns the advance width of each character, relative to the font size. */
  advancesOf(text: string, features: Features): number[];
}

/**
 * Parses a font. This takes 50 ms, so it happens once. pdfkit accepts parsed fonts but does not expose any: this reads
 * one of its private fields, because the parser is a dependency of pdfkit and not ours.
 */
function parseFont(file: Buffer): Font {
  const holder = new PDFDocument({ font: '', autoFirstPage: false }).font(file);
  return (holder as unknown as { _font: { font: Font } })._font.font;
}

/**
 * Returns the font as pdfkit sees it: with our layout and subsets, measured in thousandths, the unit of PDF files.
 * pdfkit converts the positions of a word into thousandths in place. They already have this unit, so documents can
 * share them.
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
