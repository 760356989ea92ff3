import type { EmployeeMailKind, Language } from '../../domain/enums.ts';
import { moneyFormat } from '../../domain/money.ts';
import { renderMail } from '../notices/compose.ts';
import type { MailText } from '../notices/texts.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import type { EmployeeMailFormats, EmployeeMailTexts, EmployeeMailValues } from './texts.ts';

const texts: Record<Language, EmployeeMailTexts> = { de: german, en: english };

/** What a mail says about its company and its employee. Read when it is sent. */
export interface MailParties {
  name: string;
  company: string;
  locale: string;
  currency: string;
  timeZone: string;
  /** Where answers go. Null: nobody reads them. */
  replyTo: string | null;
}

function createFormats(language: Language, { locale, currency, timeZone }: MailParties): EmployeeMailFormats {
  const plain = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return (text: string) => format.format(new Date(`${text.length === 7 ? `${text}-01` : text}T12:00:00Z`));
  };
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone });
  // The company's country decides how it writes money, the reader's language how it reads.
  const region = locale.split('-').at(-1) ?? 'DE';
  return {
    day: plain({ dateStyle: 'long' }),
    month: plain({ month: 'long', year: 'numeric' }),
    monthName: plain({ month: 'long' }),
    time: (text) => times.format(new Date(text)),
    money: moneyFormat(/^[A-Z]{2}$/.test(region) ? `${language}-${region}` : language, currency),
  };
}

export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
  url: string | null;
}

interface Composition<K extends EmployeeMailKind> {
  kind: K;
  language: Language;
  values: EmployeeMailValues[K];
  parties: MailParties;
  pageUrl: string;
  /** The link that ends mails of this kind. Undefined: the employee needs them. */
  unsubscribeUrl: string | undefined;
}

/** Returns both forms of a mail to an employee. */
export function composeEmployeeMail<K extends EmployeeMailKind>({
  kind,
  language,
  values,
  parties,
  pageUrl,
  unsubscribeUrl,
}: Composition<K>): ComposedMail {
  const all = texts[language];
  const { company, name, replyTo } = parties;
  const write = all.kinds[kind];
  const { subject, paragraphs, action, notes }: MailText = write(
    values,
    { company, pageUrl },
    createFormats(language, parties),
  );
  const what = all.unsubscribe.what[kind === 'ticket' ? 'ticket' : 'invitation'];
  const text: MailText = {
    subject,
    paragraphs: [all.greeting(name), ...paragraphs],
    ...(action ? { action } : {}),
    notes: [
      ...notes,
      ...(replyTo === null ? [] : [all.answers(company)]),
      ...(unsubscribeUrl === undefined ? [] : [`${what} ${all.unsubscribe.label}: ${unsubscribeUrl}`]),
    ],
  };
  return renderMail(text, language);
}
