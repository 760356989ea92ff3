import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { behavesLikeEveryList, idsOf } from '../../support/api/every-list.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { expectedDocument, onePage } from '../../support/api/expected.ts';
import { assertInvalid, assertProblem, withoutRequestId } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeDocument, makeEmployee, makeKey } from '../../support/factories.ts';
import { updateRows } from '../../support/rows.ts';

describe('GET /employees/{id}/documents', () => {
  const app = useApp();
  let companyId: CompanyId;
  let key: Credentials;
  let otherKey: Credentials;
  let owner: number;
  let foreignId: number;
  const ids: number[] = [];
  before(async () => {
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-employees']);
    owner = await makeEmployee(app.db, companyId);
    const colleague = await makeEmployee(app.db, companyId);
    const other = await makeCompany(app.db);
    otherKey = await makeKey(app.db, other);
    foreignId = await makeEmployee(app.db, other);
    await makeDocument(app.db, other, { employeeId: foreignId });
    for (let number = 0; number < 13; number++) {
      ids.push(await makeDocument(app.db, companyId, { employeeId: owner }));
      await makeDocument(app.db, companyId, { employeeId: colleague });
      await makeDocument(app.db, companyId, { employeeId: null });
    }
  });

  behavesLikeEveryList(() => ({ app, key, path: `/employees/${owner}/documents`, ids, otherKey }));
  isFoundByItsId(() => ({ app, key, id: owner, foreignId, pathOf: (id) => `/employees/${id}/documents` }));

  it('returns all fields of a document', async () => {
    const employeeId = await makeEmployee(app.db, companyId);
    const bytes = Buffer.from('%PDF-1.7 bytes');
    const id = await makeDocument(app.db, companyId, {
      employeeId,
      name: 'Beitragsvereinbarung Müller',
      file: await app.documents.put(companyId, 'pdf', bytes),
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
    const employeeId = await makeEmployee(app.db, companyId);
    const { status, body } = await app.request(`/employees/${employeeId}/documents`, { key });
    assert.equal(status, 200);
    assert.deepEqual(body.data, { data: [], page: 1, perPage: 10, totalPages: 0, total: 0 });
  });

  it('searches only the documents of this employee', async () => {
    const employeeId = await makeEmployee(app.db, companyId);
    const wanted = await makeDocument(app.db, companyId, { employeeId, name: 'Kündigung Größe 100%' });
    await makeDocument(app.db, companyId, { employeeId, name: 'Ticket November' });
    await makeDocument(app.db, companyId, { employeeId: owner, name: 'Kündigung Größe 100%' });
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
    const removed = await makeEmployee(app.db, companyId);
    await makeDocument(app.db, companyId, { employeeId: removed });
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
