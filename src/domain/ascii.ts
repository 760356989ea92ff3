/**
 * Letters that Unicode does not decompose into a base letter and a mark, and umlauts in their German transliteration.
 */
const letters: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'oe',
  Ø: 'Oe',
  å: 'aa',
  Å: 'Aa',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  '–': '-',
  '—': '-',
  '’': "'",
};

/**
 * Returns the text in ASCII: `Bestätigung` becomes `Bestaetigung`, `Crème` becomes `Creme`. Each run of characters
 * without a Latin equivalent becomes one underscore.
 */
export const toAscii = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\p{ASCII}]/gu, (letter) => letters[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]+/g, '_');
