import type { Language } from '../../domain/enums.ts';

interface Company {
  locale: string;
}

/** Returns the language of mails to people of a company who have not chosen one. */
export const mailLanguageOf = ({ locale }: Company): Language => (/^de\b/i.test(locale) ? 'de' : 'en');

/** Returns the language of mails to a user: the one they have chosen in the portal, or else that of their company. */
export const mailLanguageTo = ({ language }: { language: string | null }, company: Company): Language =>
  (language as Language | null) ?? mailLanguageOf(company);
