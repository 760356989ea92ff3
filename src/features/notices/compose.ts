import type { Language } from '../../domain/enums.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import type { At, MailTemplate, MailText, MailTexts, MailValues } from './texts.ts';

const texts: Record<Language, MailTexts> = { de: german, en: english };

/** Returns the text of a mail. */
export function composeMail<T extends MailTemplate>(template: T, language: Language, values: MailValues[T]): MailText {
  const format = (options: Intl.DateTimeFormatOptions) => {
    return ({ at, timeZone }: At) => new Intl.DateTimeFormat(language, { ...options, timeZone }).format(new Date(at));
  };
  return texts[language][template](values, {
    time: format({ dateStyle: 'long', timeStyle: 'short' }),
    day: format({ dateStyle: 'long' }),
    month: format({ month: 'long', year: 'numeric' }),
  });
}
