import { useReader } from '../../app/i18n/reader.ts';
import { ParsedInput, type PlainInputProps } from '../../ui/fields.tsx';
import { texts } from './texts.ts';

interface Props extends PlainInputProps {
  cents: number | null;
  /** Called with undefined as long as the text is not an amount in the range. */
  onCents(cents: number | null | undefined): void;
  /** The smallest and the largest amount in cents. */
  range: readonly [number, number];
  /** Whether the field may be empty, which is null. */
  isOptional?: boolean;
}

/** Returns the cents of an amount such as `20`, `20,5` or `20.50`, or undefined. */
function readCents(text: string): number | undefined {
  const [, euros, cents = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return euros === undefined ? undefined : Number(euros) * 100 + Number(cents.padEnd(2, '0'));
}

/** A field for an amount in euros. */
export function EurosInput({ cents, onCents, range: [min, max], isOptional, ...props }: Props) {
  const { t, formats } = useReader(texts);
  const { decimalSeparator, money } = formats;
  const read = (text: string): number | null | undefined => {
    if (isOptional && text.trim() === '') return null;
    const amount = readCents(text);
    return amount !== undefined && amount >= min && amount <= max ? amount : undefined;
  };
  return (
    <ParsedInput
      {...props}
      inputMode="decimal"
      initial={cents === null ? '' : (cents / 100).toFixed(2).replace('.', decimalSeparator)}
      read={read}
      onRead={onCents}
      problem={t('wrongEuros', { min: money(min), max: money(max) })}
    />
  );
}
