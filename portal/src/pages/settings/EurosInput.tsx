import { NumberInput, type NumberInputProps } from '@mantine/core';
import { clamp } from '@mantine/hooks';
import { useState } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { whenNumber } from './when-number.ts';

interface EurosInputProps
  extends Omit<NumberInputProps, 'value' | 'defaultValue' | 'onChange' | 'onBlur' | 'min' | 'max'> {
  cents: number;
  onCents(cents: number): void;
  /** The smallest and the largest amount in cents. */
  range: readonly [number, number];
}

/**
 * A field for an amount in euros. Shows what was typed as it was typed until the user leaves the field: if decimal places
 * appeared while somebody types, the next digit could end up among them.
 */
export function EurosInput({ cents, onCents, range: [min, max], ...props }: EurosInputProps) {
  const { decimalSeparator } = useFormats();
  const [typed, setTyped] = useState<number | string>();
  return (
    <NumberInput
      {...props}
      value={typed ?? cents / 100}
      onChange={(value) => {
        setTyped(value);
        whenNumber(value, (euros) => onCents(Math.round(euros * 100)));
      }}
      onBlur={() => {
        setTyped(undefined);
        const allowed = clamp(cents, min, max);
        if (allowed !== cents) onCents(allowed);
      }}
      min={min / 100}
      max={max / 100}
      clampBehavior="none"
      decimalScale={2}
      fixedDecimalScale={typed === undefined}
      decimalSeparator={decimalSeparator}
      allowedDecimalSeparators={[',', '.']}
    />
  );
}
