import { openTypefaces } from './typeface.ts';

/** Replaces each character that the font lacks, so that readers see that something is missing, and how much. */
const missing = '□';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** Excludes non-breaking spaces, which amounts have before the currency. */
const spaces = /[^\S\u00a0\u202f\ufeff]+/gu;
const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const common = /^[\x20-\x7e\xa1-\xac\xae-\xff€–]*$/;

function printableGrapheme(grapheme: string): string {
  const { regular } = openTypefaces();
  const [base, ...marks] = Array.from(grapheme.replace(invisible, ''));
  if (base === undefined) return '';
  // Beyond the basic plane this font has only framed characters, which occur in no name. Without them, lines may break
  // at any code unit.
  if (base.length > 1 || !regular.hasCharacter(base)) return missing;
  return base + marks.filter((mark) => mark.length === 1 && regular.hasCharacter(mark)).join('');
}

/** Returns a text on one line, with composed characters and a visible sign for each that the font lacks. */
export function printable(text: string): string {
  const tidy = text.toWellFormed().normalize('NFC').replace(spaces, ' ').trim();
  if (common.test(tidy)) return tidy;
  return Array.from(graphemes.segment(tidy), ({ segment }) => printableGrapheme(segment)).join('');
}

/** Returns the first character that would not be printed as it is, or undefined. Expects text on one line. */
export function findUnprintable(text: string): string | undefined {
  const tidy = text.normalize('NFC');
  if (common.test(tidy)) return undefined;
  for (const { segment } of graphemes.segment(tidy)) if (printableGrapheme(segment) !== segment) return segment;
  return undefined;
}
