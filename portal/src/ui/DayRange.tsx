import { type Translation, useTexts } from '../app/i18n/texts.ts';
import { DateField } from './DateField.tsx';
import type { ListState } from './list-state.ts';

const en = { from: 'From', to: 'To' } as const;
const de: Translation<typeof en> = { from: 'Von', to: 'Bis' };

/** Renders the two filters that narrow a list to a range of days, `from` and `to` in the address bar. */
export function DayRange({ list }: { list: ListState }) {
  const t = useTexts({ en, de });
  const [from, to] = [list.day('from'), list.day('to')];
  return (
    <>
      <DateField
        label={t('from')}
        value={from ?? null}
        onChange={(value) => list.set({ from: value })}
        {...(to ? { maxDate: to } : {})}
        clearable
      />
      <DateField
        label={t('to')}
        value={to ?? null}
        onChange={(value) => list.set({ to: value })}
        {...(from ? { minDate: from } : {})}
        clearable
      />
    </>
  );
}
