import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { expectedDocument, linkTo } from '../../support/api/expected.ts';
import { assertProblem, withoutRequestId } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeDocument, makeEmployee, makeKey } from '../../support/factories.ts';
import { updateRows } from '../../support/rows.ts';

describe('GET /employee-documents/{id}', () => {
  const app = useApp();
  let companyId: CompanyId;
  let key: Credentials;
  let employeeId: number;
  let id: number;
  let foreignId: number;
  before(async () => {
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-employees']);
    employeeId = await makeEmployee(app.db, companyId);
    const file = await app.documents.put(companyId, 'pdf', Buffer.from('%PDF-1.7'));
    id = await makeDocument(app.db, companyId, { employeeId, name: 'Ticket "11/2026"', file });
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
    const pending = await makeDocument(app.db, companyId, { employeeId: null });
    const { data } = (await app.request(`/employee-documents/${pending}`, { key })).body;
    assert.equal(data.employeeId, null);
    assert.equal(data.downloadable, false);
    assert.deepEqual(data._links, { self: linkTo(`/employee-documents/${pending}`) });
  });

  it('treats a removed document exactly like an unknown one', async () => {
    const removed = await makeDocument(app.db, companyId, { employeeId });
    await updateRows(app.db, 'documents', { id: removed }, { removed_at: '2026-11-10T00:00:00Z' });
    const response = await app.request(`/employee-documents/${removed}`, { key });
    assertProblem(response, 404, 'not-found');
    const unknown = await app.request('/employee-documents/999999999', { key });
    assert.deepEqual(withoutRequestId(response), withoutRequestId(unknown));
  });
});
