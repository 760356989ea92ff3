import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feeTaxCategory, listMissingOfBuyer } from '../../billing/rules/tax.ts';
import { hasLeitwegCheckDigits, isIban, isLeitwegLike, isVatId } from './identifiers.ts';
import { type BuyerSettings, findWrongBuyerField, readSeller } from './parties.ts';

const seller = {
  name: 'Transit Benefits GmbH',
  street: 'Lindenstr. 12',
  postCode: '10969',
  city: 'Berlin',
  country: 'DE',
  vatId: 'DE123456789',
  taxNumber: '37/123/45678',
  email: 'billing@example.com',
  phone: '+49 30 1234567',
  contact: 'Billing team',
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: 'cobadeffxxx',
  register: 'Amtsgericht Charlottenburg, HRB 123456 B',
  managingDirectors: 'Anna Beispiel, Max Muster',
  paymentDays: 14,
};

const problemsOf = (given: unknown) => {
  const read = readSeller(given);
  return 'problems' in read ? read.problems : [];
};

test('a seller is stored without spaces in its identifiers', () => {
  assert.deepEqual(readSeller(seller), {
    seller: { ...seller, iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
  });
});

test('tax number, BIC, register, managing directors and the days of payment may be left out', () => {
  const {
    taxNumber: _number,
    bic: _bic,
    paymentDays: _days,
    register: _register,
    managingDirectors: _names,
    ...others
  } = seller;
  const read = readSeller(others);
  assert.ok('seller' in read);
  const { taxNumber, bic, register, managingDirectors, paymentDays } = read.seller;
  assert.deepEqual([taxNumber, bic, register, managingDirectors, paymentDays], [null, null, null, null, 14]);
});

test('everything that is wrong with a seller is listed at once, with its place', () => {
  assert.deepEqual(
    problemsOf({
      ...seller,
      iban: 'DE88370400440532013000',
      country: 'Germany',
      phone: 7,
      paymentDays: -1,
      postcode: '1',
    }),
    [
      '"postcode" is not known: write "postCode"',
      '"country" must be a country code of two letters, such as DE',
      '"phone" must be a string',
      '"iban" must be an IBAN with the right check digits: compare it with a bank statement',
      '"paymentDays" must be a whole number from 0 to 365',
    ],
  );
  assert.deepEqual(problemsOf({ ...seller, name: ' ', email: 'nobody' }), [
    '"name" must not be empty',
    '"email" must be an email address, such as invoices@example.com',
  ]);
  assert.equal(problemsOf({}).filter((problem) => problem.endsWith('is missing')).length, 10);
  assert.match(problemsOf([])[0] ?? '', /^must be a JSON object/);
});

for (const [text, isRight] of [
  ['DE89370400440532013000', true],
  ['GB82WEST12345698765432', true],
  ['DE89370400440532013001', false],
  ['DE8937040044053201300', false],
  ['DE98370400440532013000', false],
  ['', false],
] as const) {
  test(`the IBAN ${text || '(empty)'} is ${isRight ? 'right' : 'wrong'}`, () => assert.equal(isIban(text), isRight));
}

for (const [text, isRight] of [
  ['DE123456789', true],
  ['ATU12345678', true],
  ['EL123456789', true],
  ['CHE123456789', true],
  ['DE12345678', false],
  ['123456789', false],
  ['GR123', false],
] as const) {
  test(`the VAT id ${text} is ${isRight ? 'right' : 'wrong'}`, () => assert.equal(isVatId(text), isRight));
}

test('the check digits of a Leitweg-ID are compared, and other references are left alone', () => {
  for (const right of ['04011000-1234512345-06', '991-33333TEST-33']) {
    assert.ok(isLeitwegLike(right) && hasLeitwegCheckDigits(right), right);
    assert.equal(findWrongBuyerField('buyerReference', right), undefined);
  }
  assert.match(findWrongBuyerField('buyerReference', '04011000-1234512345-60')?.key ?? '', /leitweg-id/);
  for (const other of ['PO-2026-17', '4711-12', 'Kostenstelle 42']) {
    assert.equal(findWrongBuyerField('buyerReference', other), undefined);
  }
});

test('an invoice needs the address of a buyer', () => {
  const nothing: BuyerSettings = {
    legalName: null,
    street: null,
    postCode: null,
    city: null,
    country: null,
    vatId: null,
    invoiceEmail: null,
    buyerReference: null,
  };
  assert.deepEqual(listMissingOfBuyer(nothing), ['street', 'postCode', 'city']);
  const address = { ...nothing, street: 'a', postCode: 'b', city: 'c' };
  assert.deepEqual(listMissingOfBuyer(address), []);
  assert.deepEqual(listMissingOfBuyer({ ...address, country: 'AT' }), ['vatId']);
});

test('fees are taxed by the country and the VAT id of the buyer', () => {
  const cases: [country: string | null, vatId: string | null, category: string | undefined][] = [
    [null, null, 'standard'],
    ['DE', null, 'standard'],
    ['DE', 'DE123456789', 'standard'],
    ['AT', 'ATU12345678', 'reverse-charge'],
    ['GR', 'EL123456789', 'reverse-charge'],
    ['MC', 'FR12345678901', 'reverse-charge'],
    ['AT', null, undefined],
    ['AT', 'DE123456789', undefined],
    ['GR', 'ATU12345678', undefined],
    ['CH', null, 'not-taxable'],
    ['CH', 'CHE123456789', 'not-taxable'],
    ['GB', 'XI123456789', 'not-taxable'],
  ];
  for (const [country, vatId, category] of cases)
    assert.equal(feeTaxCategory({ country, vatId }), category, `${country} ${vatId}`);
});
