import { useLanguage } from './language.tsx';
import { de } from './words.de.ts';
import { en, type Words } from './words.en.ts';

/** Returns the words of the API in the user's language: `useWords().subscriptionStatus.active`. */
export const useWords = (): Words => (useLanguage().language === 'de' ? de : en);
