import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../../test/support/domain/runs.ts';
import { type PayrollAmounts, splitTicket } from '../../billing/rules/benefit.ts';
import { summarizeYear, type YearItem, type YearRules } from './year.ts';

const rules: YearRules = { year: 2026, benefitValuation: 96, treatmentOf: () => 'tax-free' };

const anItem = (id: number, month: string, fields: Partial<YearItem> = {}): YearItem => ({
  ...{ id, month: `${month}-01`, grossCents: 5985, employeeShareCents: 2000, correctsId: null, booked: null },
  ...fields,
});
const bookedIn = (month: string, fields: Partial<PayrollAmounts> = {}) => ({
  booked: {
    ...({ taxTreatment: 'tax-free', benefitCents: 3746, deductionCents: 2000, period: `${month}-01` } as const),
    ...fields,
  },
});
const reversal = (of: YearItem, id: number, fields: Partial<YearItem> = {}): YearItem => ({
  ...{ ...of, id, correctsId: of.id, booked: null },
  ...{ grossCents: 0 - of.grossCents, employeeShareCents: 0 - of.employeeShareCents },
  ...fields,
});
const describe = ({
  months,
  taxFreeCents,
  flatTaxCents,
  deductionCents,
  difference,
}: ReturnType<typeof summarizeYear>) => [
  months.map(({ month }) => month.slice(0, 7)).join(' '),
  taxFreeCents,
  flatTaxCents,
  deductionCents,
  difference,
];

test('a ticket counts in its month, and so does its correction, whenever it was made and booked', () => {
  const [november, december] = [
    anItem(1, '2026-11', bookedIn('2026-11')),
    anItem(2, '2026-12', bookedIn('2026-12')),
  ] as const;
  assert.deepEqual(describe(summarizeYear([december, november], rules)), ['2026-11 2026-12', 7492, 0, 4000, null]);
  const negative = bookedIn('2027-01', { benefitCents: -3746, deductionCents: -2000 });
  const items = [november, december, reversal(december, 3, negative)];
  assert.deepEqual(describe(summarizeYear(items, rules)), ['2026-11', 3746, 0, 2000, 'other-year']);
  // January's export of the next year contains the correction, which is no part of that year.
  assert.deepEqual(describe(summarizeYear(items, { ...rules, year: 2027 })), ['', 0, 0, 0, 'other-year']);
  assert.deepEqual(describe(summarizeYear(items, { ...rules, year: 2025 })), ['', 0, 0, 0, null]);
});

test('what is not exported counts as payroll would book it now, and a correction takes back what was booked', () => {
  const flat = bookedIn('2026-01', { taxTreatment: 'flat-tax', benefitCents: 3985 });
  const charge = anItem(1, '2026-01', flat);
  const open = anItem(2, '2026-02');
  assert.deepEqual(describe(summarizeYear([charge, open], rules)), [
    ...['2026-01 2026-02', 3746, 3985, 4000],
    'not-exported',
  ]);
  assert.deepEqual(describe(summarizeYear([charge, reversal(charge, 3), open], rules)), [
    ...['2026-02', 3746, 0, 2000],
    'not-exported',
  ]);
  const booked = bookedIn('2026-03', { taxTreatment: 'flat-tax', benefitCents: -3985, deductionCents: -2000 });
  assert.deepEqual(describe(summarizeYear([open, reversal(open, 4, booked)], rules)), ['', 0, 0, 0, 'not-exported']);
  const treatmentOf = (month: string) => (month < '2026-02-01' ? 'tax-free' : 'flat-tax');
  assert.deepEqual(describe(summarizeYear([anItem(1, '2026-01'), open], { ...rules, treatmentOf })), [
    ...['2026-01 2026-02', 3746, 3746, 4000],
    'not-exported',
  ]);
});

test('the sums of a year are those of its tickets that were not corrected, and of its exports', () => {
  const ticket = fc.record({
    month: fc.integer({ min: 1, max: 24 }),
    gross: fc.constantFrom(5510, 5985, 6300),
    share: fc.constantFrom(0, 1, 2000, 6300),
    isCorrected: fc.boolean(),
    bookedAfter: fc.option(fc.integer({ min: 0, max: 5 })),
    correctionBookedAfter: fc.option(fc.integer({ min: 0, max: 5 })),
    treatment: fc.constantFrom('tax-free', 'flat-tax'),
  });
  const toDay = (month: number) => Temporal.PlainDate.from('2025-12-01').add({ months: month }).toString();
  let differing = 0;
  fc.assert(
    fc.property(fc.uniqueArray(ticket, { selector: ({ month }) => month, maxLength: 24 }), (tickets) => {
      const expected = { taxFreeCents: 0, flatTaxCents: 0, deductionCents: 0 };
      const exported = { ...expected };
      const add = (
        sums: typeof expected,
        sign: number,
        { taxTreatment, benefitCents, deductionCents }: PayrollAmounts,
      ) => {
        sums[taxTreatment === 'tax-free' ? 'taxFreeCents' : 'flatTaxCents'] += sign * benefitCents;
        sums.deductionCents += sign * deductionCents;
      };
      const items = tickets.flatMap((one, index): YearItem[] => {
        const amounts = { grossCents: one.gross, employeeShareCents: Math.min(one.share, one.gross) };
        const isOpen = one.bookedAfter === null && (one.correctionBookedAfter === null || !one.isCorrected);
        const taxTreatment = isOpen ? 'tax-free' : (one.treatment as 'tax-free');
        const split = splitTicket(amounts, { benefitValuation: 96, taxTreatment });
        const periodOf = (after: number | null) => (after === null ? null : toDay(one.month + after));
        const [period, later] = [periodOf(one.bookedAfter), periodOf(one.correctionBookedAfter)];
        const book = (sign: number, on: string | null) => {
          if (on === null) return null;
          if (on.startsWith('2026')) add(exported, sign, split);
          const { benefitCents, deductionCents } = split;
          return { taxTreatment, benefitCents: sign * benefitCents, deductionCents: sign * deductionCents, period: on };
        };
        const charge = { ...anItem(index * 2, ''), ...amounts, month: toDay(one.month), booked: book(1, period) };
        if (!one.isCorrected && charge.month.startsWith('2026')) add(expected, 1, split);
        return one.isCorrected ? [charge, reversal(charge, index * 2 + 1, { booked: book(-1, later) })] : [charge];
      });
      const { months, grossCents, companyShareCents, difference, ...summary } = summarizeYear(items, rules);
      assert.deepEqual(summary, { ...expected, exported });
      assert.equal(grossCents, companyShareCents + summary.deductionCents);
      const lasting = tickets.filter(({ isCorrected, month }) => !isCorrected && month <= 12);
      assert.equal(months.length, lasting.length);
      assert.equal(difference === null, JSON.stringify(expected) === JSON.stringify(exported));
      if (difference !== null) differing++;
    }),
    { numRuns: runsOf(1000) },
  );
  assert.ok(differing > runsOf(200), 'many differ');
});
