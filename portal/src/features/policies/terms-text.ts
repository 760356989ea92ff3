import type { NewPolicyBody } from '../../../../src/features/policies/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { texts } from './texts.ts';

type Terms = NewPolicyBody['terms'];

/** Returns a function that says in a few words who pays what. */
export function useTermsText() {
  const { t, words, formats } = useReader(texts);
  return ({ planType, employeeCents, employerCents, employerPercent, ...terms }: Terms): string => {
    const { minimumCents, maximumCents, waitingMonths } = terms;
    const amount = (cents: number) => ({ amount: formats.money(cents) });
    return [
      words.plan[planType],
      ...(employeeCents === null ? [] : [t('saysEmployee', amount(employeeCents))]),
      ...(employerCents === null ? [] : [t('saysEmployer', amount(employerCents))]),
      ...(employerPercent === null ? [] : [t('saysPercent', { percent: String(employerPercent) })]),
      ...(minimumCents === null ? [] : [t('saysMinimum', amount(minimumCents))]),
      ...(maximumCents === null ? [] : [t('saysMaximum', amount(maximumCents))]),
      ...(waitingMonths === 0 ? [] : [t('saysWaiting', { count: waitingMonths })]),
    ].join(', ');
  };
}

/** Returns the first days of the months from that of a day on. */
export function monthsFrom(day: string, count: number): string[] {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month - 1 + index, 1)).toISOString().slice(0, 10),
  );
}
