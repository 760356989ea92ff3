/**
 * Search without regard to case, accents and German transliteration: `muller`, `mueller` and `Müller` find each other.
 * Stored text and search words pass through the same functions, so the database compares plain characters.
 */

/** Letters that Unicode does not decompose into a base letter and a mark. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ς: 'σ',
};

const stripAccents = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłıħς]/g, (letter) => letters[letter] ?? letter);

/** `Müller` as German writes it without umlauts: `Mueller`. */
const transliterate = (text: string) => text.normalize('NFC').replace(/[äöüÄÖÜ]/g, (letter) => `${letter}e`);

/** `ae`, `oe`, `ue` and the letters they stand for become one. */
const collapseUmlauts = (text: string) => text.replace(/([aou])e/g, '$1');

/**
 * What is stored: each field without accents, transliterated and collapsed, one form per line where they differ. A
 * search word holds no line break, so no match spans two fields.
 */
export function searchText(...fields: string[]): string {
  const forms = fields.flatMap((field) => {
    const transliterated = stripAccents(transliterate(field));
    return [...new Set([stripAccents(field), transliterated, collapseUmlauts(transliterated)])];
  });
  return forms.map((form) => form.replace(/\s+/g, ' ')).join('\n');
}

/** A word matches a stored text that contains any of its forms. */
export function searchWords(search: string): string[][] {
  const words = stripAccents(search).split(/\s+/).filter(Boolean);
  return [...new Set(words)].map((word) => [...new Set([word, collapseUmlauts(word)])]);
}

/** Email addresses are compared without case. */
export const emailKey = (email: string) => email.trim().toLowerCase();
