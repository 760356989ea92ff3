import { useMe } from '../api/me.ts';
import type { Me } from '../api/types.gen.ts';
import { useLanguage } from './language.tsx';

const fallback = { locale: 'de-DE', currency: 'EUR', timeZone: 'Europe/Berlin' };

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const dayMillis = 86_400_000;

const isoDays = new Map<string, Intl.DateTimeFormat>();

/** Returns a date such as `2026-11-15`, which is the Swedish format. */
function isoDay(instant: number, timeZone: string): string {
  const format = isoDays.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  isoDays.set(timeZone, format);
  return format.format(instant);
}

/** Returns how many days the environment's clock was ahead of this browser's clock when `today` was read. */
const daysAhead = ({ today, company }: Me, readAt: number) =>
  Math.round((Date.parse(today) - Date.parse(isoDay(readAt, company.timeZone))) / dayMillis);

/**
 * Returns formatters. Figures have the company's format. Words in them, such as the name of a month, are in the user's
 * language.
 */
function createFormats(language: string, { locale, currency, timeZone }: typeof fallback, ahead: number) {
  const worded = `${language}-${locale.split('-')[1] ?? 'DE'}`;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const longDate = new Intl.DateTimeFormat(worded, { dateStyle: 'long', timeZone: 'UTC' });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const month = new Intl.DateTimeFormat(worded, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const shortMonth = new Intl.DateTimeFormat(worded, { month: 'short', timeZone: 'UTC' });
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const roundMoney = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const number = new Intl.NumberFormat(locale);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const day = (text: string) => new Date(`${text.length === 7 ? `${text}-01` : text}T00:00:00Z`);
  return {
    /** `2026-11-15` */
    date: (text: string) => date.format(day(text)),
    longDate: (text: string) => longDate.format(day(text)),
    /** `2026-11-15T08:00:00Z`, in the company's time zone. */
    time: (text: string) => time.format(new Date(text)),
    /** `2026-11` or `2026-11-01` */
    month: (text: string) => month.format(day(text)),
    shortMonth: (text: string) => shortMonth.format(day(text)),
    number: (value: number) => number.format(value),
    decimalSeparator: number.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    money: (cents: number) => money.format(cents / 100),
    /** For chart axes. */
    roundMoney: (cents: number) => roundMoney.format(cents / 100),
    /** Keys and sessions follow real time. Everything else follows the environment's clock. */
    relative(text: string, isRealTime = false) {
      const seconds = (Date.parse(text) - Date.now() - (isRealTime ? 0 : ahead * dayMillis)) / 1000;
      const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
      return relative.format(Math.round(seconds / length), unit);
    },
  };
}

const cache = new Map<string, ReturnType<typeof createFormats>>();

export function useFormats() {
  const { language } = useLanguage();
  const { data: me, dataUpdatedAt } = useMe();
  const { locale, currency, timeZone } = me?.company ?? fallback;
  const ahead = me?.environment === 'staging' ? daysAhead(me, dataUpdatedAt) : 0;
  const key = [language, locale, currency, timeZone, ahead].join(' ');
  const formats = cache.get(key) ?? createFormats(language, { locale, currency, timeZone }, ahead);
  cache.set(key, formats);
  return formats;
}
