/** Letters that Unicode does not decompose, and umlauts in their German transliteration. */
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

/** `Bestätigung` becomes `Bestaetigung`, `Crème` `Creme`, and a run without Latin equivalent one underscore. */
export const toAscii = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\p{ASCII}]/gu, (letter) => letters[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]+/g, '_');
