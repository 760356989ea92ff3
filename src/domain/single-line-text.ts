import { createMessage, type Message } from './messages/message.ts';

/** Checks text shown on one line: it must not break the line, reorder the text around it, or look empty. */

interface Refused {
  characters: RegExp;
  key: 'value-control-character' | 'value-direction-character' | 'value-replacement-character';
}

const refused: Refused[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match them.
  { characters: /[\0-\x1f\x7f-\x9f\u2028\u2029]/, key: 'value-control-character' },
  { characters: /[\u202a-\u202e\u2066-\u2069]/, key: 'value-direction-character' },
  { characters: /\ufffd/, key: 'value-replacement-character' },
];

/** Matches all of these and surrogates in one pass: of a million texts of a roster, almost none has any. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match them.
const suspicious = /[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffd\ud800-\udfff]/;

/** U+2800 is the Braille pattern without dots. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const findPlace = (text: string, at: number) => ({
  character: `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`,
  position: [...text.slice(0, at)].length + 1,
});

interface TextProblem {
  code: 'empty' | 'invalid-character';
  message: Message;
}

export function findTextProblem(text: string): TextProblem | undefined {
  if (suspicious.test(text)) {
    if (!text.isWellFormed()) {
      return { code: 'invalid-character', message: createMessage('value-unpaired-surrogate') };
    }
    for (const { characters, key } of refused) {
      const at = text.search(characters);
      if (at >= 0) return { code: 'invalid-character', message: createMessage(key, findPlace(text, at)) };
    }
  }
  if (text.trim() === '') return { code: 'empty', message: createMessage('value-empty') };
  return visible.test(text) ? undefined : { code: 'empty', message: createMessage('value-invisible') };
}

/** Counts characters as PostgreSQL does: an emoji is one. */
export const isLongerThan = (text: string, characters: number) =>
  text.length > characters && (text.length > 2 * characters || [...text].length > characters);
