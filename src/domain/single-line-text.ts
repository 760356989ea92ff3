/**
 * Checks text that is shown on one line: names of employees, users, companies, keys, integrations and documents, and
 * ids from outside. It must not break the line, reorder the text around it, or look empty.
 */

interface Refused {
  characters: RegExp;
  describe(place: string): string;
}

const refused: Refused[] = [
  {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match them.
    characters: /[\0-\x1f\x7f-\x9f\u2028\u2029]/,
    describe: (place) => `must not contain control characters or line breaks: remove ${place}`,
  },
  {
    characters: /[\u202a-\u202e\u2066-\u2069]/,
    describe: (place) => `must not contain characters that change the text direction: remove ${place}`,
  },
  {
    characters: /\ufffd/,
    describe: (place) =>
      `must not contain the replacement character ${place}: text in Windows-1252 (cp1252) or Latin-1 was read as UTF-8. Export it again in UTF-8`,
  },
];

/**
 * Matches all of the above and surrogates in one pass, because a roster contains a million texts and almost none has
 * any.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match them.
const suspicious = /[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffd\ud800-\udfff]/;

/** U+2800 is the Braille pattern without dots. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const formatPlace = (text: string, at: number) =>
  `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')} at character ${[...text.slice(0, at)].length + 1}`;

/**
 * Returns what is wrong with the text as a phrase that follows its name (`must not …`), or undefined if it is valid.
 */
export function findTextProblem(text: string): { code: 'empty' | 'invalid-character'; detail: string } | undefined {
  if (suspicious.test(text)) {
    if (!text.isWellFormed()) {
      return { code: 'invalid-character', detail: 'must not contain an unpaired surrogate' };
    }
    for (const { characters, describe } of refused) {
      const at = text.search(characters);
      if (at >= 0) return { code: 'invalid-character', detail: describe(formatPlace(text, at)) };
    }
  }
  if (text.trim() === '') return { code: 'empty', detail: 'must not be empty' };
  return visible.test(text) ? undefined : { code: 'empty', detail: 'must contain at least one visible character' };
}
