import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { planTypes, subscriptionStatuses } from '../../../src/domain/enums.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { runsOf } from '../../support/domain/runs.ts';
import {
  anEmployee,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeDocument,
  makeEmployees,
  makeIntegration,
  makeKey,
  makePayrollExport,
} from '../../support/factories.ts';
import { makeInvoice } from '../../support/invoicing.ts';
import { type Operation, operations } from '../../support/openapi.ts';
import { makeOneOfEach, type Records, sampleOf } from '../../support/records.ts';

const app = useApp();

/** Values at the limits of what parameters allow. The tests also use arbitrary values. */
const oddValues = [
  '',
  'null',
  '0',
  '1',
  '-1',
  '100',
  '101',
  '1.5',
  '1e3',
  '٣',
  '9007199254740991',
  '9007199254740992',
  '99999999999999999999',
  'asc',
  'desc',
  'id',
  'createdAt',
  'billedAt',
  'active',
  'ticket-charge',
  'split-pay-plan',
  'api-integration',
  '2026-11-01',
  '2026-11-02',
  '2026-02-30',
  '0000-01-01',
  '9999-12-01',
  '%',
  '_',
  '\\',
  "' or 1=1 --",
  '\u0000',
  '\ud83d\ude83',
  'müller',
  '{}',
  '[]',
  'true',
  'a'.repeat(600),
  '1,2,3',
  ',',
  'a@b.c',
];

const value = fc.oneof(
  fc.constantFrom(...oddValues),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.integer().map(String),
);

function queryOf(operation: Operation): fc.Arbitrary<string> {
  const known = operation.parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
  const names = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known, 'unknown') },
    { weight: 2, arbitrary: fc.constantFrom(...known, 'x').map((name) => `${name}[]`) },
    { weight: 1, arbitrary: fc.constantFrom(...known, 'x').map((name) => `${name}[0]`) },
    { weight: 1, arbitrary: fc.string() },
  );
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  const pair = fc.oneof(
    { weight: 9, arbitrary: fc.tuple(names, value).map(([name, text]) => `${encode(name)}=${encode(text)}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%zz=1', 'search=%FF', '&&', '=', 'page', 'page=+1', 'ids=%2c', 'search=%00'),
    },
  );
  return fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join('&'));
}

const reading = operations.filter(({ method }) => method === 'GET');

describe('generated query strings', () => {
  let key: Credentials;
  let records: Records;

  before(async () => {
    const company = await makeCompany(app.db);
    records = await makeOneOfEach(app, company);
    await makeEmployees(
      app.db,
      company,
      Array.from({ length: 12 }, () => anEmployee()),
    );
    key = await makeKey(app.db, company);
  });

  for (const operation of reading.filter(({ parameters }) =>
    parameters.some((parameter) => parameter.in === 'query'),
  )) {
    it(`${operation.operationId} returns 200 or a documented 400, whatever the query`, async () => {
      await fc.assert(
        fc.asyncProperty(queryOf(operation), async (query) => {
          const { status, body } = await app.request(`${sampleOf(operation, records)}?${query}`, { key });
          assert(status === 200 || status === 400, `answered ${status}`);
          if (status === 400) assert(body.errors.length > 0);
        }),
        { numRuns: runsOf(300) },
      );
    });
  }

  const anyId = fc.oneof(
    value.filter((text) => text !== ''),
    fc.bigInt().map(String),
    fc.string({ minLength: 90, maxLength: 2000 }),
  );
  for (const operation of reading.filter(({ path }) => path.includes('{'))) {
    it(`${operation.operationId} returns no 5xx, whatever its path contains`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyId, { minLength: 2, maxLength: 2 }), async (ids) => {
          const parts = ids.map((id) => encodeURIComponent(id.toWellFormed()).replaceAll('.', '%2E'));
          const path = operation.path.replace(/\{\w+\}/g, () => parts.pop() ?? '1');
          const { status } = await app.request(path, { key });
          assert(status < 500, `answered ${status}`);
        }),
        { numRuns: runsOf(150) },
      );
    });
  }
});

const lists = operations.filter(
  ({ parameters, path }) => parameters.some(({ name }) => name === 'perPage') && !path.includes('{'),
);

describe('walking the pages of a list', () => {
  let key: Credentials;
  const expected: Record<string, number> = {};

  before(async () => {
    const company = await makeCompany(app.db);
    key = await makeKey(app.db, company);
    // Use few distinct timestamps, so that most neighbours are ties.
    const employees = Array.from({ length: 57 }, (_, n) =>
      anEmployee({
        subscription_status: subscriptionStatuses[n % 7] ?? 'active',
        plan_type: planTypes[n % 2] ?? 'deferred-plan',
        created_at: `2026-0${1 + (n % 3)}-01T00:00:00Z`,
        updated_at: `2026-0${1 + (n % 4)}-01T00:00:00Z`,
      }),
    );
    const ids = await makeEmployees(app.db, company, employees);
    const periods = ['2026-09-01', '2026-10-01', '2026-11-01'];
    await makeBillingItems(
      app.db,
      company,
      ids.map((id, n) =>
        aTicketCharge(id, { period: periods[n % 3] ?? '', billed_at: `2026-11-0${1 + (n % 2)}T00:00:00Z` }),
      ),
    );
    for (let n = 0; n < 13; n++) await makeDocument(app.db, company, { employeeId: ids[n] ?? null });
    for (let n = 0; n < 9; n++) await makeIntegration(app.db, company);
    for (let n = 0; n < 11; n++) await makePayrollExport(app.db, company, { period: periods[n % 3] ?? '' });
    for (let n = 1; n < 9; n++) await makeInvoice(app.db, company, undefined, { period: `2026-0${n}-01`, number: n });
    Object.assign(expected, {
      '/employees': 57,
      '/billing/items': 57,
      '/employee-documents': 13,
      '/hr-integrations': 9,
      '/billing/payroll-exports': 11,
      '/billing/invoices': 8,
    });
  });

  for (const { path, parameters, operationId } of lists) {
    const wordsOf = (name: string) =>
      (parameters.find((parameter) => parameter.name === name)?.schema.enum as (string | null)[] | undefined)?.filter(
        (word) => word !== null,
      );
    it(`${operationId} returns each row exactly once, in any sort and page size`, async () => {
      const sort = fc.record({
        sortOrder: fc.constantFrom(...(wordsOf('sortOrder') ?? [])),
        ...(wordsOf('sortField') ? { sortField: fc.constantFrom(...(wordsOf('sortField') ?? [])) } : {}),
        perPage: fc.integer({ min: 3, max: 60 }).map(String),
      });
      await fc.assert(
        fc.asyncProperty(sort, async (query) => {
          const seen: number[] = [];
          for (let page = 1, pages = 1; page <= pages; page++) {
            const search = new URLSearchParams({ ...query, page: String(page) });
            const { body } = await app.request(`${path}?${search}`, { key });
            assert.equal(body.data.total, expected[path]);
            pages = body.data.totalPages;
            seen.push(...body.data.data.map((row: { id: number }) => row.id));
          }
          assert.equal(seen.length, expected[path]);
          assert.equal(new Set(seen).size, seen.length);
          if (!query.sortField || query.sortField === 'id') {
            const sorted = seen.toSorted((a, b) => (query.sortOrder === 'asc' ? a - b : b - a));
            assert.deepEqual(seen, sorted);
          }
        }),
        { numRuns: runsOf(25) },
      );
    });
  }
});

/**
 * This model states the rule of the contract as simply as possible: two texts match when they differ only in case,
 * accents or the spelling of umlauts. It lists every spelling instead of folding to one.
 */
const umlauts: Record<string, string[]> = { ä: ['a', 'ae'], ö: ['o', 'oe'], ü: ['u', 'ue'], ß: ['ss'] };

const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[éèêë]/g, 'e')
    .replace('ł', 'l')
    .replace('ç', 'c');

function spellings(text: string): Set<string> {
  let all = [''];
  for (const letter of plain(text)) {
    const ways = umlauts[letter] ?? [letter];
    all = all.flatMap((start) => ways.map((way) => start + way));
  }
  return new Set(all.flatMap((spelling) => [spelling, spelling.replace(/([aou])e/g, '$1')]));
}

function occurs(word: string, field: string): boolean {
  const fields = [...spellings(field)];
  return [...spellings(word)].some((form) => fields.some((text) => text.includes(form)));
}

const names = [
  'Müller',
  'Mueller',
  'Muller',
  'Groß',
  'Gross',
  'Zoë',
  'Łukasz',
  'Lukasz',
  'José',
  'Jose',
  'Özil',
  'Oezil',
  'Sue',
  'Su',
  'Aebi',
  'Çelik',
  '100%',
  'a_b',
  'c\\d',
  'Anna-Lena',
  'von der Höh',
];

const employees = names.flatMap((last, n) => [
  { first: names[(n + 5) % names.length] ?? '', last, email: `p${n}@example.com` },
  { first: 'Kim', last, email: `kim.${n}@firma-süd.example` },
]);

describe('searching employees', () => {
  let key: Credentials;
  before(async () => {
    const company = await makeCompany(app.db);
    key = await makeKey(app.db, company);
    const rows = employees.map(({ first, last, email }) => anEmployee({ first_name: first, last_name: last, email }));
    await makeEmployees(app.db, company, rows);
  });

  const words = fc.oneof(
    fc.constantFrom(
      ...names,
      'ELLE',
      'ue',
      'e',
      'u',
      'ss',
      'ß',
      '%',
      '_',
      '\\',
      'kim',
      'example',
      'süd',
      'sued',
      'sud',
      'xyz',
      '@',
    ),
    fc
      .tuple(fc.constantFrom(...names), fc.nat(4), fc.nat(6))
      .map(([name, from, length]) => name.slice(from, from + length)),
  );

  it('finds exactly those that the model finds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 3 }), fc.boolean(), async (given, upper) => {
        const search = given.join(' ');
        const sent = upper ? search.toUpperCase() : search;
        const wanted = search.split(/\s+/).filter(Boolean);
        const expected = employees.filter(({ first, last, email }) =>
          wanted.every((word) => [first, last, email].some((field) => occurs(word, field))),
        );
        const { body } = await app.request(`/employees?perPage=100&search=${encodeURIComponent(sent)}`, { key });
        const found = body.data.data.map((row: { email: string }) => row.email).sort();
        assert.deepEqual(found, expected.map(({ email }) => email).sort());
        assert.equal(body.data.total, expected.length);
      }),
      { numRuns: runsOf(400) },
    );
  });
});
