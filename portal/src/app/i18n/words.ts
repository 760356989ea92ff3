import { type Language, useLanguage } from './language.tsx';
import type { Text } from './texts.ts';
import { texts } from './word-texts.ts';

export type Words = { [Group in keyof typeof texts]: Record<keyof (typeof texts)[Group], string> };

const pick = (language: Language) => {
  const groups = Object.entries(texts).map(([group, words]) => [
    group,
    Object.fromEntries(Object.entries<Text>(words).map(([word, text]) => [word, text[language]])),
  ]);
  return Object.fromEntries(groups) as Words;
};

const words = { de: pick('de'), en: pick('en') };

/** Returns the words of the API in the user's language: `useWords().subscriptionStatus.active`. */
export const useWords = (): Words => words[useLanguage().language];
