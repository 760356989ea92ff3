import type { Decision } from '../../../../../src/domain/subscription/transitions.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { decisions } from './texts.ts';

/** Returns a function that returns the texts of a decision about the employee of this name. */
export function useDecisionTexts(name: string) {
  const { language } = useLanguage();
  return (decision: Decision) => {
    const { button, title, text, confirm, done } = decisions[decision];
    return {
      button: button[language],
      title: title[language].replace('{name}', () => name),
      text: text[language],
      confirm: confirm[language],
      done: done[language].replace('{name}', () => name),
    };
  };
}
