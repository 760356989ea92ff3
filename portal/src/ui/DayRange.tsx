import { useTexts } from '../app/i18n/texts.ts';
import { DateField } from './DateField.tsx';
import type { ListState } from './list-state.ts';

const texts = { from: { de: 'Von', en: 'From' }, to: { de: 'Bis', en: 'To' } } as const;

/** Renders the two filters that narrow a list to a range of days, `from` and `to` in the address bar. */
export function DayRange({ list }: { list: ListState }) {
  const t = useTexts(texts);
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
