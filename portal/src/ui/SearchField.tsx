import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useCommonTexts } from '../app/i18n/common.ts';

const pauseMillis = 250;

interface Props {
  label: string;
  placeholder: string;
  value: string;
  onSearch(text: string): void;
  maxLength?: number;
  error?: string | false;
}

/** Calls `onSearch` once the user pauses typing. */
export function SearchField({ label, placeholder, value, onSearch, maxLength = 500, error = false }: Props) {
  const t = useCommonTexts();
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
      type="search"
      label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text !== '' && <CloseButton size="sm" onClick={() => change('')} aria-label={t('clearSearch')} />}
      maxLength={maxLength}
      error={error}
      autoComplete="off"
    />
  );
}
