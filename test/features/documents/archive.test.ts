import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { unzipSync } from 'fflate';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { anEmployee, makeCompany, makeEmployees } from '../../support/factories.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';

describe('an archive of documents', () => {
  const app = useApp();
  let company: CompanyId;
  let admin: PortalClient;
  let annas: number[];
  const pdfOf = (text: string) => Buffer.from(`%PDF-1.4\n${text}\n%%EOF`);

  before(async () => {
    company = await makeCompany(app.db);
    admin = await signIn(app, await makeUser(app, company));
    // Two people of the same name.
    annas = await makeEmployees(app.db, company, [
      anEmployee({ first_name: 'Anna', last_name: 'Müller' }),
      anEmployee({ first_name: 'Anna', last_name: 'Müller' }),
    ]);
    for (const id of annas) {
      const body = { name: 'Vereinbarung', content: pdfOf(`of ${id}`).toString('base64') };
      assert.equal((await admin.post(`/employees/${id}/documents`, body)).status, 201);
    }
  });

  it('has every file with the name of its employee, also if two are called the same', async () => {
    const { status, bytes, headers } = await admin.get('/documents/archive');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/zip');
    const files = unzipSync(bytes);
    assert.deepEqual(Object.keys(files).sort(), ['Vereinbarung Anna Müller (2).pdf', 'Vereinbarung Anna Müller.pdf']);
    const contents = Object.values(files).map((file) => Buffer.from(file).toString());
    assert.deepEqual(contents.sort(), annas.map((id) => pdfOf(`of ${id}`).toString()).sort());
    const { body } = await admin.get('/activity?action=document.');
    const downloads = (body.data.data as { action: string }[]).filter(({ action }) => action === 'document.download');
    assert.equal(downloads.length, 2);
  });

  it('has only what matches the filters, and nothing of other companies', async () => {
    const { bytes } = await admin.get(`/documents/archive?employeeId=${annas[1]}`);
    assert.deepEqual(Object.keys(unzipSync(bytes)), ['Vereinbarung Anna Müller.pdf']);
    const stranger = await signIn(app, await makeUser(app, await makeCompany(app.db)));
    assert.equal((await stranger.get(`/documents/archive?employeeId=${annas[1]}`)).status, 404);
    assert.equal((await admin.get('/documents/archive?search=nothing+at+all')).status, 404);
  });
});
