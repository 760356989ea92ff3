import { useReader } from '../../app/i18n/reader.ts';
import { texts } from './texts.ts';

/** Returns a function that compares a month with the one before. */
export function useComparison() {
  const { t } = useReader(texts);
  return (difference: number, format: (value: number) => string): string => {
    if (difference === 0) return t('same');
    return t(difference > 0 ? 'more' : 'less', { amount: format(Math.abs(difference)) });
  };
}
