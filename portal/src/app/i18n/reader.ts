import { useFormats } from './formats.ts';
import { texts as shared } from './shared-texts.ts';
import { type Texts, useTexts } from './texts.ts';
import { useWords } from './words.ts';

type WithShared<T> = T & Omit<typeof shared, keyof T>;

const known = new WeakMap<Texts, Texts>();

/** Returns the texts of a page together with those that all pages share, always as the same object. */
function withShared<T extends Texts>(texts: T): WithShared<T> {
  const all = known.get(texts) ?? { ...shared, ...texts };
  known.set(texts, all);
  return all as WithShared<T>;
}

/** Returns all that a page needs to write for its reader: `t` for its texts, the words of the API, and formats. */
export function useReader<T extends Texts = typeof shared>(texts?: T) {
  return {
    t: useTexts(withShared(texts ?? (shared as unknown as T))),
    words: useWords(),
    formats: useFormats(),
  };
}
