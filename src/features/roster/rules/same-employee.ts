import { searchWords } from '../../../domain/search.ts';

/** Decides whether an HR id still stands for the same employee (decision 19). */

export interface Identity {
  firstName: string;
  lastName: string;
  emailKey: string;
  dateOfBirth: string | null;
}

/** Returns the words of the name, folded. A set, because order and hyphens differ between systems. */
const nameWords = ({ firstName, lastName }: Identity): Set<string> => {
  const words = `${firstName} ${lastName}`.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  return new Set(searchWords(words).flatMap((forms) => forms.at(-1) ?? []));
};

/** Returns whether all words of one name are in the other, as with a second first name. */
function haveOneName(one: Identity, other: Identity): boolean {
  const [words, otherWords] = [nameWords(one), nameWords(other)];
  return words.isSubsetOf(otherWords) || otherWords.isSubsetOf(words);
}

const areBirthsKnown = (one: Identity, other: Identity) => one.dateOfBirth !== null && other.dateOfBirth !== null;

/**
 * Returns whether an entry with a known HR id is about another employee. Name, address and date of birth must all
 * differ. If a date of birth is not known, an employee who is still in the roster always counts as the same, because
 * wrongly offboarding them is worse. An employee who has already left then counts as another one if the names have no
 * word in common, because showing their documents to another employee is worse.
 */
export function isOtherEmployee(known: Identity & { isGone: boolean }, entry: Identity): boolean {
  if (known.emailKey === entry.emailKey || haveOneName(known, entry)) return false;
  if (areBirthsKnown(known, entry)) return known.dateOfBirth !== entry.dateOfBirth;
  return known.isGone && nameWords(known).isDisjointFrom(nameWords(entry));
}

/** Returns whether another employee now has the address of a removed one: name and date of birth differ. */
export const isNextHolder = (removed: Identity, entry: Identity): boolean =>
  !haveOneName(removed, entry) && areBirthsKnown(removed, entry) && removed.dateOfBirth !== entry.dateOfBirth;
