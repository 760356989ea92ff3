import { useLanguage } from './language.tsx';
import { de } from './words.de.ts';
import { en, type Words } from './words.en.ts';

/** `useWords().subscriptionStatus.active`: the words of the API in the reader's language. */
export const useWords = (): Words => (useLanguage().language === 'de' ? de : en);
