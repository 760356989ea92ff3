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
import { operations } from '../../support/openapi.ts';

const lists = operations.filter(
  ({ parameters, path }) => parameters.some(({ name }) => name === 'perPage') && !path.includes('{'),
);

describe('walking the pages of a list', () => {
  const app = useApp();
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
