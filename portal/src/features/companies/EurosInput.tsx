import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { texts } from './texts.ts';

interface EurosInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'inputMode' | 'type'> {
  cents: number;
  /** Called with undefined as long as the text is not an amount in the range. */
  onCents(cents: number | undefined): void;
  /** The smallest and the largest amount in cents. */
  range: readonly [number, number];
}

/** Returns the cents of an amount such as `20`, `20,5` or `20.50`, or undefined. */
function readCents(text: string): number | undefined {
  const [, euros, cents = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return euros === undefined ? undefined : Number(euros) * 100 + Number(cents.padEnd(2, '0'));
}

/** A field for an amount in euros. It never changes what was typed, and says what is wrong with it. */
export function EurosInput({ cents, onCents, range: [min, max], error, ...props }: EurosInputProps) {
  const t = useTexts(texts);
  const { decimalSeparator, money } = useFormats();
  const [typed, setTyped] = useState<string>();
  const read = (text: string) => {
    const amount = readCents(text);
    return amount !== undefined && amount >= min && amount <= max ? amount : undefined;
  };
  const isWrong = typed !== undefined && read(typed) === undefined;
  return (
    <TextInput
      {...props}
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? (cents / 100).toFixed(2).replace('.', decimalSeparator)}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onCents(read(event.currentTarget.value));
      }}
      error={error || (isWrong && t('wrongEuros', { min: money(min), max: money(max) }))}
    />
  );
}
