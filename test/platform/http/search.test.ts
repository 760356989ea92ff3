import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Credentials, useApp } from '../../support/app.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { anEmployee, makeCompany, makeEmployees, makeKey } from '../../support/factories.ts';

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
  const app = useApp();
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
