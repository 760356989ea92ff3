import { useCommonTexts } from '../app/i18n/common.ts';
import { useWords } from '../app/i18n/words.ts';

/** Returns a function that translates what the service stores in place of a user's name. */
export function useStoredName() {
  const t = useCommonTexts();
  const words = useWords();
  return (name: string): string => {
    if (/^operator$/i.test(name)) return words.actor.operator;
    return name === 'Erased' ? t('erasedName') : name;
  };
}
