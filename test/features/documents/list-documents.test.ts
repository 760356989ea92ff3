import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { behavesLikeEveryList, idsOf } from '../../support/api/every-list.ts';
import { expectedDocument, onePage } from '../../support/api/expected.ts';
import { assertInvalid } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeDocument, makeEmployee, makeKey } from '../../support/factories.ts';
import { updateRows } from '../../support/rows.ts';

describe('GET /employee-documents', () => {
  const app = useApp();
  let key: Credentials;
  let otherKey: Credentials;
  const ids: number[] = [];
  before(async () => {
    const companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-employees']);
    otherKey = await makeKey(app.db, await makeCompany(app.db));
    const other = await makeCompany(app.db);
    const owners = [null, await makeEmployee(app.db, companyId), await makeEmployee(app.db, companyId)];
    for (let number = 0; number < 17; number++) {
      ids.push(await makeDocument(app.db, companyId, { employeeId: owners[number % 3] ?? null }));
      await makeDocument(app.db, other);
    }
  });

  behavesLikeEveryList(() => ({ app, key, path: '/employee-documents', ids, otherKey }));

  it('reports all invalid parameters together', async () => {
    const response = await app.request('/employee-documents?search=%00&page=x&perPage=-1&sortOrder=1', { key });
    assertInvalid(response, { search: 'pattern', page: 'type', perPage: 'minimum', sortOrder: 'enum' });
  });

  describe('of a company with a few documents', () => {
    let companyId: CompanyId;
    let few: Credentials;
    let employeeId: number;
    let owned: number;
    let ownerless: number;
    let image: number;
    before(async () => {
      companyId = await makeCompany(app.db);
      few = await makeKey(app.db, companyId, ['view-employees']);
      employeeId = await makeEmployee(app.db, companyId);
      const file = await app.documents.put(companyId, 'pdf', Buffer.from('%PDF-1.7'));
      owned = await makeDocument(app.db, companyId, { employeeId, name: 'Ticketbestätigung November', file });
      ownerless = await makeDocument(app.db, companyId, { name: 'Rahmenvertrag 100%_\\' });
      image = await makeDocument(app.db, companyId, {
        employeeId,
        name: 'Foto',
        fileType: 'png',
        file: await app.documents.put(companyId, 'png', Buffer.from('png')),
      });
      await updateRows(
        app.db,
        'documents',
        { company_id: companyId },
        { created_at: '2026-10-25T01:30:00.5Z', updated_at: '2026-12-31T23:59:59.999Z' },
      );
    });

    it('returns all fields, and only links that work', async () => {
      const times = { createdAt: '2026-10-25T01:30:00Z', updatedAt: '2026-12-31T23:59:59Z' };
      const photo = { documentName: 'Foto', documentFileType: 'png', downloadable: false };
      const contract = { documentName: 'Rahmenvertrag 100%_\\', downloadable: false };
      const expected = [
        expectedDocument(owned, { employeeId, documentName: 'Ticketbestätigung November', ...times }),
        expectedDocument(ownerless, { employeeId: null, ...contract, ...times }),
        expectedDocument(image, { employeeId, ...photo, ...times }),
      ];
      assert.deepEqual((await app.request('/employee-documents', { key: few })).body, onePage(expected));
    });

    const searches: [search: string, wanted: () => number[]][] = [
      ['ticketbestätigung', () => [owned]],
      ['TICKETBESTAETIGUNG', () => [owned]],
      ['november ticketbestatigung', () => [owned]],
      ['bestä', () => [owned]],
      ['ver', () => [ownerless]],
      ['o', () => [owned, image]],
      ['%', () => [ownerless]],
      ['_', () => [ownerless]],
      ['\\', () => [ownerless]],
      ['%_\\', () => [ownerless]],
      ['1_0', () => []],
      ['foto november', () => []],
      ['null', () => []],
    ];
    for (const [search, wanted] of searches) {
      it(`searches names for ${search}`, async () => {
        const path = `/employee-documents?search=${encodeURIComponent(search)}`;
        const response = await app.request(path, { key: few });
        assert.deepEqual(idsOf(response), wanted());
        assert.equal(response.body.data.total, wanted().length);
      });
    }

    it('also searches in descending order', async () => {
      const response = await app.request('/employee-documents?search=o&sortOrder=desc&perPage=1', { key: few });
      assert.deepEqual(idsOf(response), [image]);
      assert.deepEqual([response.body.data.total, response.body.data.totalPages], [2, 2]);
    });

    it('ignores an empty search', async () => {
      assert.equal((await app.request('/employee-documents?search=', { key: few })).body.data.total, 3);
      assert.equal((await app.request('/employee-documents?search=%20', { key: few })).body.data.total, 3);
    });

    it('hides documents of removed employees, with and without a search', async () => {
      await updateRows(
        app.db,
        'documents',
        { company_id: companyId, employee_id: employeeId },
        { removed_at: '2026-11-10T00:00:00Z' },
      );
      await sql`update document_counts set documents = 1 where company_id = ${companyId}`.execute(app.db);
      for (const query of ['', '?search=ver', '?sortOrder=desc']) {
        const response = await app.request(`/employee-documents${query}`, { key: few });
        assert.deepEqual(idsOf(response), [ownerless]);
        assert.equal(response.body.data.total, 1);
      }
      assert.equal((await app.request('/employee-documents?search=foto', { key: few })).body.data.total, 0);
    });
  });
});
