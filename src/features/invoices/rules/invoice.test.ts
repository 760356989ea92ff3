import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chargeFee, chargeTicket } from '../../billing/rules/charges.ts';
import type { BuyerSettings, Seller } from '../../companies/rules/parties.ts';
import {
  type ChargedSum,
  composeInvoice,
  formatInvoiceNumber,
  type TaxSubtotal,
  taxKey,
  totalCharges,
  totalCredits,
} from './invoice.ts';

const price = (listCents: number) => ({
  validFrom: Temporal.PlainDate.from('2026-01-01'),
  listCents,
  taxPercent: 7,
  discountPercent: 5,
  discountSharePercent: 25,
});
const plan = { planType: 'fully-subsidized-plan', contributionCents: null } as const;
const standard = { taxCategory: 'standard', taxPercent: 7 } as const;

const tickets = (quantity: number, listCents = 6300): ChargedSum => {
  const { grossCents } = chargeTicket(price(listCents), plan);
  return {
    ...standard,
    chargeType: 'ticket-charge',
    quantity,
    unitCents: grossCents,
    grossCents: quantity * grossCents,
  };
};

const fee = (quantity: number, netCents: number, taxPercent = 19): ChargedSum => {
  const charge = chargeFee(
    { chargeType: 'service-charge', validFrom: Temporal.PlainDate.from('2026-01-01'), netCents, taxPercent },
    quantity,
  );
  const taxCategory = taxPercent === 0 ? 'reverse-charge' : 'standard';
  const grossCents = charge?.grossCents ?? 0;
  return { chargeType: 'service-charge', taxCategory, taxPercent, quantity, unitCents: netCents, grossCents };
};

const sumOf = <K extends string>(rows: readonly Record<K, number>[], key: K) =>
  rows.reduce((sum, row) => sum + row[key], 0);

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

const compose = (sums: readonly ChargedSum[], taxes?: TaxSubtotal[]) =>
  composeInvoice(
    { seller, buyer, company },
    { kind: 'invoice', period: day('2026-02-01'), issuedOn: day('2026-02-01') },
    sums,
    taxes,
  );

test('tax is calculated from the gross sum of a rate and rounded once', () => {
  const { taxes, netCents, taxCents, grossCents } = compose([tickets(157)]);
  assert.equal(grossCents, 157 * 5985);
  // 9,396.45 / 1.07 = 8,781.73. The tickets, each of which is rounded, would add up to 615.44 of tax.
  assert.deepEqual([netCents, taxCents], [878173, 61472]);
  assert.deepEqual(taxes, [{ ...standard, netCents: 878173, taxCents: 61472 }]);
});

test('an invoice has one line per charge type, price and tax, with quantity and price', () => {
  const { lines } = compose([tickets(2), fee(3, 150), tickets(1), tickets(4, 6000)]);
  assert.deepEqual(
    lines.map(({ chargeType, quantity, unitCents, netCents, grossCents }) => [
      chargeType,
      quantity,
      unitCents,
      netCents,
      grossCents,
    ]),
    [
      ['ticket-charge', 3, 5985, 16780, 17955],
      ['service-charge', 3, 150, 450, 536],
      ['ticket-charge', 4, 5700, 21309, 22800],
    ],
  );
});

const charges = fc.array(
  fc.oneof(
    fc
      .record({ listCents: fc.integer({ min: 1, max: 20_000 }), quantity: fc.integer({ min: 1, max: 100_000 }) })
      .map(({ listCents, quantity }) => tickets(quantity, listCents)),
    fc
      .record({
        netCents: fc.integer({ min: 1, max: 500 }),
        quantity: fc.integer({ min: 1, max: 100_000 }),
        taxPercent: fc.constantFrom(0, 7, 19),
      })
      .map(({ netCents, quantity, taxPercent }) => fee(quantity, netCents, taxPercent)),
  ),
  { minLength: 1, maxLength: 8 },
);

test('gross equals the items, each net amount is rounded once, and the lines add up to it', () => {
  fc.assert(
    fc.property(charges, (sums) => {
      const { lines, taxes, netCents, taxCents, grossCents } = compose(sums);
      assert.equal(grossCents, sumOf(sums, 'grossCents'));
      assert.equal(netCents + taxCents, grossCents);
      for (const tax of taxes) {
        const alike = lines.filter((line) => taxKey(line) === taxKey(tax));
        const gross = sumOf(alike, 'grossCents');
        assert.ok(Math.abs(tax.netCents - (gross * 100) / (100 + tax.taxPercent)) <= 0.5);
        assert.equal(sumOf(alike, 'netCents'), tax.netCents);
        assert.equal(sumOf(alike, 'taxCents'), tax.taxCents);
      }
      for (const line of lines) {
        const exact = (line.grossCents * 100) / (100 + line.taxPercent);
        assert.ok(Math.abs(line.netCents - exact) < 1, 'a line is rounded up or down, never further');
      }
    }),
  );
});

/** Charges, each with the parts in which it is credited, one after another. Whatever is left stays charged. */
const credited = fc.array(
  fc.record({
    listCents: fc.integer({ min: 1, max: 20_000 }),
    quantity: fc.integer({ min: 1, max: 100_000 }),
    parts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 4 },
);

test('credit notes never credit more tax than was charged, and exactly that if everything is credited', () => {
  fc.assert(
    fc.property(credited, fc.boolean(), (items, isAll) => {
      const charged = totalCharges(items.map(({ listCents, quantity }) => tickets(quantity, listCents)));
      let [tax, net, gross] = [0, 0, 0];
      const left = items.map(({ quantity }) => quantity);
      const rounds = Math.max(...items.map(({ parts }) => parts.length));
      for (let round = 0; round < rounds; round += 1) {
        const sums = items.flatMap(({ listCents, parts }, index) => {
          const rest = left[index] ?? 0;
          const isLast = isAll && round === rounds - 1;
          const count = isLast ? rest : Math.floor(rest * (parts[round] ?? 0));
          left[index] = rest - count;
          return count === 0 ? [] : [tickets(count, listCents)];
        });
        if (sums.length === 0) continue;
        const totals = totalCredits([{ charged, creditedCents: new Map([['standard 7', gross]]), sums }]);
        const note = compose(sums, totals);
        assert.equal(note.grossCents, sumOf(sums, 'grossCents'));
        assert.ok(note.taxCents >= 0 && note.netCents >= 0);
        assert.equal(sumOf(note.lines, 'netCents'), note.netCents);
        tax += note.taxCents;
        net += note.netCents;
        gross += note.grossCents;
      }
      assert.ok(tax <= sumOf(charged, 'taxCents'));
      assert.ok(net <= sumOf(charged, 'netCents'));
      if (isAll) assert.deepEqual([net, tax], [sumOf(charged, 'netCents'), sumOf(charged, 'taxCents')]);
    }),
  );
});

test('an invoice whose tax was rounded per ticket is credited in full too', () => {
  const charged = [{ taxPercent: 7, netCents: 1000 * 5593, taxCents: 1000 * 392 }];
  const first = totalCredits([{ charged, creditedCents: new Map(), sums: [tickets(400)] }]);
  const credited = new Map([['standard 7', 400 * 5985]]);
  const rest = totalCredits([{ charged, creditedCents: credited, sums: [tickets(600)] }]);
  assert.deepEqual(
    [sumOf([...first, ...rest], 'netCents'), sumOf([...first, ...rest], 'taxCents')],
    [1000 * 5593, 1000 * 392],
  );
});

test('credits of several invoices are added up, each from its own total', () => {
  const charged = totalCharges([tickets(1)]);
  const credit = { charged, creditedCents: new Map<string, number>(), sums: [tickets(1)] };
  const [total] = totalCredits([credit, credit, { ...credit, charged: null }]);
  assert.deepEqual(total, { ...standard, netCents: 3 * 5593, taxCents: 3 * 392 });
});

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
