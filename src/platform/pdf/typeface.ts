import { readFileSync } from 'node:fs';
import type { Font, GlyphPosition } from 'fontkit';
import { lazyPackage } from '../lazy-package.ts';

const fontkit = lazyPackage<typeof import('fontkit')>('fontkit');

/** OpenType features, such as `tnum` for figures of equal width. */
export type Features = PDFKit.Mixins.OpenTypeFeatures[];

interface Glyph {
  id: number;
  advanceWidth: number;
  /** The characters that a reader gets when copying the text. */
  codePoints: number[];
}

/** A word as a sequence of glyphs. */
interface Run {
  glyphs: Glyph[];
  positions: GlyphPosition[];
  advanceWidth: number;
}

/** Limits on cached texts and pairs: our texts are a few hundred, but names vary without limit. */
const maxCachedRuns = 2_000;
const maxCachedPairs = 10_000;

function cached<T>(cache: Map<string, T>, limit: number, key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (cache.size >= limit) cache.clear();
  cache.set(key, made);
  return made;
}

/**
 * Lays out words in thousandths of the font size. Sets characters one by one with the kerning of each pair. Inter has
 * no ligatures, so the result equals that of all its rules. Those rules take 0.6 to 0.9 ms per email address, and pairs
 * repeat where names do not.
 */
function createLayout(font: Font): (text: string, features?: Features) => Run {
  const runs = new Map<string, Run>();
  const pairs = new Map<string, Run>();
  const scale = 1000 / font.unitsPerEm;

  function applyRules(text: string, features: Features): Run {
    const characters = Array.from(text);
    const requested = Object.fromEntries(features.map((feature) => [feature, true]));
    // Contextual replacements would turn `->` into an arrow. Inter stores the kerning of all its alphabets under
    // `latn`.
    const layOut = (rules = {}) => font.layout(text, { calt: false, ...rules, ...requested }, 'latn');
    const composed = layOut();
    // Composition removes the dot of an i below an accent. If it merges characters into one glyph instead, they are
    // separated again.
    const run = composed.glyphs.length === characters.length ? composed : layOut({ ccmp: false });
    return {
      advanceWidth: run.advanceWidth * scale,
      // fontkit caches a glyph with the character that first requested it, so the text of a document would depend on
      // earlier documents. The character is therefore taken from the text.
      glyphs: run.glyphs.map(({ id, advanceWidth }, index) => ({
        id,
        advanceWidth: advanceWidth * scale,
        codePoints: [characters[index]?.codePointAt(0) ?? 0],
      })),
      positions: run.positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
        xAdvance: xAdvance * scale,
        yAdvance: yAdvance * scale,
        xOffset: xOffset * scale,
        yOffset: yOffset * scale,
      })),
    };
  }

  function setCharacters(text: string, features: Features): Run {
    const run: Run = { glyphs: [], positions: [], advanceWidth: 0 };
    const characters = Array.from(text);
    characters.forEach((character, index) => {
      const pair = character + (characters[index + 1] ?? '');
      const { glyphs, positions } = cached(pairs, maxCachedPairs, `${pair} ${features}`, () =>
        applyRules(pair, features),
      );
      const [glyph, position] = [glyphs[0] as Glyph, positions[0] as GlyphPosition];
      run.glyphs.push(glyph);
      run.positions.push({ ...position });
      run.advanceWidth += position.xAdvance;
    });
    return run;
  }

  return (text, features = []) =>
    cached(runs, maxCachedRuns, `${text} ${features}`, () =>
      /\p{Mark}/u.test(text) ? applyRules(text, features) : setCharacters(text, features),
    );
}

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
  const font = fontkit().create(readFileSync(new URL(address)));
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
