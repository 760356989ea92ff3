import type { TaxTreatment } from '../../../domain/enums.ts';
import { type PayrollAmounts, reverse, splitTicket, sumLine17 } from '../../billing/rules/benefit.ts';
import type { StatementMonth } from '../../documents/pdf/content.ts';

/** A ticket charge or correction that counts for a year, or that payroll has booked in it. */
export interface YearItem {
  id: number;
  /** The first day of the month of the ticket. */
  month: string;
  grossCents: number;
  employeeShareCents: number;
  /** The charge that this one corrects, or null. */
  correctsId: number | null;
  /** What an export contains of it, and of which month that is. Null: none contains it. */
  booked: (PayrollAmounts & { period: string }) | null;
}

export interface YearRules {
  year: number;
  benefitValuation: number;
  /** How the benefit of a month is taxed if no export says so. */
  treatmentOf: (month: string) => TaxTreatment;
}

/** Sums of a year, in cents. */
export interface YearAmounts {
  taxFreeCents: number;
  flatTaxCents: number;
  deductionCents: number;
}

/** Why the exported months differ from the year. */
export const yearDifferences = ['not-exported', 'other-year'] as const;
export type YearDifference = (typeof yearDifferences)[number];

export interface YearSummary extends YearAmounts {
  /** The months that have a ticket after all corrections. */
  months: StatementMonth[];
  grossCents: number;
  companyShareCents: number;
  /** What the exports of the months of the year contain. */
  exported: YearAmounts;
  /** Null: nothing differs. */
  difference: YearDifference | null;
}

const yearOf = (day: string) => Number(day.slice(0, 4));

const sumAmounts = (amounts: readonly PayrollAmounts[]): YearAmounts => ({
  taxFreeCents: sumLine17(amounts),
  flatTaxCents: amounts.reduce((sum, one) => sum + (one.taxTreatment === 'flat-tax' ? one.benefitCents : 0), 0),
  deductionCents: amounts.reduce((sum, one) => sum + one.deductionCents, 0),
});

/**
 * Returns the amounts of an item as payroll has booked them, else as it would book them now: what takes back a booked item, or is
 * taken back by one, has its amounts.
 */
function createAmounts(items: readonly YearItem[], { benefitValuation, treatmentOf }: YearRules) {
  const bookedOf = new Map(items.flatMap(({ id, booked }) => (booked ? [[id, booked]] : [])));
  const bookedCorrectionOf = new Map(
    items.flatMap(({ correctsId, booked }) => (correctsId !== null && booked ? [[correctsId, booked]] : [])),
  );
  return (item: YearItem): PayrollAmounts => {
    const counterpart = item.correctsId === null ? bookedCorrectionOf.get(item.id) : bookedOf.get(item.correctsId);
    if (item.booked) return item.booked;
    if (counterpart) return reverse(counterpart);
    return splitTicket(item, { benefitValuation, taxTreatment: treatmentOf(item.month) });
  };
}

/**
 * Sums up a year of one employee. A ticket counts in its month, and so does its correction, whenever it was made. What the
 * exports of the year contain is compared with it: they lack what was exported later or never, and contain corrections of
 * earlier years.
 */
export function summarizeYear(items: readonly YearItem[], rules: YearRules): YearSummary {
  const amountsOf = createAmounts(items, rules);
  const own = items.filter(({ month }) => yearOf(month) === rules.year);
  const months = [...Map.groupBy(own, ({ month }) => month)]
    .map(([month, ofMonth]): StatementMonth => {
      const { deductionCents: employeeShareCents, ...benefits } = sumAmounts(ofMonth.map(amountsOf));
      const grossCents = ofMonth.reduce((sum, item) => sum + item.grossCents, 0);
      return { month, grossCents, companyShareCents: grossCents - employeeShareCents, employeeShareCents, ...benefits };
    })
    .filter(({ grossCents }) => grossCents !== 0)
    .sort((a, b) => (a.month < b.month ? -1 : 1));
  const sum = (field: Exclude<keyof StatementMonth, 'month'>) => months.reduce((total, one) => total + one[field], 0);
  const amounts = {
    taxFreeCents: sum('taxFreeCents'),
    flatTaxCents: sum('flatTaxCents'),
    deductionCents: sum('employeeShareCents'),
  };
  const exported = sumAmounts(
    items.flatMap(({ booked }) => (booked && yearOf(booked.period) === rules.year ? booked : [])),
  );
  const isSame = (Object.keys(amounts) as (keyof YearAmounts)[]).every((name) => amounts[name] === exported[name]);
  const hasOpen = own.some(({ booked }) => booked === null);
  return {
    ...amounts,
    months,
    grossCents: sum('grossCents'),
    companyShareCents: sum('companyShareCents'),
    exported,
    difference: isSame ? null : hasOpen ? 'not-exported' : 'other-year',
  };
}
