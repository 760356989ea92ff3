/** The parts of fontkit that are used here. It has no types of its own. */
declare module 'fontkit' {
  export interface Glyph {
    id: number;
    advanceWidth: number;
  }

  export interface GlyphPosition {
    xAdvance: number;
    yAdvance: number;
    xOffset: number;
    yOffset: number;
  }

  export interface Font {
    unitsPerEm: number;
    bbox: Record<'minX' | 'minY' | 'maxX' | 'maxY', number>;
    ascent: number;
    descent: number;
    xHeight: number;
    capHeight: number;
    lineGap: number;
    layout(
      text: string,
      features: Record<string, boolean>,
      script: string,
    ): { glyphs: Glyph[]; positions: GlyphPosition[]; advanceWidth: number };
    hasGlyphForCodePoint(codePoint: number): boolean;
    getGlyph(id: number): Glyph;
    createSubset(): unknown;
  }

  export function create(file: Buffer): Font;
}
