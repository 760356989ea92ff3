import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useCommonTexts } from '../app/i18n/common.ts';

interface Props extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'inputMode' | 'type'> {
  number: number | null;
  /** Called with undefined as long as the text is not a number in the range. */
  onNumber(number: number | null | undefined): void;
  range: readonly [minimum: number, maximum: number];
  /** Whether the field may be empty, which is null. */
  isOptional?: boolean;
}

/** A field for a number. It never changes what was typed, and says what is wrong with it. */
export function WholeNumberInput({ number, onNumber, range: [minimum, maximum], isOptional, error, ...props }: Props) {
  const t = useCommonTexts();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? (number === null ? '' : String(number));
  const read = (given: string): number | null | undefined => {
    const trimmed = given.trim();
    if (trimmed === '') return isOptional ? null : undefined;
    const isNumber = /^(0|[1-9]\d{0,15})$/.test(trimmed);
    return isNumber && Number(trimmed) >= minimum && Number(trimmed) <= maximum ? Number(trimmed) : undefined;
  };
  const problem =
    maximum === Number.MAX_SAFE_INTEGER
      ? t('fieldNumberFrom', { minimum: String(minimum) })
      : t('fieldNumber', { minimum: String(minimum), maximum: String(maximum) });
  return (
    <TextInput
      {...props}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onNumber(read(event.currentTarget.value));
      }}
      error={error || (typed !== undefined && read(typed) === undefined && problem)}
    />
  );
}
