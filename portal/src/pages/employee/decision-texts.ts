import type { Decision } from '../../api/types.gen.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { decisionsDe } from './de.ts';
import { decisionsEn } from './en.ts';

/** `{name}` stands for the employee. */
export interface DecisionTexts {
  button: string;
  title: string;
  text: string;
  confirm: string;
  done: string;
}

export function useDecisionTexts(name: string): (decision: Decision) => DecisionTexts {
  const texts: Record<Decision, DecisionTexts> = useLanguage().language === 'de' ? decisionsDe : decisionsEn;
  return (decision) => {
    const { title, done, ...rest } = texts[decision];
    return { ...rest, title: title.replace('{name}', () => name), done: done.replace('{name}', () => name) };
  };
}
