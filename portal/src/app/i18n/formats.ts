import { dayBefore } from '../../../../src/domain/messages/render.ts';
import type { UpcomingType } from '../../../../src/domain/subscription/public-dates.ts';
import type { Me } from '../../../../src/portal/contract.ts';
import { useKnownMe } from '../api/me.ts';
import { type Language, readerLocale, useLanguage } from './language.tsx';

const fallback = { locale: 'de-DE', currency: 'EUR', timeZone: 'Europe/Berlin' };

/** Returns the short name of the time zone at this moment after a space, such as CET or MESZ. Nothing if it is the reader's. */
function nameZone(format: Intl.DateTimeFormat, moment: Date): string {
  const { timeZone, locale } = format.resolvedOptions();
  const shownIn = (zone: string | undefined) =>
    moment.toLocaleString(locale, { ...(zone ? { timeZone: zone } : {}), dateStyle: 'short', timeStyle: 'short' });
  if (shownIn(timeZone) === shownIn(undefined)) return '';
  return ` ${format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''}`;
}

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

/** Returns formatters for the reader's language. Times are in the company's time zone, which they name if it is not the reader's. */
function createFormats(language: Language, { locale: ofCompany, currency, timeZone }: typeof fallback, ahead: number) {
  const locale = readerLocale(language, ofCompany);
  const day = (text: string) => new Date(`${text.length === 7 ? `${text}-01` : text}T00:00:00Z`);
  const days = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (text: string) => format.format(day(text));
  };
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
  const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone });
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const signedMoney = new Intl.NumberFormat(locale, { style: 'currency', currency, signDisplay: 'exceptZero' });
  const roundMoney = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    useGrouping: 'always',
    maximumFractionDigits: 1,
  });
  const number = new Intl.NumberFormat(locale);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    /** `2026-11-15` */
    date: days({ dateStyle: 'medium' }),
    longDate: days({ dateStyle: 'long' }),
    /** The day of a moment, in the company's time zone. */
    longDayOf: (text: string) => days({ dateStyle: 'long' })(isoDay(Date.parse(text), timeZone)),
    /** `2026-11-15T08:00:00Z`, in the company's time zone. */
    time: (text: string) => `${time.format(new Date(text))}${nameZone(zone, new Date(text))}`,
    /** A moment for tables, with seconds and without the name of the time zone. */
    sortableTime: (text: string) =>
      new Date(text).toLocaleString(language === 'de' ? 'de-DE' : 'sv-SE', {
        ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
        ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
      }),
    /** `2026-11` or `2026-11-01` */
    month: days({ month: 'long', year: 'numeric' }),
    shortMonth: days({ month: 'short' }),
    /** For chart axes: the day without its year, and the time of day of a moment. */
    shortDay: days({ day: 'numeric', month: 'numeric' }),
    hour: (text: string) => hour.format(new Date(text)),
    number: (value: number) => number.format(value),
    decimalSeparator: number.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    money: (cents: number) => money.format(cents / 100),
    /** For differences: `+3.411,45 €` */
    signedMoney: (cents: number) => signedMoney.format(cents / 100),
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
  const { data: me, dataUpdatedAt } = useKnownMe();
  const { locale, currency, timeZone } = me?.company ?? fallback;
  const ahead = me?.environment === 'staging' ? daysAhead(me, dataUpdatedAt) : 0;
  const key = [language, locale, currency, timeZone, ahead].join(' ');
  const formats = cache.get(key) ?? createFormats(language, { locale, currency, timeZone }, ahead);
  cache.set(key, formats);
  return formats;
}

/** Returns the day to name for the next change of a subscription: the last day of one that ends. */
export const upcomingDay = ({ type, at }: { type: UpcomingType; at: string }) =>
  type === 'cancellation' ? dayBefore(at) : at;
