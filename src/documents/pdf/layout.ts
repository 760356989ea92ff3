/** OpenType features, such as `tnum` for figures of one width. */
export type Features = PDFKit.Mixins.OpenTypeFeatures[];

export interface Glyph {
  id: number;
  advanceWidth: number;
  /** What copying the text gives back. */
  codePoints: number[];
}

interface Position {
  xAdvance: number;
  yAdvance: number;
  xOffset: number;
  yOffset: number;
}

/** A word as glyphs, side by side. */
export interface Run {
  glyphs: Glyph[];
  positions: Position[];
  advanceWidth: number;
}

/** Of a font as fontkit parses it. */
export interface LayoutRules {
  unitsPerEm: number;
  layout(text: string, features: Record<string, boolean>, script: string): Run;
}

/**
 * Texts, words and pairs of letters that are remembered. Those of our letters are a few hundred; names come and go, and
 * must not fill the memory.
 */
const rememberedRuns = 2_000;
const rememberedPairs = 10_000;

function remember<T>(cache: Map<string, T>, limit: number, key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (cache.size >= limit) cache.clear();
  cache.set(key, made);
  return made;
}

/**
 * Lays out words in thousandths of the font size. Letters are set one by one with the kerning of each pair: Inter has no
 * ligatures, so this is what all its rules give, but those take 0.6 to 0.9 ms for an email address, and pairs repeat
 * where names do not.
 */
export function createLayout(font: LayoutRules): (text: string, features?: Features) => Run {
  const runs = new Map<string, Run>();
  const pairs = new Map<string, Run>();
  const scale = 1000 / font.unitsPerEm;

  function applyRules(text: string, features: Features): Run {
    const letters = Array.from(text);
    const wanted = Object.fromEntries(features.map((feature) => [feature, true]));
    // Contextual replacements would make an arrow of `->`. Inter keeps the kerning of all its alphabets under `latn`.
    const layOut = (rules = {}) => font.layout(text, { calt: false, ...rules, ...wanted }, 'latn');
    const composed = layOut();
    // An i loses its dot below an accent. Where letters melt into one glyph instead, they are set apart again.
    const run = composed.glyphs.length === letters.length ? composed : layOut({ ccmp: false });
    return {
      advanceWidth: run.advanceWidth * scale,
      // fontkit keeps a glyph with the letter that first asked for it, and what a document says would depend on those
      // before it. So the letter is told from the text.
      glyphs: run.glyphs.map(({ id, advanceWidth }, index) => ({
        id,
        advanceWidth: advanceWidth * scale,
        codePoints: [letters[index]?.codePointAt(0) ?? 0],
      })),
      positions: run.positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
        xAdvance: xAdvance * scale,
        yAdvance: yAdvance * scale,
        xOffset: xOffset * scale,
        yOffset: yOffset * scale,
      })),
    };
  }

  function setLetters(text: string, features: Features): Run {
    const run: Run = { glyphs: [], positions: [], advanceWidth: 0 };
    const letters = Array.from(text);
    letters.forEach((letter, index) => {
      const pair = letter + (letters[index + 1] ?? '');
      const { glyphs, positions } = remember(pairs, rememberedPairs, `${pair} ${features}`, () =>
        applyRules(pair, features),
      );
      const [glyph, position] = [glyphs[0] as Glyph, positions[0] as Position];
      run.glyphs.push(glyph);
      run.positions.push({ ...position });
      run.advanceWidth += position.xAdvance;
    });
    return run;
  }

  return (text, features = []) =>
    remember(runs, rememberedRuns, `${text} ${features}`, () =>
      /\p{Mark}/u.test(text) ? applyRules(text, features) : setLetters(text, features),
    );
}
