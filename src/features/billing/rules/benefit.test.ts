import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prices } from '../../../../test/support/domain/prices.ts';
import { runsOf } from '../../../../test/support/domain/runs.ts';
import { day } from '../../../../test/support/domain/scenario.ts';
import { type BenefitRules, reverse, splitTicket, sumLine17 } from './benefit.ts';
import { chargeTicket, priceOn } from './charges.ts';

const at = (benefitValuation: number): BenefitRules => ({ taxTreatment: 'tax-free', benefitValuation });

test('the worked example: list 63.00, discount 3.15, price 59.85, valued at 96 %: 57.46', () => {
  const price = priceOn(prices, day('2026-11-01'));
  assert.ok(price);
  const { grossCents, employeeShareCents } = chargeTicket(price, {
    planType: 'fully-subsidized-plan',
    contributionCents: null,
  });
  assert.deepEqual([price.listCents, price.listCents - grossCents, grossCents], [6300, 315, 5985]);
  const amounts = splitTicket({ grossCents, employeeShareCents }, at(96));
  assert.deepEqual(amounts, { taxTreatment: 'tax-free', benefitCents: 5746, deductionCents: 0 });
  assert.equal(sumLine17([amounts]), 5746);
});

test('the benefit is the value less the employee share, never below 0', () => {
  const table: [gross: number, share: number, percent: number, benefit: number][] = [
    [5985, 0, 100, 5985],
    [5985, 2000, 100, 3985],
    [5985, 2000, 96, 3746],
    // Deferred: the employee pays the price, which is more than 96 % of it.
    [6300, 6300, 100, 0],
    [6300, 6300, 96, 0],
    [6300, 6100, 96, 0],
    [6300, 6048, 96, 0],
    [6300, 6047, 96, 1],
    // Half a cent is rounded up: 12.5 × 96 % of a cent is 12.00, and 0.13 × 96 % is 0.1248.
    [13, 0, 96, 12],
    [25, 0, 96, 24],
    [0, 0, 96, 0],
    [-5985, 0, 96, -5746],
    [-5985, -2000, 96, -3746],
    [-6300, -6300, 96, 0],
  ];
  for (const [grossCents, employeeShareCents, percent, benefitCents] of table) {
    const expected = { taxTreatment: 'tax-free', benefitCents, deductionCents: employeeShareCents };
    assert.deepEqual(
      splitTicket({ grossCents, employeeShareCents }, at(percent)),
      expected,
      `${grossCents} ${percent}`,
    );
  }
});

test('line 17 has the tax-free benefits only', () => {
  const flat = splitTicket({ grossCents: 5985, employeeShareCents: 0 }, { ...at(100), taxTreatment: 'flat-tax' });
  const free = splitTicket({ grossCents: 5985, employeeShareCents: 2000 }, at(96));
  assert.equal(sumLine17([free, flat, reverse(free), free]), 3746);
  assert.equal(sumLine17([]), 0);
});

test('a correction takes back its charge to the cent', () => {
  const shares = fc
    .tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([grossCents, part]) => ({ grossCents, employeeShareCents: Math.round(grossCents * part) }));
  fc.assert(
    fc.property(shares, fc.constantFrom(96, 100), (amounts, percent) => {
      const charge = splitTicket(amounts, at(percent));
      const negative = { grossCents: -amounts.grossCents, employeeShareCents: 0 - amounts.employeeShareCents };
      assert.deepEqual(splitTicket(negative, at(percent)), reverse(charge));
      assert.ok(charge.benefitCents >= 0 && charge.benefitCents + charge.deductionCents <= amounts.grossCents);
      if (percent === 100) assert.equal(charge.benefitCents + charge.deductionCents, amounts.grossCents);
    }),
    { numRuns: runsOf(500) },
  );
});
