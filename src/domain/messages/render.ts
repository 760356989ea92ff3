import type { Language } from '../enums.ts';
import type { Message } from './message.ts';

/** A catalogue of one language: `en.ts`, `de.ts`. */
export type Catalogue = Readonly<Record<string, string>>;

/** How a reader writes the values of messages. */
export interface MessageFormats {
  language: Language;
  date(day: string): string;
  number(value: number): string;
  status(status: string): string;
  field(name: string): string;
}

const englishOrdinals = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

const ordinals: Record<Language, (day: number) => string> = {
  de: (day) => `${day}.`,
  en: (day) => `${day}${suffixes[englishOrdinals.select(day)] ?? 'th'}`,
};

type Value = Message['values'][string];

interface Rendering {
  values: Message['values'];
  day(date: string): string;
}

const placeholder = /\{(\w+)(?::(\w+))?\}/g;

/** Returns the day before a date. The service stores the first day without a subscription; people name the last one. */
export const dayBefore = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

/**
 * Returns a function that renders messages for pages. It returns undefined for a message that the catalogue lacks: the
 * page may be older than the service. `formatMessage` renders the English sentences of the API.
 */
export function createRenderer(catalogue: Catalogue | undefined, formats: MessageFormats) {
  const { language } = formats;

  function formatValue(value: Value, kind: string | undefined, { values, day }: Rendering): string {
    if (Array.isArray(value)) return value.map((part) => render(part, day) ?? '').join('; ');
    const text = String(value);
    if (kind === 'date') return day(text);
    // As the file has it: the date may not exist.
    if (kind === 'written') return language === 'de' ? text.replace(/^(\d+)-(\d+)-(\d+)$/, '$3.$2.$1') : text;
    if (kind === 'lastDay') return day(dayBefore(text));
    if (kind === 'ordinal') return ordinals[language](Number(value));
    if (kind === 'status') return formats.status(text);
    if (kind === 'field') return formats.field(text);
    if (kind === 'text') return renderTemplate(catalogue?.[text] ?? '', { values, day });
    if (kind === 'place') return text.replace(/\brow (\d+)/g, language === 'de' ? 'Zeile $1' : 'row $1');
    if (kind === 'system') return language === 'de' ? text.replace(/ over SFTP$/, ' über SFTP') : text;
    return typeof value === 'number' && kind !== 'year' ? formats.number(value) : text;
  }

  const renderTemplate = (template: string, rendering: Rendering): string =>
    template.replace(placeholder, (_all, name: string, kind?: string) =>
      formatValue(rendering.values[name] ?? '', kind, rendering),
    );

  function render(message: Message | null | undefined, day = formats.date): string | undefined {
    const template = message && catalogue?.[message.key];
    return template ? renderTemplate(template, { values: message.values, day }) : undefined;
  }

  return render;
}
