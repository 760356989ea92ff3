import { createContext, type ReactNode, use, useState } from 'react';

export const languages = { de: 'Deutsch', en: 'English' } as const;
export type Language = keyof typeof languages;

const storageKey = 'portal-language';

const LanguageContext = createContext<{ language: Language; setLanguage(language: Language): void }>({
  language: 'en',
  setLanguage: () => {},
});

/**
 * Provides the language. The script before the first paint has already chosen it: the user's choice, otherwise the
 * browser's language.
 */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setState] = useState<Language>(document.documentElement.lang === 'de' ? 'de' : 'en');
  const setLanguage = (next: Language) => {
    document.documentElement.lang = next;
    localStorage.setItem(storageKey, next);
    setState(next);
  };
  return <LanguageContext value={{ language, setLanguage }}>{children}</LanguageContext>;
}

export const useLanguage = () => use(LanguageContext);

/** Returns the locale for figures and dates: that of the company if it is in the reader's language. */
export function readerLocale(language: Language, ofCompany = ''): string {
  if (ofCompany.split('-')[0] === language) return ofCompany;
  return language === 'de' ? 'de-DE' : 'en-GB';
}
