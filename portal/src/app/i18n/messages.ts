import { use } from 'react';
import type { Message } from '../../../../src/domain/messages/message.ts';
import type { PortalProblem } from '../../../../src/platform/http/portal/schemas.ts';
import type { ApiProblem } from '../api/request.ts';
import { texts as fields } from './field-texts.ts';
import { dayBefore, useFormats } from './formats.ts';
import { type Language, useLanguage } from './language.tsx';
import type { Text } from './texts.ts';
import { useWords } from './words.ts';

type Code = PortalProblem['code'];

type Messages = Readonly<Record<string, string>>;
type Problems = Readonly<Record<Code, Text>>;

/**
 * Returns what loads a catalogue when it is first needed: most pages show neither a message nor a problem. Returns
 * undefined if it cannot be loaded; the next call tries again.
 */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T | undefined> {
  let loading: Promise<T | undefined> | undefined;
  return () => {
    loading ??= load().catch(() => {
      loading = undefined;
      return undefined;
    });
    return loading;
  };
}

const loadMessages: Record<Language, () => Promise<Messages | undefined>> = {
  en: loadOnce(async () => (await import('../../../../src/domain/messages/en.ts')).en),
  de: loadOnce(async () => (await import('./messages.de.ts')).de),
};
const loadProblems = loadOnce(async (): Promise<Problems> => (await import('./problem-texts.ts')).texts);

const englishOrdinals = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

const ordinals: Record<Language, (day: number) => string> = {
  de: (day) => `${day}.`,
  en: (day) => `${day}${suffixes[englishOrdinals.select(day)] ?? 'th'}`,
};

type Value = Message['values'][string];

interface Rendering {
  values: Message['values'];
  /** Formats a date. */
  day(date: string): string;
}

/** Returns the name of an API field. */
export const nameField = (field: string, language: Language) =>
  (fields as Readonly<Partial<Record<string, Text>>>)[field]?.[language];

const placeholder = /\{(\w+)(?::(\w+))?\}/g;

/** Returns functions that render what the service says. Suspends until the catalogue of the language is loaded. */
export function useMessages() {
  const { language } = useLanguage();
  const messages = use(loadMessages[language]());
  const formats = useFormats();
  const statuses: Record<string, string> = useWords().subscriptionStatus;

  function formatValue(value: Value, kind: string | undefined, { values, day }: Rendering): string {
    if (Array.isArray(value)) return value.map((part) => renderMessage(part, day) ?? '').join('; ');
    const text = String(value);
    if (kind === 'date') return day(text);
    // As the file has it: the date may not exist.
    if (kind === 'written') return language === 'de' ? text.replace(/^(\d+)-(\d+)-(\d+)$/, '$3.$2.$1') : text;
    if (kind === 'lastDay') return day(dayBefore(text));
    if (kind === 'ordinal') return ordinals[language](Number(value));
    if (kind === 'status') return statuses[text] ?? text;
    if (kind === 'field') return nameField(text, language) ?? text;
    if (kind === 'text') return renderTemplate(messages?.[text] ?? '', { values, day });
    if (kind === 'place') return text.replace(/\brow (\d+)/g, language === 'de' ? 'Zeile $1' : 'row $1');
    if (kind === 'system') return language === 'de' ? text.replace(/ over SFTP$/, ' über SFTP') : text;
    return typeof value === 'number' && kind !== 'year' ? formats.number(value) : text;
  }

  const renderTemplate = (template: string, rendering: Rendering): string =>
    template.replace(placeholder, (_all, name: string, kind?: string) =>
      formatValue(rendering.values[name] ?? '', kind, rendering),
    );

  /** Returns undefined if this version of the page does not know the message. */
  function renderMessage(message: Message | null | undefined, day = formats.date): string | undefined {
    const template = message && messages?.[message.key];
    return template ? renderTemplate(template, { values: message.values, day }) : undefined;
  }

  return {
    renderMessage,
    /** Returns what a problem means: as exactly as the service says it, otherwise what its code means. Suspends. */
    renderProblem: (problem: ApiProblem): string =>
      renderMessage(problem.explanation) ?? use(loadProblems())?.[problem.code as Code]?.[language] ?? problem.message,
  };
}
