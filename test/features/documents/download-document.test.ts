import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { parse } from 'content-disposition';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { assertProblem, withoutRequestId } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeDocument, makeEmployee, makeKey } from '../../support/factories.ts';
import { updateRows } from '../../support/rows.ts';

describe('GET /employee-documents/{id}/download', () => {
  const app = useApp();
  let companyId: CompanyId;
  let key: Credentials;
  let id: number;
  let foreignId: number;
  // Larger than one chunk of a stream, and with every possible byte.
  const bytes = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  before(async () => {
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-employees']);
    id = await makePdf('Ticket confirmation November 2026', bytes);
    const other = await makeCompany(app.db);
    foreignId = await makeDocument(app.db, other, { file: await app.documents.put(other, 'pdf', bytes) });
  });

  async function makePdf(name: string, content = Buffer.from('%PDF-1.7')): Promise<number> {
    return makeDocument(app.db, companyId, { name, file: await app.documents.put(companyId, 'pdf', content) });
  }
  const download = (document: number, headers: Record<string, string> = {}) =>
    app.request(`/employee-documents/${document}/download`, { key, headers });

  isFoundByItsId(() => ({ app, key, id, foreignId, pathOf: (any) => `/employee-documents/${any}/download` }));

  it('returns the stored bytes as a PDF', async () => {
    const response = await download(id);
    assert.equal(response.status, 200);
    assert(response.bytes.equals(bytes));
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    assert.equal(response.headers.get('content-length'), '300000');
    assert.equal(response.headers.get('etag'), etag);
    assert.equal(
      response.headers.get('content-disposition'),
      'attachment; filename="Ticket confirmation November 2026.pdf"',
    );
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  });

  it('responds to HEAD with the headers of the file', async () => {
    const response = await app.request(`/employee-documents/${id}/download`, { method: 'HEAD', key });
    assert.equal(response.status, 200);
    assert.equal(response.bytes.length, 0);
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    assert.equal(response.headers.get('content-length'), '300000');
    assert.equal(response.headers.get('etag'), etag);
  });

  it('responds to many concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => download(id)));
    assert.deepEqual(
      responses.map((response) => response.bytes.equals(bytes)),
      responses.map(() => true),
    );
  });

  for (const [name, header] of [
    ['the very tag', etag],
    ['the weak form of the tag', `W/${etag}`],
    ['a list that contains the tag', `"other", W/"another" , ${etag}`],
    ['a list without spaces', `"other",${etag},"more"`],
    ['a star', '*'],
  ] as const) {
    it(`returns 304 without a body if If-None-Match is ${name}`, async () => {
      const response = await download(id, { 'if-none-match': header });
      assert.equal(response.status, 304);
      assert.equal(response.bytes.length, 0);
      assert.equal(response.headers.get('etag'), etag);
      assert.notEqual(response.headers.get('x-request-id'), null);
    });
  }

  for (const header of ['"other"', etag.slice(1, -1), etag.toUpperCase(), '""', `${etag.slice(0, -1)}0"`, 'W/', ',']) {
    it(`returns the file if If-None-Match is ${header.slice(0, 12)}…, which is a different tag`, async () => {
      const response = await download(id, { 'if-none-match': header });
      assert.equal(response.status, 200);
      assert(response.bytes.equals(bytes));
    });
  }

  it('changes the tag when the file changes', async () => {
    const other = await makePdf('Another', Buffer.from('%PDF-1.7 other'));
    const response = await download(other, { 'if-none-match': etag });
    assert.equal(response.status, 200);
    assert.notEqual(response.headers.get('etag'), etag);
  });

  for (const [name, fallback] of [
    ['Abo-Bestätigung', 'Abo-Bestaetigung.pdf'],
    ['Kündigung Größe ß', 'Kuendigung Groesse ss.pdf'],
    ['Fahrkarte 😀 🚋', 'Fahrkarte _ _.pdf'],
  ] as const) {
    it(`also names ${name} in ASCII, for clients without Unicode support`, async () => {
      const header = (await download(await makePdf(name))).headers.get('content-disposition') ?? '';
      assert.equal(/^attachment; filename="?([^";]*)/.exec(header)?.[1], fallback);
      assert.match(header, /filename\*=UTF-8''/);
    });
  }

  it('names the month and the employee in the file name', async () => {
    const employeeId = await makeEmployee(app.db, companyId, { first_name: 'Zoë', last_name: 'Müller-Lüdenscheidt' });
    const file = await app.documents.put(companyId, 'pdf', Buffer.from('%PDF-1.7'));
    const document = await makeDocument(app.db, companyId, { employeeId, name: 'Abo-Bestätigung', file });
    const headerOf = async () => (await download(document)).headers.get('content-disposition') ?? '';
    const ascii = /^attachment; filename="Abo-Bestaetigung Zoe Mueller-Luedenscheidt\.pdf"; filename\*=UTF-8''/;
    assert.match(await headerOf(), ascii);
    assert.equal(parse(await headerOf()).parameters.filename, 'Abo-Bestätigung Zoë Müller-Lüdenscheidt.pdf');
    await app.db
      .updateTable('documents')
      .set({ kind: 'subscription-confirmation', about: '2026-11-01', edition: '', created_at: '2026-10-14T10:00:00Z' })
      .where('company_id', '=', companyId)
      .where('id', '=', document)
      .execute();
    assert.equal(parse(await headerOf()).parameters.filename, 'Abo-Bestätigung 2026-10 Zoë Müller-Lüdenscheidt.pdf');
  });

  const names: [name: string, fileName: string][] = [
    ['Vertrag', 'Vertrag.pdf'],
    ['Vertrag.pdf', 'Vertrag.pdf'],
    ['Kündigung Größe ß', 'Kündigung Größe ß.pdf'],
    ['Fahrkarte 😀 🚋', 'Fahrkarte 😀 🚋.pdf'],
    ['"; filename="evil.exe', '; filename= evil.exe.pdf'],
    ['a\\"b', 'a b.pdf'],
    ['../../etc/passwd', 'etc passwd.pdf'],
    ['..\\..\\windows\\system32', 'windows system32.pdf'],
    ['/etc/passwd', 'etc passwd.pdf'],
    ['C:\\evil', 'C evil.pdf'],
    ['two\r\nX-Evil: yes\n\nlines', 'two X-Evil yes lines.pdf'],
    ['tab\tand\u0007bell\u007fdelete', 'tab and bell delete.pdf'],
    ['right\u202eto left\u200b', 'right to left.pdf'],
    ['..', 'document.pdf'],
    ['...', 'document.pdf'],
    ['/', 'document.pdf'],
    [' . ', 'document.pdf'],
    ['100%25 sicher %41', '100%25 sicher %41.pdf'],
    ['a;b,c=d', 'a;b,c=d.pdf'],
    ['日本語', '日本語.pdf'],
    ['x'.repeat(400), `${'x'.repeat(150)}.pdf`],
    [`${'x'.repeat(149)}😀😀`, `${'x'.repeat(149)}.pdf`],
  ];
  for (const [name, fileName] of names) {
    it(`names the file safely for ${JSON.stringify(name.slice(0, 40))}`, async () => {
      const response = await download(await makePdf(name));
      assert.equal(response.status, 200, response.bytes.toString());
      const header = response.headers.get('content-disposition') ?? '';
      assert.match(header, /^attachment; filename=([\w.-]+|"[\x20-\x7e]*")(; filename\*=UTF-8''[\w.!#$&+^`|~%-]*)?$/);
      assert.equal(parse(header).parameters.filename, fileName);
      assert.equal(response.headers.get('x-evil'), null);
    });
  }

  it('refuses a document whose file is not rendered yet', async () => {
    const pending = await makeDocument(app.db, companyId, { file: null });
    const response = await download(pending);
    assertProblem(response, 409, 'document-not-downloadable');
    assert.equal(response.headers.get('etag'), null);
  });

  it('refuses a document that is not a PDF, even with a matching tag', async () => {
    const file = await app.documents.put(companyId, 'png', Buffer.from('png'));
    const image = await makeDocument(app.db, companyId, { fileType: 'png', file });
    assertProblem(await download(image), 409, 'document-not-downloadable');
    assertProblem(await download(image, { 'if-none-match': '*' }), 409, 'document-not-downloadable');
  });

  it('treats documents of removed employees exactly like unknown ones', async () => {
    const employeeId = await makeEmployee(app.db, companyId);
    const file = await app.documents.put(companyId, 'pdf', bytes);
    const removed = await makeDocument(app.db, companyId, { employeeId, file });
    await updateRows(app.db, 'documents', { id: removed }, { removed_at: '2026-11-10T00:00:00Z' });
    const response = await download(removed, { 'if-none-match': etag });
    assertProblem(response, 404, 'not-found');
    assert.deepEqual(withoutRequestId(response), withoutRequestId(await download(999_999_999)));
  });

  it('never returns 304 to another company, whatever tag it sends', async () => {
    assertProblem(await download(foreignId, { 'if-none-match': etag }), 404, 'not-found');
    assertProblem(await download(foreignId, { 'if-none-match': '*' }), 404, 'not-found');
  });

  /**
   * Throws unless the client gets a 503 to retry later and the operator gets a log entry about it. The damage is
   * on our side and may be temporary.
   */
  async function assertUnreadable(document: number): Promise<void> {
    const response = await download(document);
    assertProblem(response, 503, 'unavailable');
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    for (const name of ['etag', 'content-disposition']) assert.equal(response.headers.get(name), null, name);
    const line = app.logs.find((text) => text.includes(response.body.requestId) && text.includes('stored file'));
    assert.equal(JSON.parse(line ?? '{}').documentId, document);
    assert.equal((await download(id)).status, 200);
  }

  it('returns 503 and logs an error if the file is missing', async () => {
    const file = await app.documents.put(companyId, 'pdf', bytes);
    const document = await makeDocument(app.db, companyId, { file });
    await app.documents.remove(file.key);
    await assertUnreadable(document);
  });

  for (const [name, content] of [
    ['shorter than it was', bytes.subarray(1)],
    ['longer than it was', Buffer.concat([bytes, bytes])],
    ['empty', Buffer.alloc(0)],
  ] as const) {
    it(`returns 503 and logs an error if the file is ${name}`, async () => {
      const file = await app.documents.put(companyId, 'pdf', bytes);
      const document = await makeDocument(app.db, companyId, { file });
      await writeFile(join(app.config.documentStore, file.key), content);
      await assertUnreadable(document);
    });
  }
});
