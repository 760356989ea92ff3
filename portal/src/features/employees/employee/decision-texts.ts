import type { Decision } from '../../../../../src/domain/subscription/transitions.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { decisionsDe } from './de.ts';
import { type DecisionTexts, decisionsEn } from './en.ts';

export function useDecisionTexts(name: string): (decision: Decision) => DecisionTexts {
  const texts: Record<Decision, DecisionTexts> = useLanguage().language === 'de' ? decisionsDe : decisionsEn;
  return (decision) => {
    const { title, done, ...rest } = texts[decision];
    return { ...rest, title: title.replace('{name}', () => name), done: done.replace('{name}', () => name) };
  };
}
