/** Why an attacker would try the password early. */
export type PasswordWeakness = 'common' | 'contains-address';

/** A shorter local part occurs in other words by chance. */
const minLocalPart = 4;
/** "abcdabcdabcd" is as weak as "abcd". */
const maxRepeatedUnit = 4;

const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const isLetter = (character: string) => /\p{L}/u.test(character);

/** Returns the text without the digits and punctuation around it. */
function trimToLetters(text: readonly string[]): string[] {
  const first = text.findIndex(isLetter);
  return first < 0 ? [] : text.slice(first, text.findLastIndex(isLetter) + 1);
}

/** Returns whether the text repeats a short unit. The last repetition may be incomplete. */
const isRepeated = (text: readonly string[]) =>
  [...Array(maxRepeatedUnit).keys()].some((less) => text.every((one, at) => at <= less || one === text[at - less - 1]));

/** Returns whether nearly every character equals or neighbours the one before it, as in "aaaa1111" and "23456789". */
function isSequence(text: readonly string[]): boolean {
  const codes = text.map((character) => character.codePointAt(0) ?? 0);
  const isNext = (code: number, before: number) =>
    Math.abs(code - before) <= 1 || (code === 48 && before === 57) || (code === 57 && before === 48);
  const steps = codes.slice(1).filter((code, at) => isNext(code, codes[at] ?? 0));
  return steps.length >= 0.8 * (codes.length - 1);
}

/** Returns whether the text is one word of the list, or two of them in a row. */
function isListed(text: string, common: ReadonlySet<string>): boolean {
  if (common.has(text)) return true;
  for (let at = 1; at < text.length; at += 1) {
    if (common.has(text.slice(0, at)) && common.has(text.slice(at))) return true;
  }
  return false;
}

/** Returns every spelling under which the list may contain the password. */
function spellingsOf(password: string): string[] {
  const characters = [...password.normalize('NFKC').toLowerCase()].filter((character) => /\S/u.test(character));
  const letters = trimToLetters(characters);
  const read = (text: readonly string[]) => text.map((character) => lookalikes[character] ?? character);
  const onlyLetters = (text: readonly string[]) => text.filter(isLetter);
  return [characters, letters, read(letters), read(characters), onlyLetters(letters), onlyLetters(read(letters))].map(
    (text) => text.join(''),
  );
}

function isCommon(password: string, common: ReadonlySet<string>): boolean {
  const characters = [...password.normalize('NFKC').toLowerCase()];
  if (isRepeated(characters) || isSequence(characters)) return true;
  return spellingsOf(password).some((spelling) => spelling !== '' && isListed(spelling, common));
}

function containsAddress(password: string, address: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const whole = address.toLowerCase();
  const local = whole.slice(0, whole.indexOf('@'));
  return text.includes(whole) || ([...local].length >= minLocalPart && text.includes(local));
}

/**
 * Returns why the password must not be used for the account with this address, or undefined. `common` contains
 * well-known passwords in lower case.
 */
export function findPasswordWeakness(
  password: string,
  address: string,
  common: ReadonlySet<string>,
): PasswordWeakness | undefined {
  if (containsAddress(password, address)) return 'contains-address';
  return isCommon(password, common) ? 'common' : undefined;
}
