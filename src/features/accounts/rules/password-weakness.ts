import { ZxcvbnFactory, type ZxcvbnResult } from '@zxcvbn-ts/core';

/** Why an attacker would try the password early. */
export type PasswordWeakness = 'common' | 'contains-address';

/** A shorter local part occurs in other words by chance. */
const minLocalPart = 4;
/** What an attacker tries within hours, even at the cost of our hashes. */
const minGuesses = 1e9;
/** The time of the check grows faster than the length. 32 characters take some milliseconds. */
const checkedLength = 32;

function containsAddress(password: string, address: string): boolean {
  const text = password.toLowerCase();
  const whole = address.toLowerCase();
  const local = whole.slice(0, whole.indexOf('@'));
  return text.includes(whole) || ([...local].length >= minLocalPart && text.includes(local));
}

/**
 * Returns a function that says why a password must not be used for the account with an address, or undefined. `common`
 * contains well-known passwords in lower case. The library knows how they are varied: digits around them, letters
 * written as digits, repetitions, sequences and keyboard rows.
 */
export function createPasswordCheck(common: string[]) {
  const estimator = new ZxcvbnFactory({ dictionary: { common }, maxLength: checkedLength });
  const isGuessed = ({ guesses }: ZxcvbnResult) => guesses < minGuesses;
  const isListed = ({ sequence }: ZxcvbnResult) =>
    sequence.length <= 2 && sequence.every(({ pattern }) => pattern === 'dictionary' || pattern === 'repeat');
  return (text: string, address: string): PasswordWeakness | undefined => {
    const password = text.normalize('NFKC');
    if (containsAddress(password, address)) return 'contains-address';
    const letters = password.replaceAll(/\P{L}/gu, '');
    // A long password is weak only if both of its ends are.
    const ends = [password.slice(0, checkedLength), password.slice(-checkedLength)];
    if (ends.every((end) => isGuessed(estimator.check(end)))) return 'common';
    // As in "p a s s w o r d 1 2" and "d1r2a3g4o5n6".
    return letters !== '' && letters.length <= checkedLength && isListed(estimator.check(letters))
      ? 'common'
      : undefined;
  };
}
