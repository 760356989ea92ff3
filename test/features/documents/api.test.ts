import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { behavesLikeEveryList, idsOf } from '../../support/api/every-list.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { expectedDocument, linkTo, onePage } from '../../support/api/expected.ts';
import { assertInvalid, assertProblem, withoutRequestId } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeDocument, makeEmployee, makeKey, useCompany } from '../../support/factories.ts';
import { updateRows } from '../../support/rows.ts';

const app = useApp();

describe('GET /employee-documents/{id}', () => {
  const company = useCompany(app, ['view-employees']);
  const { key } = company;
  let employeeId: number;
  let id: number;
  let foreignId: number;
  before(async () => {
    employeeId = await makeEmployee(app.db, company.companyId);
    const file = await app.documents.put(company.companyId, 'pdf', Buffer.from('%PDF-1.7'));
    id = await makeDocument(app.db, company.companyId, { employeeId, name: 'Ticket "11/2026"', file });
    foreignId = await makeDocument(app.db, await makeCompany(app.db));
  });

  isFoundByItsId(() => ({ app, key, id, foreignId, pathOf: (any) => `/employee-documents/${any}` }));

  it('returns all fields of the document', async () => {
    await updateRows(
      app.db,
      'documents',
      { id },
      { created_at: '2026-11-01T00:06:00.000001Z', updated_at: '2026-11-01T00:06:12.9Z' },
    );
    const { status, body } = await app.request(`/employee-documents/${id}`, { key });
    assert.equal(status, 200);
    const times = { createdAt: '2026-11-01T00:06:00Z', updatedAt: '2026-11-01T00:06:12Z' };
    assert.deepEqual(body, { data: expectedDocument(id, { employeeId, documentName: 'Ticket "11/2026"', ...times }) });
  });

  it('returns the same record as the list', async () => {
    const { body } = await app.request(`/employee-documents/${id}`, { key });
    const listed = (await app.request(`/employees/${employeeId}/documents`, { key })).body.data.data;
    assert.deepEqual(listed, [body.data]);
  });

  it('has no download link before it is rendered, and no employee link without an owner', async () => {
    const pending = await makeDocument(app.db, company.companyId, { employeeId: null });
    const { data } = (await app.request(`/employee-documents/${pending}`, { key })).body;
    assert.equal(data.employeeId, null);
    assert.equal(data.downloadable, false);
    assert.deepEqual(data._links, { self: linkTo(`/employee-documents/${pending}`) });
  });

  it('treats a removed document exactly like an unknown one', async () => {
    const removed = await makeDocument(app.db, company.companyId, { employeeId });
    await updateRows(app.db, 'documents', { id: removed }, { removed_at: '2026-11-10T00:00:00Z' });
    const response = await app.request(`/employee-documents/${removed}`, { key });
    assertProblem(response, 404, 'not-found');
    const unknown = await app.request('/employee-documents/999999999', { key });
    assert.deepEqual(withoutRequestId(response), withoutRequestId(unknown));
  });
});

describe('GET /employee-documents', () => {
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

describe('GET /employees/{id}/documents', () => {
  const company = useCompany(app, ['view-employees']);
  const { key } = company;
  let otherKey: Credentials;
  let owner: number;
  let foreignId: number;
  const ids: number[] = [];
  before(async () => {
    owner = await makeEmployee(app.db, company.companyId);
    const colleague = await makeEmployee(app.db, company.companyId);
    const other = await makeCompany(app.db);
    otherKey = await makeKey(app.db, other);
    foreignId = await makeEmployee(app.db, other);
    await makeDocument(app.db, other, { employeeId: foreignId });
    for (let number = 0; number < 13; number++) {
      ids.push(await makeDocument(app.db, company.companyId, { employeeId: owner }));
      await makeDocument(app.db, company.companyId, { employeeId: colleague });
      await makeDocument(app.db, company.companyId, { employeeId: null });
    }
  });

  behavesLikeEveryList(() => ({ app, key, path: `/employees/${owner}/documents`, ids, otherKey }));
  isFoundByItsId(() => ({ app, key, id: owner, foreignId, pathOf: (id) => `/employees/${id}/documents` }));

  it('returns all fields of a document', async () => {
    const employeeId = await makeEmployee(app.db, company.companyId);
    const bytes = Buffer.from('%PDF-1.7 bytes');
    const id = await makeDocument(app.db, company.companyId, {
      employeeId,
      name: 'Beitragsvereinbarung Müller',
      file: await app.documents.put(company.companyId, 'pdf', bytes),
    });
    await updateRows(
      app.db,
      'documents',
      { id },
      { created_at: '2026-11-01T00:06:00.999999Z', updated_at: '2026-11-01T01:06:12+01:00' },
    );
    const times = { createdAt: '2026-11-01T00:06:00Z', updatedAt: '2026-11-01T00:06:12Z' };
    const expected = expectedDocument(id, { employeeId, documentName: 'Beitragsvereinbarung Müller', ...times });
    assert.deepEqual((await app.request(`/employees/${employeeId}/documents`, { key })).body, onePage([expected]));
  });

  it('returns an empty list for an employee without documents', async () => {
    const employeeId = await makeEmployee(app.db, company.companyId);
    const { status, body } = await app.request(`/employees/${employeeId}/documents`, { key });
    assert.equal(status, 200);
    assert.deepEqual(body.data, { data: [], page: 1, perPage: 10, totalPages: 0, total: 0 });
  });

  it('searches only the documents of this employee', async () => {
    const employeeId = await makeEmployee(app.db, company.companyId);
    const wanted = await makeDocument(app.db, company.companyId, { employeeId, name: 'Kündigung Größe 100%' });
    await makeDocument(app.db, company.companyId, { employeeId, name: 'Ticket November' });
    await makeDocument(app.db, company.companyId, { employeeId: owner, name: 'Kündigung Größe 100%' });
    const find = async (search: string) =>
      idsOf(await app.request(`/employees/${employeeId}/documents?search=${encodeURIComponent(search)}`, { key }));
    for (const search of ['kündigung', 'KUENDIGUNG', 'kundigung', 'groesse ku', 'gröss 100%', '%']) {
      assert.deepEqual(await find(search), [wanted], search);
    }
    for (const search of ['kündigung november', '_', 'null']) assert.deepEqual(await find(search), [], search);
    await app.db
      .updateTable('documents')
      .set({ removed_at: '2026-11-10T00:00:00Z' })
      .where('name', 'like', 'Kündigung%')
      .execute();
    assert.deepEqual(await find('kündigung'), []);
  });

  it('returns an empty list, not 404, if the search finds nothing', async () => {
    const { status, body } = await app.request(`/employees/${owner}/documents?search=nothing-is-called-so`, { key });
    assert.equal(status, 200);
    assert.deepEqual(body.data, { data: [], page: 1, perPage: 10, totalPages: 0, total: 0 });
  });

  it('treats a removed employee exactly like an unknown one', async () => {
    const removed = await makeEmployee(app.db, company.companyId);
    await makeDocument(app.db, company.companyId, { employeeId: removed });
    const removedAt = { removed_at: '2026-11-10T00:00:00Z' };
    await app.db.updateTable('employees').set(removedAt).where('id', '=', removed).execute();
    await app.db.updateTable('documents').set(removedAt).where('employee_id', '=', removed).execute();
    const response = await app.request(`/employees/${removed}/documents`, { key });
    assertProblem(response, 404, 'not-found');
    const unknown = await app.request('/employees/999999999/documents', { key });
    assert.deepEqual(withoutRequestId(response), withoutRequestId(unknown));
  });

  it('treats the id of an employee of another company as unknown, whatever the query', async () => {
    for (const query of ['?perPage=0', '?page=99', '?search=x']) {
      assertProblem(await app.request(`/employees/${foreignId}/documents${query}`, { key }), 404, 'not-found');
    }
  });

  it('refuses NUL and very long searches', async () => {
    const path = `/employees/${owner}/documents`;
    assertInvalid(await app.request(`${path}?search=%00`, { key }), { search: 'pattern' });
    assertInvalid(await app.request(`${path}?search=${'x'.repeat(501)}`, { key }), { search: 'maxLength' });
    assertInvalid(await app.request(`${path}?search=a&search=b`, { key }), { search: 'repeated' });
  });

  it('reports an invalid id and invalid parameters together', async () => {
    const response = await app.request('/employees/abc/documents?perPage=101&sortOrder=up', { key });
    assertInvalid(response, { id: 'type', perPage: 'maximum', sortOrder: 'enum' });
  });
});
