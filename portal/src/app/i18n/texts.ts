import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Me } from '../../../../src/portal/contract.ts';
import { texts as common } from './common-texts.ts';
import { type Language, readerLocale, useLanguage } from './language.tsx';

/** A text in both languages, side by side. */
export type Text = Readonly<Record<Language, string>>;

export type Texts = Readonly<Record<string, Text>>;

type Base<K> = K extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : K;
type Keys<T> = Base<keyof T & string>;
type TextOf<T extends Texts, K extends string> = {
  [P in keyof T]: P extends K | `${K}_one` | `${K}_other` ? T[P]['en'] : never;
}[keyof T];
type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<T extends Texts, K extends string> = [Names<TextOf<T, K>>] extends [never]
  ? []
  : [values: Record<Names<TextOf<T, K>>, string | number>];

/** `t('key')`, `t('key', { name })`. `{count}` selects `key_one` or `key_other`. */
export type Translate<T extends Texts> = <K extends Keys<T>>(key: K, ...values: Values<T, K>) => string;

const pluralRules = { de: new Intl.PluralRules('de'), en: new Intl.PluralRules('en') };

function createTranslate<T extends Texts>(texts: T, language: Language, locale: string): Translate<T> {
  const numbers = new Intl.NumberFormat(locale);
  return (key, ...[values]) => {
    const given: Record<string, string | number> = values ?? {};
    const { count } = given;
    const plural = typeof count === 'number' ? `${key}_${pluralRules[language].select(count)}` : '';
    return ((texts[plural] ?? texts[key])?.[language] ?? key).replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = given[name];
      return typeof value === 'number' ? numbers.format(value) : (value ?? '');
    });
  };
}

/**
 * Returns the texts of a page in the user's language, with numbers in its format. Each page has its own `texts.ts`,
 * which loads with it.
 */
export function useTexts<T extends Texts>(texts: T): Translate<T> {
  const { language } = useLanguage();
  // Only reads the cache. Before sign-in the company's locale is unknown.
  const locale = readerLocale(language, useQueryClient().getQueryData<Me>(['me'])?.company.locale);
  return useMemo(() => createTranslate(texts, language, locale), [language, locale, texts]);
}

export const useCommonTexts = () => useTexts(common);
