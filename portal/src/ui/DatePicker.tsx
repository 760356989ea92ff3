import '@mantine/dates/styles.css';
import 'dayjs/locale/de';
import 'dayjs/locale/en-gb';
import { DatePickerInput, type DatePickerInputProps, DatesProvider } from '@mantine/dates';
import { useId } from 'react';
import { useLanguage } from '../app/i18n/language.tsx';
import { useReader } from '../app/i18n/reader.ts';
import { IconCalendar } from './icons.gen.ts';

export interface DateFieldProps
  extends Omit<DatePickerInputProps<'default'>, 'value' | 'onChange' | 'valueFormatter' | 'ref'> {
  /** `2026-11-15` */
  value: string | null;
  onChange(value: string | null): void;
}

/** Defined here and not in the common texts, which every page loads. */
const texts = {
  choose: { de: 'Datum wählen', en: 'Select a date' },
  clear: { de: 'Datum löschen', en: 'Clear date' },
  nextMonth: { de: 'Nächster Monat', en: 'Next month' },
  previousMonth: { de: 'Vorheriger Monat', en: 'Previous month' },
  nextYear: { de: 'Nächstes Jahr', en: 'Next year' },
  previousYear: { de: 'Vorheriges Jahr', en: 'Previous year' },
  nextDecade: { de: 'Nächstes Jahrzehnt', en: 'Next decade' },
  previousDecade: { de: 'Vorheriges Jahrzehnt', en: 'Previous decade' },
} as const;

/** What the buttons of the calendar are called. */
const steps = ['nextMonth', 'previousMonth', 'nextYear', 'previousYear', 'nextDecade', 'previousDecade'] as const;

/**
 * Renders a date picker whose weeks begin on Monday. Weekends look like other days, because their red has too little
 * contrast.
 */
export function DatePicker({ value, onChange, ...props }: DateFieldProps) {
  const { t, formats } = useReader(texts);
  const { language } = useLanguage();
  const id = useId();
  const locale = language === 'de' ? 'de' : 'en-gb';
  return (
    <DatesProvider settings={{ locale, firstDayOfWeek: 1, weekendDays: [] }}>
      <DatePickerInput
        id={id}
        // The field labels the calendar.
        popoverProps={{ id }}
        leftSection={<IconCalendar size={16} aria-hidden />}
        // The grey of outside dates has too little contrast.
        hideOutsideDates
        placeholder={t('choose')}
        clearButtonProps={{ 'aria-label': t('clear') }}
        ariaLabels={Object.fromEntries(steps.map((step) => [step, t(step)]))}
        {...props}
        value={value}
        onChange={onChange}
        valueFormatter={({ date }) => (typeof date === 'string' ? formats.date(date) : '')}
      />
    </DatesProvider>
  );
}
