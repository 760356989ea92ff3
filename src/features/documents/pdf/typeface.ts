import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';
import { createLayout, type Features } from './layout.ts';

/** A font that all documents share. */
export interface Typeface {
  /** The font in the form that pdfkit expects. */
  source: PDFKit.Mixins.PDFFontSource;
  hasCharacter(character: string): boolean;
  /** Returns the advance width of each character, relative to the font size. */
  advancesOf(text: string, features: Features): number[];
}

/**
 * Returns the font as pdfkit sees it: with our layout and measured in thousandths, the unit of PDF files. pdfkit
 * converts the positions of a word into thousandths in place. They already have this unit, so documents can share them.
 * Each document gets its own subset, which reads the outlines in the unit of the font.
 */
function sourceOf(font: Font, layout: ReturnType<typeof createLayout>): PDFKit.Mixins.PDFFontSource {
  const scale = 1000 / font.unitsPerEm;
  const { minX, minY, maxX, maxY } = font.bbox;
  const own = {
    layout,
    createSubset: () => font.createSubset(),
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

/** Parses a font. This takes 50 ms, so it happens once per thread. */
function openTypeface(address: string): Typeface {
  const font = create(readFileSync(new URL(address)));
  const layout = createLayout(font);
  return {
    source: sourceOf(font, layout),
    hasCharacter: (character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
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
