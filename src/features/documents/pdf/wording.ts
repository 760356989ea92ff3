import { english } from './english.ts';
import { german, type Texts } from './german.ts';

/** The wording for a company: the texts, and dates in the language of the texts, formatted for the company's region. */
export interface Wording {
  texts: Texts;
  day(date: string): string;
  month(date: string): string;
  /** Formats a range of days, both included. */
  days(from: string, until: string): string;
}

const wordings = new Map<string, Wording>();

/** Returns German texts for companies whose language is German, and English texts for all others. */
const textsFor = (locale: string): Texts => (new Intl.Locale(locale).language === 'de' ? german : english);

const dayOf = (date: string) => Temporal.PlainDate.from(date);

function createWording(locale: string): Wording {
  const texts = textsFor(locale);
  const { region } = new Intl.Locale(locale);
  // A French company gets English documents, and an English sentence must not contain a French month.
  const place = region === undefined ? texts.language : `${texts.language}-${region}`;
  const days = new Intl.DateTimeFormat(place, { dateStyle: 'long', calendar: 'gregory' });
  const months = new Intl.DateTimeFormat(place, { month: 'long', year: 'numeric', calendar: 'gregory' });
  return {
    texts,
    day: (date) => days.format(dayOf(date)),
    month: (date) => months.format(dayOf(date)),
    days: (from, until) => days.formatRange(dayOf(from), dayOf(until)),
  };
}

export function wordingFor(locale: string): Wording {
  const known = wordings.get(locale);
  if (known !== undefined) return known;
  const wording = createWording(locale);
  wordings.set(locale, wording);
  return wording;
}
