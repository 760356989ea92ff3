import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { Language } from '../../src/domain/enums.ts';
import { type Catalogue, createRenderer, dayBefore } from '../../src/domain/messages/render.ts';
import { post } from './api/call.ts';
import type { texts as english, TextKey } from './languages/en.ts';
import type { LanguageFile } from './languages/language-file.ts';
import { useAppState } from './state.ts';

const files = import.meta.glob<{ language?: LanguageFile }>('./languages/*.ts', { eager: true });
export const languages = Object.values(files).flatMap(({ language }) => (language ? [language] : []));

const storageName = 'my-page-language';
/** What was chosen on this device before anybody signed in. */
const choiceName = 'my-page-language-choice';

function findLanguage(code: string | null | undefined): LanguageFile | undefined {
  return languages.find((one) => one.code === code?.slice(0, 2));
}

const fallback = findLanguage('en') as LanguageFile;

function firstLanguage(): LanguageFile {
  const wanted = [localStorage.getItem(storageName), ...navigator.languages];
  return wanted.map(findLanguage).find((one) => one !== undefined) ?? fallback;
}

type Texts = typeof english;
type Base<K> = K extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : K;
type Keys = Base<TextKey>;
type TextOf<K extends string> = {
  [P in TextKey]: P extends K | `${K}_one` | `${K}_other` ? Texts[P] : never;
}[TextKey];
type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<K extends string> = [Names<TextOf<K>>] extends [never]
  ? []
  : [values: Record<Names<TextOf<K>>, string | number>];

/** `t('key')`, `t('key', { name })`. `{count}` selects `key_one` or `key_other`. */
type Translate = <K extends Keys>(key: K, ...values: Values<K>) => string;

/** Texts without placeholders, which tables of keys may name. */
export type PlainKey = { [K in Keys]: Values<K> extends [] ? K : never }[Keys];

function createTranslate({ code, locale, texts }: LanguageFile): Translate {
  const plurals = new Intl.PluralRules(code);
  const numbers = new Intl.NumberFormat(locale);
  const all: Readonly<Record<string, string>> = texts;
  return (key, ...[values]) => {
    const given: Record<string, string | number> = values ?? {};
    const plural = typeof given.count === 'number' ? `${key}_${plurals.select(given.count)}` : '';
    return (all[plural] ?? all[key] ?? key).replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = given[name];
      return typeof value === 'number' ? numbers.format(value) : (value ?? '');
    });
  };
}

interface Place {
  locale: string;
  currency: string;
  timeZone: string;
}

/** Returns formatters in the locale of the company if that is in the reader's language. */
function createFormats({ code, locale: own }: LanguageFile, { locale: ofCompany, currency, timeZone }: Place) {
  const locale = ofCompany.split('-')[0] === code ? ofCompany : own;
  const day = (text: string) => new Date(`${text.length === 7 ? `${text}-01` : text}T00:00:00Z`);
  const days = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (text: string) => format.format(day(text));
  };
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone });
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const number = new Intl.NumberFormat(locale);
  const date = days({ dateStyle: 'long' });
  return {
    /** `2026-11-15` */
    date,
    /** The day before a date: the last one of something that ends with it. */
    lastDay: (text: string) => date(dayBefore(text)),
    /** `2026-11` or `2026-11-01` */
    month: days({ month: 'long', year: 'numeric' }),
    /** A moment, where the company is. */
    time: (moment: number | string) => time.format(new Date(moment)),
    clock: (moment: number) => clock.format(moment),
    money: ({ value }: { value: number }) => money.format(value / 100),
    number: (value: number) => number.format(value),
  };
}

const statusTexts = {
  'no-subscription': 'statusNone',
  scheduled: 'statusScheduled',
  active: 'statusActive',
  'scheduled-pause': 'statusScheduledPause',
  paused: 'statusPaused',
  'scheduled-cancellation': 'statusScheduledCancellation',
  cancelled: 'statusCancelled',
} as const;

function createReader(file: LanguageFile, place: Place, catalogue: Catalogue | undefined) {
  const t = createTranslate(file);
  const formats = createFormats(file, place);
  const status = (name: string) => t(statusTexts[name as keyof typeof statusTexts] ?? 'statusNone');
  return {
    t,
    formats,
    status,
    language: file.code,
    sectionName: (name: keyof LanguageFile['sections']) => file.sections[name] ?? name,
    documentName: ({ type, name }: { type: string; name: string }) =>
      (file.documents as Readonly<Partial<Record<string, string>>>)[type] ?? name,
    fieldName: (name: string) => file.fields[name],
    valueName: (code: string) => file.values[code],
    /** Returns a sentence of the service, or undefined if this version of the page does not know it. */
    renderMessage: createRenderer(catalogue, {
      language: file.code,
      date: formats.date,
      number: formats.number,
      status,
      field: (name) => name,
    }),
  };
}

type Reader = ReturnType<typeof createReader> & { setLanguage(language: Language): void };

const ReaderContext = createContext<Reader | undefined>(undefined);

const germany: Place = { locale: 'de-DE', currency: 'EUR', timeZone: 'Europe/Berlin' };

export function ReaderProvider({ children }: { children: ReactNode }) {
  const { session, kept } = useAppState();
  const [file, setFile] = useState(firstLanguage);
  const [catalogues, setCatalogues] = useState<Readonly<Record<string, Catalogue>>>({});
  const { locale, currency } = session?.company ?? germany;
  const current = kept?.employments.find(({ id }) => id === kept.currentId);
  const timeZone = session?.company.timeZone ?? current?.timeZone ?? germany.timeZone;

  const isSignedIn = session != null;
  const setLanguage = (code: Language) => {
    const next = findLanguage(code) ?? fallback;
    localStorage.setItem(storageName, next.code);
    if (!isSignedIn) localStorage.setItem(choiceName, next.code);
    setFile(next);
  };
  // What the employee has chosen on any device counts everywhere, at last what they chose here before they signed in.
  const stored = session?.language;
  useEffect(() => {
    if (stored === undefined) return;
    const choice = findLanguage(localStorage.getItem(choiceName));
    localStorage.removeItem(choiceName);
    const known = choice ?? findLanguage(stored);
    if (choice !== undefined) post('/settings', { language: choice.code }).catch(() => {});
    if (known === undefined) return;
    localStorage.setItem(storageName, known.code);
    setFile(known);
  }, [stored]);
  useEffect(() => {
    document.documentElement.lang = file.code;
    file
      .loadMessages()
      .then((catalogue) => setCatalogues((all) => ({ ...all, [file.code]: catalogue })))
      .catch(() => {});
  }, [file]);

  const catalogue = catalogues[file.code];
  const reader = useMemo(
    () => createReader(file, { locale, currency, timeZone }, catalogue),
    [file, locale, currency, timeZone, catalogue],
  );
  return <ReaderContext value={{ ...reader, setLanguage }}>{children}</ReaderContext>;
}

/** Returns all that a screen needs to write for its reader. */
export function useReader(): Reader {
  const reader = use(ReaderContext);
  if (reader === undefined) throw new Error('There is no ReaderProvider.');
  return reader;
}
