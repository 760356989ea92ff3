import { use } from 'react';
import { type Catalogue, createRenderer } from '../../../../src/domain/messages/render.ts';
import type { PortalProblem } from '../../../../src/platform/http/portal/schemas.ts';
import type { ApiProblem } from '../api/request.ts';
import { texts as fields } from './field-texts.ts';
import { useFormats } from './formats.ts';
import { type Language, useLanguage } from './language.tsx';
import type { Text } from './texts.ts';
import { useWords } from './words.ts';

type Code = PortalProblem['code'];

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

const loadMessages: Record<Language, () => Promise<Catalogue | undefined>> = {
  en: loadOnce(async () => (await import('../../../../src/domain/messages/en.ts')).en),
  de: loadOnce(async () => (await import('../../../../src/domain/messages/de.ts')).de),
};
const loadProblems = loadOnce(async (): Promise<Problems> => (await import('./problem-texts.ts')).texts);

/** Returns the name of an API field. */
export const nameField = (field: string, language: Language) =>
  (fields as Readonly<Partial<Record<string, Text>>>)[field]?.[language];

/** Returns functions that render what the service says. Suspends until the catalogue of the language is loaded. */
export function useMessages() {
  const { language } = useLanguage();
  const messages = use(loadMessages[language]());
  const { date, number } = useFormats();
  const statuses: Record<string, string> = useWords().subscriptionStatus;
  const renderMessage = createRenderer(messages, {
    language,
    date,
    number,
    status: (status) => statuses[status] ?? status,
    field: (name) => nameField(name, language) ?? name,
  });
  return {
    /** Returns undefined if this version of the page does not know the message. */
    renderMessage,
    /** Returns what a problem means: as exactly as the service says it, otherwise what its code means. Suspends. */
    renderProblem: (problem: ApiProblem): string =>
      renderMessage(problem.explanation) ?? use(loadProblems())?.[problem.code as Code]?.[language] ?? problem.message,
  };
}
