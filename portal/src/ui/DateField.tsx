import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useReader } from '../app/i18n/reader.ts';
import type { DateFieldProps } from './DatePicker.tsx';
import { IconCalendar } from './icons.gen.ts';
import type { ListState } from './list-state.ts';

const texts = {
  from: { de: 'Von', en: 'From' },
  to: { de: 'Bis', en: 'To' },
} as const;

const DatePicker = lazy(async () => ({ default: (await import('./DatePicker.tsx')).DatePicker }));

/** Renders a date picker. The calendar is large, so it is loaded with the first one, not with the page. */
export const DateField = (props: DateFieldProps) => (
  <Suspense
    fallback={
      <TextInput
        label={props.label}
        description={props.description}
        leftSection={<IconCalendar size={16} aria-hidden />}
        disabled
      />
    }
  >
    <DatePicker {...props} />
  </Suspense>
);

/** Renders the two filters that narrow a list to a range of days, `from` and `to` in the address bar. */
export function DayRange({ list }: { list: ListState }) {
  const { t } = useReader(texts);
  const [from, to] = [list.day('from'), list.day('to')];
  const field = (name: 'from' | 'to') => ({
    label: t(name),
    value: list.day(name) ?? null,
    onChange: (value: string | null) => list.set({ [name]: value }),
    clearable: true,
  });
  return (
    <>
      <DateField {...field('from')} {...(to ? { maxDate: to } : {})} />
      <DateField {...field('to')} {...(from ? { minDate: from } : {})} />
    </>
  );
}
