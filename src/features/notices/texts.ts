import type { Language } from '../../domain/enums.ts';

/** When something happened or ends, as text in ISO 8601, and the time zone in which the mail states it. */
export interface At {
  at: string;
  timeZone: string;
}

/** What each template needs. Stored until the mail is sent, so only text and numbers. */
export interface MailValues {
  test: { url: string };
  invitation: { company: string; inviter: string; url: string; expires: At };
  verification: { company: string; url: string; expires: At };
  'password-reset': { company: string; url: string; expires: At };
  'new-sign-in': { company: string; time: At; network: string; device: string; url: string };
  'password-changed': { company: string; time: At; url: string };
  'second-factor-changed': { company: string; change: SecondFactorChange; time: At; url: string };
  'signing-link': { company: string; name: string; url: string; expires: At };
  'signing-reminder': { company: string; name: string; url: string; expires: At };
  'removals-waiting': { company: string; integration: string; removals: number; url: string };
  'sync-failed': { company: string; integration: string; url: string };
  'roster-overdue': { company: string; integration: string; since: At; url: string };
  'key-expiring': { company: string; key: string; expires: At; url: string };
  'webhook-disabled': { company: string; host: string; url: string };
  'ticket-differences': { company: string; month: At; count: number; url: string };
  'month-billed': { company: string; month: At; url: string };
  'price-changes': { company: string; month: At; cutOff: At; price: string; url: string };
}

export type MailTemplate = keyof MailValues;

type SecondFactorChange =
  | 'app-added'
  | 'app-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'codes-renewed'
  | 'reset-by-admin'
  | 'reset-by-operator';

/** The text of a mail, from which its plain text and its HTML are made. */
export interface MailText {
  subject: string;
  paragraphs: string[];
  /** The button, and in plain text the link. */
  action?: { label: string; url: string };
  /** What follows the button, in small print. */
  notes: string[];
}

/** How the values of a template become text in one language. */
export type MailTexts = {
  [T in MailTemplate]: (
    values: MailValues[T],
    format: Record<'time' | 'day' | 'month', (at: At) => string>,
  ) => MailText;
};

interface Company {
  locale: string;
}

/** Returns the language of mails to people of a company who have not chosen one. */
export const mailLanguageOf = ({ locale }: Company): Language => (/^de\b/i.test(locale) ? 'de' : 'en');

/** Returns the language of mails to a user: the one they have chosen in the portal, or else that of their company. */
export const mailLanguageTo = ({ language }: { language: string | null }, company: Company): Language =>
  (language as Language | null) ?? mailLanguageOf(company);
