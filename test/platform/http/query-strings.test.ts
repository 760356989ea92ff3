import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Credentials, useApp } from '../../support/app.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { anEmployee, makeCompany, makeEmployees, makeKey } from '../../support/factories.ts';
import { type Operation, operations } from '../../support/openapi.ts';
import { makeOneOfEach, type Records, sampleOf } from '../../support/records.ts';

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
  const app = useApp();
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
