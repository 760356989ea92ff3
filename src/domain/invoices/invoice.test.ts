import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chargeFee, chargeTicket } from '../billing/charges.ts';
import { type ChargedSum, composeInvoice, composeLines, formatInvoiceNumber } from './invoice.ts';
import type { BuyerSettings, Seller } from './parties.ts';

const price = {
  validFrom: Temporal.PlainDate.from('2026-01-01'),
  listCents: 6300,
  taxPercent: 7,
  discountPercent: 5,
  discountSharePercent: 25,
};
const plan = { planType: 'fully-subsidized-plan', contributionCents: null } as const;

const tickets = (count: number): ChargedSum => {
  const { netCents, taxCents, grossCents } = chargeTicket(price, plan);
  return {
    chargeType: 'ticket-charge',
    taxPercent: 7,
    quantity: count,
    netCents: count * netCents,
    taxCents: count * taxCents,
    grossCents: count * grossCents,
  };
};

const sumOf = (sums: readonly { netCents: number; taxCents: number; grossCents: number }[]) =>
  (['netCents', 'taxCents', 'grossCents'] as const).map((key) => sums.reduce((sum, one) => sum + one[key], 0));

test('an invoice has one line per charge type and tax rate, equal to the items to the cent', () => {
  const fee: ChargedSum = {
    chargeType: 'service-charge',
    taxPercent: 19,
    quantity: 3,
    netCents: 450,
    taxCents: 86,
    grossCents: 536,
  };
  const { lines, taxes, ...totals } = composeLines([tickets(2), fee, tickets(1)]);
  assert.deepEqual(lines, [tickets(3), fee]);
  assert.deepEqual(taxes, [
    { taxPercent: 7, netCents: 3 * 5593, taxCents: 3 * 392 },
    { taxPercent: 19, netCents: 450, taxCents: 86 },
  ]);
  assert.deepEqual(totals, { netCents: 17229, taxCents: 1262, grossCents: 18491 });
});

test('a rounding line appears only where the tax would be too far from the rate', () => {
  assert.equal(composeLines([tickets(200)]).lines.length, 1);
  const { lines, taxes, grossCents } = composeLines([tickets(1000)]);
  assert.deepEqual(lines.slice(1), [
    { chargeType: 'rounding', taxPercent: 7, quantity: 1, netCents: 458, taxCents: -458, grossCents: 0 },
  ]);
  assert.deepEqual(taxes, [{ taxPercent: 7, netCents: 5593458, taxCents: 391542 }]);
  assert.equal(grossCents, 5985000);
});

const amounts = fc.record({
  listCents: fc.integer({ min: 1, max: 20_000 }),
  count: fc.integer({ min: 1, max: 200_000 }),
  fees: fc.array(
    fc.record({ netCents: fc.integer({ min: 1, max: 500 }), quantity: fc.integer({ min: 1, max: 9999 }) }),
  ),
});

test('charge lines and gross always equal the items, and the tax stays within a euro of its rate', () => {
  fc.assert(
    fc.property(amounts, ({ listCents, count, fees }) => {
      const ticket = chargeTicket({ ...price, listCents }, plan);
      const sums: ChargedSum[] = [
        {
          chargeType: 'ticket-charge',
          taxPercent: 7,
          quantity: count,
          netCents: ticket.netCents * count,
          taxCents: ticket.taxCents * count,
          grossCents: ticket.grossCents * count,
        },
        ...fees.flatMap(({ netCents, quantity }): ChargedSum[] => {
          const fee = chargeFee(
            { chargeType: 'service-charge', validFrom: price.validFrom, netCents, taxPercent: 19 },
            quantity,
          );
          return fee === null ? [] : [{ chargeType: 'service-charge', taxPercent: 19, quantity, ...fee }];
        }),
      ];
      const { lines, taxes, ...totals } = composeLines(sums);
      assert.deepEqual(sumOf(lines.filter(({ chargeType }) => chargeType !== 'rounding')), sumOf(sums));
      assert.equal(totals.grossCents, sumOf(sums)[2]);
      assert.equal(totals.netCents + totals.taxCents, totals.grossCents);
      assert.deepEqual(sumOf([totals]), sumOf(lines));
      for (const { taxPercent, netCents, taxCents } of taxes) {
        assert.ok(Math.abs(taxCents - (netCents * taxPercent) / 100) < 100);
      }
    }),
  );
});

const seller = { name: 'Seller', paymentDays: 30 } as Seller;
const buyer: BuyerSettings = {
  legalName: null,
  street: 'Street 1',
  postCode: '1',
  city: 'City',
  country: null,
  vatId: null,
  invoiceEmail: null,
  buyerReference: null,
};
const company = { id: 7, name: 'Acme', locale: 'de-DE', currency: 'EUR' };
const day = (text: string) => Temporal.PlainDate.from(text);

test('an invoice is due after the days of payment and covers its month', () => {
  const occasion = { kind: 'invoice', period: day('2026-02-01'), issuedOn: day('2026-02-01') } as const;
  const invoice = composeInvoice({ seller, buyer, company }, occasion, [tickets(1)]);
  assert.equal(invoice.dueOn, '2026-03-03');
  assert.deepEqual([invoice.periodFrom, invoice.periodUntil], ['2026-02-01', '2026-02-28']);
  assert.deepEqual([invoice.buyer.name, invoice.buyer.country, invoice.buyer.customer], ['Acme', 'DE', '7']);
});

test('a credit note covers the months that it corrects', () => {
  const corrects = ['2026-03-01', '2026-01-01'];
  const occasion = { kind: 'credit-note', period: day('2026-05-01'), issuedOn: day('2026-05-01'), corrects } as const;
  const note = composeInvoice({ seller, buyer, company }, { ...occasion, corrects: [...corrects] }, [tickets(1)]);
  assert.deepEqual([note.period, note.periodFrom, note.periodUntil], ['2026-05-01', '2026-01-01', '2026-03-31']);
});

test('numbers have a fixed length, which grows when they do', () => {
  assert.equal(formatInvoiceNumber(17), 'TB-000017');
  assert.equal(formatInvoiceNumber(1_234_567), 'TB-1234567');
});
