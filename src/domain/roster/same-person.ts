import { searchWords } from '../search.ts';

/** Whether an HR id stands for the same human being as before (docs/decisions/0019-identity-and-decisions.md). */

export interface Identity {
  firstName: string;
  lastName: string;
  emailKey: string;
  /** Null: not known. */
  dateOfBirth: string | null;
}

/** Words of the whole name, without case, accents and transliteration: their order and the hyphens between them differ. */
const nameWords = ({ firstName, lastName }: Identity): Set<string> => {
  const words = `${firstName} ${lastName}`.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  return new Set(searchWords(words).flatMap((forms) => forms.at(-1) ?? []));
};

/** A name is the same if all words of one are in the other, as with a second first name. */
function haveOneName(one: Identity, other: Identity): boolean {
  const [words, otherWords] = [nameWords(one), nameWords(other)];
  return words.isSubsetOf(otherWords) || otherWords.isSubsetOf(words);
}

const areBirthsKnown = (one: Identity, other: Identity) => one.dateOfBirth !== null && other.dateOfBirth !== null;

/**
 * Returns whether an entry with a known HR id is about somebody else. Name, address and date of birth must all be others.
 * While one of the dates of birth is not known, nobody is told apart who is still in the roster, since wrongly offboarding
 * them is worse; whoever has left already is told apart if not even one word of the name is the same, since showing their
 * documents to somebody else is worse.
 */
export function isOtherPerson(known: Identity & { isGone: boolean }, entry: Identity): boolean {
  if (known.emailKey === entry.emailKey || haveOneName(known, entry)) return false;
  if (areBirthsKnown(known, entry)) return known.dateOfBirth !== entry.dateOfBirth;
  return known.isGone && nameWords(known).isDisjointFrom(nameWords(entry));
}

/** Returns whether somebody with another HR id has got the address of a removed employee: name and date of birth are others. */
export const isNextHolder = (removed: Identity, entry: Identity): boolean =>
  !haveOneName(removed, entry) && areBirthsKnown(removed, entry) && removed.dateOfBirth !== entry.dateOfBirth;
