import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTexts } from '../../app/i18n/texts.ts';
import { useEmployeeNames, useEmployees } from '../employees/api.ts';
import { texts } from './texts.ts';

const offered = 20;
const pauseMillis = 250;

interface Props {
  value: number | undefined;
  onChange(id: number | null): void;
}

/** Selects an employee by searching for them. */
export function EmployeeFilter({ value, onChange }: Props) {
  const t = useTexts(texts);
  const [text, setText] = useState('');
  const name = useEmployeeNames(value === undefined ? [] : [value])?.get(value ?? 0);
  // The field shows the name of the chosen employee, which is not a search.
  const [search] = useDebouncedValue(text === name ? '' : text.trim(), pauseMillis);
  const found = useEmployees({ search, perPage: offered }).data?.data ?? [];
  const options = found.map(({ id, firstName, lastName, email }) => ({
    value: String(id),
    label: `${firstName} ${lastName}`,
    email,
  }));
  const isListed = options.some((option) => option.value === String(value));
  const chosen =
    value === undefined || isListed ? [] : [{ value: String(value), label: name ?? `#${value}`, email: '' }];
  return (
    <Select
      label={t('employee')}
      placeholder={t('allEmployees')}
      data={[...chosen, ...options]}
      // The server has searched already, also in what the label does not contain.
      filter={({ options: all }) => all}
      renderOption={({ option }) => (
        <span style={{ overflowWrap: 'anywhere' }}>
          {option.label} <small>{(option as (typeof options)[number]).email}</small>
        </span>
      )}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      onSearchChange={setText}
      nothingFoundMessage={t('nobodyFound')}
      searchable
      clearable
    />
  );
}
