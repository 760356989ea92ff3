import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prices } from '../../../../test/support/domain/prices.ts';
import { day } from '../../../../test/support/domain/scenario.ts';
import type { FeePrice, FeeQuantity } from './charges.ts';
import { forecastMonth, type PlannedMonth } from './forecast.ts';

const fee = (chargeType: FeePrice['chargeType'], validFrom: string, netCents: number): FeePrice => ({
  ...{ chargeType, validFrom: day(validFrom), netCents, taxPercent: 19 },
});
const fees = [
  fee('service-charge', '2023-05-01', 150),
  fee('hr-integration-charge', '2023-05-01', 100),
  fee('hr-integration-charge', '2026-01-01', 200),
];
const quantity = (chargeType: FeeQuantity['chargeType'], count: number, hrIntegrationId: number | null = null) => ({
  ...{ chargeType, quantity: count, hrIntegrationId },
});

const january: PlannedMonth = {
  month: day('2026-01-01'),
  tickets: [
    { planType: 'fully-subsidized-plan', contributionCents: null, tickets: 3 },
    { planType: 'split-pay-plan', contributionCents: 4726, tickets: 2 },
  ],
  quantities: [
    quantity('service-charge', 5),
    quantity('hr-integration-charge', 4, 1),
    quantity('hr-integration-charge', 1, 2),
    quantity('api-charge', 1),
  ],
  category: 'standard',
};

test('a forecast has the prices of its month, discounts and the tax of the company', () => {
  const table: [name: string, month: Partial<PlannedMonth>, tickets: number, fees: number][] = [
    // 3 × 59.85 and 2 × 63.00; 5 × 1.50, 4 × 2.00 and 1 × 2.00, each with 19 %. No price of an API fee is known.
    ['new prices', {}, 3 * 5985 + 2 * 6300, 893 + 952 + 238],
    ['prices of the month before', { month: day('2025-12-01') }, 3 * 5510 + 2 * 5800, 893 + 476 + 119],
    ['fees without tax', { category: 'reverse-charge' }, 3 * 5985 + 2 * 6300, 750 + 800 + 200],
    ['before the first price', { month: day('2023-04-01') }, 0, 0],
    ['nothing planned', { tickets: [], quantities: [] }, 0, 0],
  ];
  for (const [name, month, ticketCents, feeCents] of table) {
    const planned = { ...january, ...month };
    const tickets = planned.tickets.length > 0 ? 5 : 0;
    const { companyShareCents, employeeShareCents, feeTaxCents, ...costs } = forecastMonth(planned, {
      tickets: prices,
      fees,
    });
    assert.deepEqual(costs, { tickets, ticketCents, feeCents }, name);
    assert.equal(companyShareCents + employeeShareCents, ticketCents, name);
    assert.ok(feeTaxCents <= feeCents, name);
  }
});
