import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prices, ticketPrice } from '../../../../test/support/domain/prices.ts';
import { runsOf } from '../../../../test/support/domain/runs.ts';
import { day } from '../../../../test/support/domain/scenario.ts';
import type { Plan } from '../../../domain/subscription/subscription.ts';
import { chargeFee, chargeTicket, type FeePrice, priceOn, type TicketPrice } from './charges.ts';

const fullySubsidized: Plan = { planType: 'fully-subsidized-plan', contributionCents: null };
const deferred: Plan = { planType: 'deferred-plan', contributionCents: null };
const splitPay = (contributionCents: number): Plan => ({ planType: 'split-pay-plan', contributionCents });

test('the price of a day is the newest valid one', () => {
  const table = [
    ['2023-04-30', undefined],
    ['2023-05-01', 4900],
    ['2024-02-29', 4900],
    ['2024-12-31', 4900],
    ['2025-01-01', 5800],
    ['2025-12-31', 5800],
    ['2026-01-01', 6300],
    ['2040-06-15', 6300],
  ] as const;
  for (const [date, listCents] of table) assert.equal(priceOn(prices, day(date))?.listCents, listCents, date);
  assert.equal(priceOn([], day('2026-01-01')), undefined);
});

test('a ticket costs, in every year and plan', () => {
  const table: [string, Plan, net: number, tax: number, gross: number, company: number, employee: number][] = [
    ['2024-12-31', fullySubsidized, 4350, 305, 4655, 4655, 0],
    ['2024-12-31', deferred, 4579, 321, 4900, 0, 4900],
    ['2025-12-31', fullySubsidized, 5150, 360, 5510, 5510, 0],
    ['2025-12-31', deferred, 5421, 379, 5800, 0, 5800],
    ['2026-01-01', fullySubsidized, 5593, 392, 5985, 5985, 0],
    ['2026-01-01', deferred, 5888, 412, 6300, 0, 6300],
    ['2026-01-01', splitPay(2000), 5593, 392, 5985, 3985, 2000],
    ['2026-01-01', splitPay(0), 5593, 392, 5985, 5985, 0],
    // The company pays exactly a quarter of the list price, then one cent less.
    ['2026-01-01', splitPay(4725), 5593, 392, 5985, 1260, 4725],
    ['2026-01-01', splitPay(4726), 5888, 412, 6300, 1574, 4726],
    ['2024-01-01', splitPay(3675), 4350, 305, 4655, 980, 3675],
    ['2024-01-01', splitPay(3676), 4579, 321, 4900, 1224, 3676],
    ['2026-01-01', splitPay(6299), 5888, 412, 6300, 1, 6299],
    ['2026-01-01', splitPay(6300), 5888, 412, 6300, 0, 6300],
    ['2026-01-01', splitPay(9900), 5888, 412, 6300, 0, 6300],
    // Only the split-pay plan has a contribution. A stored contribution of another plan is ignored.
    ['2026-01-01', { ...fullySubsidized, contributionCents: 2000 }, 5593, 392, 5985, 5985, 0],
    ['2026-01-01', { ...splitPay(0), contributionCents: null }, 5593, 392, 5985, 5985, 0],
  ];
  for (const [date, plan, netCents, taxCents, grossCents, companyShareCents, employeeShareCents] of table) {
    const price = priceOn(prices, day(date));
    assert.ok(price !== undefined);
    assert.deepEqual(
      chargeTicket(price, plan),
      { netCents, taxCents, grossCents, companyShareCents, employeeShareCents },
      `${date} ${plan.planType} ${plan.contributionCents}`,
    );
  }
});

test('a ticket rounds half a cent up, in the discount and in the tax', () => {
  const base = ticketPrice('2026-01-01', 0);
  const table: [Partial<TicketPrice>, Plan, gross: number, tax: number][] = [
    [{ listCents: 4990 }, fullySubsidized, 4741, 310],
    [{ listCents: 4989 }, fullySubsidized, 4740, 310],
    // A quarter of 63.01 is 15.7525, so 15.75 is not enough and 15.76 is.
    [{ listCents: 6301 }, splitPay(4725), 5986, 392],
    [{ listCents: 6301 }, splitPay(4726), 6301, 412],
    [{ listCents: 3, taxPercent: 20 }, deferred, 3, 1],
    [{ listCents: 1, taxPercent: 100 }, deferred, 1, 1],
    [{ listCents: 6300, taxPercent: 0 }, deferred, 6300, 0],
    [{ listCents: 0 }, fullySubsidized, 0, 0],
  ];
  for (const [price, plan, grossCents, taxCents] of table) {
    const charge = chargeTicket({ ...base, ...price }, plan);
    assert.deepEqual([charge.grossCents, charge.taxCents], [grossCents, taxCents], JSON.stringify(price));
  }
});

const feePrice = (netCents: number, taxPercent = 19): FeePrice => ({
  ...{ chargeType: 'service-charge', validFrom: day('2023-05-01') },
  ...{ netCents, taxPercent },
});

test('a fee is charged once per quantity', () => {
  const table: [netCents: number, quantity: number, taxPercent: number, expected: [number, number, number] | null][] = [
    [150, 1, 19, [150, 29, 179]],
    // Tax on the whole item is 85.5. Three times a rounded 29 would be 87.
    [150, 3, 19, [450, 86, 536]],
    [150, 2, 19, [300, 57, 357]],
    [150, 0, 19, null],
    [0, 1, 19, null],
    [0, 250_000, 19, null],
    [100, 250, 19, [25_000, 4750, 29_750]],
    [150, 250_000, 19, [37_500_000, 7_125_000, 44_625_000]],
    // Unrounded taxes of 9.31, 9.5, 9.69 and 47.5, then halves at other rates.
    [49, 1, 19, [49, 9, 58]],
    [50, 1, 19, [50, 10, 60]],
    [51, 1, 19, [51, 10, 61]],
    [250, 1, 19, [250, 48, 298]],
    [50, 1, 7, [50, 4, 54]],
    [5, 1, 10, [5, 1, 6]],
    [100, 1, 0, [100, 0, 100]],
  ];
  for (const [net, quantity, taxPercent, expected] of table) {
    const amounts = chargeFee(feePrice(net, taxPercent), quantity);
    const computed = amounts && [amounts.netCents, amounts.taxCents, amounts.grossCents];
    assert.deepEqual(computed, expected, `${net} × ${quantity} at ${taxPercent} %`);
  }
});

const cents = (max: number) => fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max }));
const percent = fc.integer({ min: 0, max: 100 });
const somePrice: fc.Arbitrary<TicketPrice> = fc.record({
  validFrom: fc.constant(day('2026-01-01')),
  listCents: cents(1_000_000_000_000),
  taxPercent: percent,
  discountPercent: percent,
  discountSharePercent: percent,
});
const somePlan: fc.Arbitrary<Plan> = fc.oneof(
  fc.constantFrom(fullySubsidized, deferred),
  cents(1_000_000_000_000).map(splitPay),
);
const someFee = fc.tuple(cents(1_000_000), percent).map(([net, taxPercent]) => feePrice(net, taxPercent));
const quantity = fc.integer({ min: 0, max: 250_000 });

/** Returns the fraction rounded half up, for integers of any size. */
const halfUp = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator);

const always = <T>(property: fc.IProperty<T>) => fc.assert(property, { numRuns: runsOf(1000) });

test('every ticket charge adds up and is rounded once', () => {
  always(
    fc.property(somePrice, somePlan, (price, plan) => {
      const charge = chargeTicket(price, plan);
      const { netCents, taxCents, grossCents, companyShareCents, employeeShareCents } = charge;
      assert.ok(Object.values(charge).every((value) => Number.isSafeInteger(value) && value >= 0));
      assert.equal(netCents + taxCents, grossCents);
      assert.equal(companyShareCents + employeeShareCents, grossCents);
      assert.equal(
        BigInt(taxCents),
        halfUp(BigInt(grossCents) * BigInt(price.taxPercent), BigInt(100 + price.taxPercent)),
      );
      const discounted = halfUp(BigInt(price.listCents) * BigInt(100 - price.discountPercent), 100n);
      assert.ok(grossCents === price.listCents || BigInt(grossCents) === discounted);
    }),
  );
});

// With a discount at stake it can: at 47.26 of 63.00 the company pays 15.74, at 47.25 only 12.60.
test('without a discount a higher contribution never makes the employee bear less or the company more', () => {
  always(
    fc.property(somePrice, cents(20_000), cents(20_000), (price, some, more) => {
      const lower = chargeTicket({ ...price, discountPercent: 0 }, splitPay(Math.min(some, more)));
      const higher = chargeTicket({ ...price, discountPercent: 0 }, splitPay(Math.max(some, more)));
      assert.ok(lower.employeeShareCents <= higher.employeeShareCents);
      assert.ok(lower.companyShareCents >= higher.companyShareCents);
    }),
  );
});

test('every fee adds up and is rounded once', () => {
  always(
    fc.property(someFee, quantity, (price, count) => {
      const amounts = chargeFee(price, count);
      assert.equal(amounts === null, price.netCents * count === 0);
      if (amounts === null) return;
      const { netCents, taxCents, grossCents } = amounts;
      assert.equal(BigInt(netCents), BigInt(price.netCents) * BigInt(count));
      assert.equal(BigInt(taxCents), halfUp(BigInt(netCents) * BigInt(price.taxPercent), 100n));
      assert.equal(netCents + taxCents, grossCents);
    }),
  );
});

test('more never costs less', () => {
  const nothing = { netCents: 0, taxCents: 0, grossCents: 0 };
  always(
    fc.property(someFee, quantity, fc.integer({ min: 0, max: 1000 }), (price, count, more) => {
      const some = chargeFee(price, count) ?? nothing;
      const others = chargeFee(price, count + more) ?? nothing;
      assert.ok(some.netCents <= others.netCents);
      assert.ok(some.taxCents <= others.taxCents);
      assert.ok(some.grossCents <= others.grossCents);
    }),
  );
});

test('the order of a price list does not matter', () => {
  const someDay = fc.integer({ min: 0, max: 2000 }).map((days) => day('2023-05-01').add({ days }));
  const list = fc.uniqueArray(
    someDay.map((validFrom) => ({ validFrom })),
    {
      selector: ({ validFrom }) => validFrom.toString(),
    },
  );
  always(
    fc.property(list, someDay, (some, date) => {
      const held = some.map(({ validFrom }) => validFrom.toString()).filter((from) => from <= date.toString());
      assert.equal(priceOn(some, date)?.validFrom.toString(), held.sort().at(-1));
      assert.equal(priceOn(some, date), priceOn(some.toReversed(), date));
    }),
  );
});
