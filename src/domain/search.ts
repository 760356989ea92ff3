/** Search without case, accents and transliteration. Stored text and words pass through the same functions. */

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

/** Returns umlauts in German transliteration: `Müller` becomes `Mueller`. */
const transliterate = (text: string) => text.normalize('NFC').replace(/[äöüÄÖÜ]/g, (letter) => `${letter}e`);

/** Turns `ae`, `oe` and `ue` into their base letters, so that both spellings of an umlaut become one. */
const collapseUmlauts = (text: string) => text.replace(/([aou])e/g, '$1');

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** Returns the forms of a field, one or several. ASCII, as most names and addresses are, has nothing to fold but case. */
function formsOf(field: string): string[] {
  if (isAscii(field)) {
    const plain = field.toLowerCase();
    const collapsed = collapseUmlauts(plain);
    return collapsed === plain ? [plain] : [plain, collapsed];
  }
  const transliterated = stripAccents(transliterate(field));
  return [...new Set([stripAccents(field), transliterated, collapseUmlauts(transliterated)])];
}

/** Returns the text to store: the forms of each field, one per line, so that no match spans two fields. */
export function searchText(...fields: string[]): string {
  const forms = fields.flatMap(formsOf);
  return forms.map((form) => form.replace(/\s+/g, ' ')).join('\n');
}

/** Returns the forms of each search word. A word matches a stored text that contains any of its forms. */
export function searchWords(search: string): string[][] {
  const words = stripAccents(search).split(/\s+/).filter(Boolean);
  return [...new Set(words)].map((word) => [...new Set([word, collapseUmlauts(word)])]);
}

/** Lower-case letters that Unicode folds to another: `ς` and `σ` are one letter, both `Σ` in upper case. */
const otherForms = 'µſ\u0345ςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈẛ';
const foldedForms = 'μsισβθφπκρεвдосттъѣꙋṡ';
const folds = new Map(Array.from(otherForms, (form, index) => [form, foldedForms[index] ?? form]));
const foldable = new RegExp(`[${otherForms}]`, 'gu');

/** Folds case by Unicode's simple folding, which joins no letters that differ in more (`ß` is not `ss`). */
const foldCase = (text: string) => text.toLowerCase().replace(foldable, (form) => folds.get(form) ?? form);

/** Returns the key to compare email addresses by: without case and Unicode form. A change requires a migration. */
export function emailKey(email: string): string {
  const address = email.trim();
  if (isAscii(address)) return address.toLowerCase();
  // Folding may join letters that compose, such as `J` with a caron: only its lower case is one character.
  return foldCase(address.normalize('NFC')).normalize('NFC');
}
