import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useReader } from '../app/i18n/reader.ts';
import { Form, useChangeForm } from './Form.tsx';
import { IconSearch } from './icons.gen.ts';

export type PlainInputProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'inputMode' | 'type'>;

interface ParsedProps<T> extends TextInputProps {
  initial: string;
  /** Returns undefined for a text that is not valid. */
  read(text: string): T | undefined;
  /** Called with undefined as long as the text is not valid. */
  onRead(value: T | undefined): void;
  problem: string;
}

/** A field for a value that is written as text. It never changes what was typed, and says what is wrong with it. */
export function ParsedInput<T>({ initial, read, onRead, problem, error, ...props }: ParsedProps<T>) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextInput
      {...props}
      autoComplete="off"
      value={typed ?? initial}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onRead(read(event.currentTarget.value));
      }}
      error={error || (typed !== undefined && read(typed) === undefined && problem)}
    />
  );
}

interface NumberProps extends PlainInputProps {
  number: number | null;
  /** Called with undefined as long as the text is not a number in the range. */
  onNumber(number: number | null | undefined): void;
  range: readonly [minimum: number, maximum: number];
  /** Whether the field may be empty, which is null. */
  isOptional?: boolean;
}

/** A field for a whole number. */
export function WholeNumberInput({ number, onNumber, range: [minimum, maximum], isOptional, ...props }: NumberProps) {
  const { t } = useReader();
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
  const initial = number === null ? '' : String(number);
  return (
    <ParsedInput {...props} initial={initial} read={read} onRead={onNumber} problem={problem} inputMode="numeric" />
  );
}

const pauseMillis = 250;

interface SearchProps {
  label: string;
  placeholder: string;
  value: string;
  onSearch(text: string): void;
  maxLength?: number;
  error?: string | false;
}

/** Calls `onSearch` once the user pauses typing. */
export function SearchField({ value, onSearch, maxLength = 500, ...props }: SearchProps) {
  const { t } = useReader();
  const [text, setText] = useState(value);
  const searched = useRef(value);
  const search = useDebouncedCallback((next: string) => {
    searched.current = next.trim();
    onSearch(searched.current);
  }, pauseMillis);
  // The address bar may change without typing, such as by the back button. Text that is being typed must stay.
  useEffect(() => {
    if (value === searched.current) return;
    searched.current = value;
    setText(value);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    search(next);
  };
  return (
    <TextInput
      {...props}
      type="search"
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text !== '' && <CloseButton size="sm" onClick={() => change('')} aria-label={t('clearSearch')} />}
      maxLength={maxLength}
      autoComplete="off"
    />
  );
}

interface NameProps<Output> {
  label: string;
  description?: string;
  submitLabel: string;
  current?: string;
  change: { mutateAsync(name: string): Promise<Output>; isPending: boolean; error: Error | null };
  onDone?(output: Output): void;
  onCancel(): void;
  children?: ReactNode;
}

/** Asks for a name in a dialog. */
export function NameForm<Output>({ current = '', change, onDone, children, ...props }: NameProps<Output>) {
  const { label, description, submitLabel, onCancel } = props;
  const form = useChangeForm({
    initial: { name: current },
    change,
    input: ({ name }) => name.trim(),
    onDone: (output) => onDone?.(output),
  });
  return (
    <Form of={form} submitLabel={submitLabel} disabled={form.values.name.trim() === ''} onCancel={onCancel}>
      {children}
      <TextInput
        {...form.getInputProps('name')}
        label={label}
        description={description}
        maxLength={100}
        required
        autoComplete="off"
        data-autofocus
      />
    </Form>
  );
}
