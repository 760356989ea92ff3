import { Text } from '@mantine/core';
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

interface Props {
  /** The name of the month. */
  name: string;
  value: string;
  difference: number;
  format(value: number): string;
}

/** Renders the figure of a month and how it differs from that of the month before. */
export function Comparison({ name, value, difference, format }: Props) {
  const compare = useComparison();
  return (
    <Text mb="sm" className="figures">
      <Text span inherit fw={600}>
        {name}: {value}
      </Text>
      <Text span inherit c="dimmed">
        {', '}
        {compare(difference, format)}
      </Text>
    </Text>
  );
}
