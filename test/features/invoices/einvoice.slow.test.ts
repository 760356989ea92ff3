import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chargeTypes, feeTypes, type TaxCategory } from '../../../src/domain/enums.ts';
import { testMark } from '../../../src/domain/test-mark.ts';
import { chargeFee, chargeTicket } from '../../../src/features/billing/rules/charges.ts';
import { feeTaxCategory, taxPercentOf } from '../../../src/features/billing/rules/tax.ts';
import type { PrintedInvoice } from '../../../src/features/invoices/printed.ts';
import { type ChargedSum, composeInvoice } from '../../../src/features/invoices/rules/invoice.ts';
import { writeCii } from '../../../src/features/invoices/xml/cii.ts';
import { writeUbl } from '../../../src/features/invoices/xml/ubl.ts';
import { rulesMissing, validateInvoices } from '../../support/einvoice-rules.ts';
import { testBuyer, testSeller } from '../../support/invoicing.ts';
import { seed } from '../../support/seed.ts';

const validFrom = Temporal.PlainDate.from('2026-01-01');

const ticketSum = fc
  .record({ listCents: fc.integer({ min: 100, max: 20_000 }), quantity: fc.integer({ min: 1, max: 100_000 }) })
  .map(({ listCents, quantity }): ChargedSum => {
    const price = { validFrom, listCents, taxPercent: 7, discountPercent: 5, discountSharePercent: 25 };
    const { grossCents } = chargeTicket(price, { planType: 'fully-subsidized-plan', contributionCents: null });
    return {
      chargeType: 'ticket-charge',
      taxCategory: 'standard',
      taxPercent: 7,
      quantity,
      unitCents: grossCents,
      grossCents: quantity * grossCents,
    };
  });

/** A fee as it is charged to a buyer who is taxed in one of the three ways. */
const feeSum = (taxCategory: TaxCategory) =>
  fc
    .record({
      chargeType: fc.constantFrom(...feeTypes),
      netCents: fc.integer({ min: 1, max: 100_000 }),
      quantity: fc.integer({ min: 1, max: 10_000 }),
    })
    .map(({ chargeType, netCents, quantity }): ChargedSum => {
      const taxPercent = taxPercentOf(taxCategory, 19);
      const fee = chargeFee({ chargeType, validFrom, netCents, taxPercent }, quantity);
      assert(fee);
      return { chargeType, taxCategory, taxPercent, quantity, unitCents: netCents, grossCents: fee.grossCents };
    });

const buyers = [
  { country: 'DE', vatId: 'DE987654321' },
  { country: 'DE', vatId: null },
  { country: 'AT', vatId: 'ATU12345678' },
  { country: 'GR', vatId: 'EL123456789' },
  { country: 'CH', vatId: 'CHE123456789' },
  { country: 'US', vatId: null },
] as const;

/** A buyer, with charges that are taxed as theirs are. Any of them may be all that is on the invoice. */
const buyerAndSums = fc.constantFrom(...buyers).chain((buyer) => {
  const category = feeTaxCategory(buyer);
  assert(category);
  return fc.record({
    buyer: fc.constant(buyer),
    sums: fc.array(fc.oneof(ticketSum, feeSum(category)), { minLength: 1, maxLength: chargeTypes.length * 2 }),
  });
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((value) => `A${value}`);

/** An invoice with random charges and names, as the service would write it. */
const invoice = fc
  .record({
    kind: fc.constantFrom('invoice', 'credit-note'),
    locale: fc.constantFrom('de-DE', 'en-GB'),
    name: text,
    street: text,
    city: text,
    optional: fc.boolean(),
    isTest: fc.boolean(),
    charged: buyerAndSums,
  })
  .map(({ kind, locale, name, street, city, optional, isTest, charged: { buyer, sums } }): PrintedInvoice => {
    const period = Temporal.PlainDate.from('2026-11-01');
    const address = { legalName: name, street, postCode: '1010', city, ...buyer };
    const none = { invoiceEmail: null, buyerReference: null };
    const seller = optional ? testSeller : { ...testSeller, taxNumber: null, bic: null };
    const content = composeInvoice(
      {
        seller,
        buyer: { ...testBuyer, ...address, ...(optional ? {} : none) },
        company: { id: 7, name, locale, currency: 'EUR' },
      },
      { kind: kind as 'invoice', period, issuedOn: period, corrects: kind === 'invoice' ? [] : ['2026-10-01'] },
      sums,
    );
    const preceding = kind === 'invoice' ? [] : [{ number: 'TB-000001', issuedOn: '2026-10-01' }];
    return { ...content, number: 'TB-000017', preceding, isTest };
  });

test('invoices with random charges pass the official rules of EN 16931 in both syntaxes', {
  skip: rulesMissing,
}, async () => {
  const invoices = fc.sample(invoice, { seed, numRuns: 40 });
  const files = Object.fromEntries(
    invoices.flatMap((one, index) => [
      [`${index}-cii`, writeCii(one)],
      [`${index}-ubl`, writeUbl(one)],
    ]),
  );
  const report = await validateInvoices(files);
  assert.equal(report.match(/, 0 failed$/gm)?.length, 2 * invoices.length, report);
});

test('invoices made outside of production say so in both syntaxes, and others do not', () => {
  const [one] = fc.sample(invoice, { seed, numRuns: 1 });
  assert(one);
  for (const write of [writeCii, writeUbl]) {
    assert(write({ ...one, isTest: true }).includes(testMark));
    assert(!write({ ...one, isTest: false }).includes('TEST'));
  }
});

test('the check itself finds a wrong sum', { skip: rulesMissing }, async () => {
  const [one] = fc.sample(invoice, { seed, numRuns: 1 });
  assert(one);
  const wrong = writeCii({ ...one, grossCents: one.grossCents + 1 });
  await assert.rejects(validateInvoices({ wrong }), /BR-CO-1\d/);
});
