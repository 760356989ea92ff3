import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { DocumentKind } from '../../../src/domain/enums.ts';
import { searchText } from '../../../src/domain/search.ts';
import type { ListedDocument } from '../../../src/features/documents/contract.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { anEmployee, makeCompany, makeDocument, makeEmployees } from '../../support/factories.ts';
import { makeInvoice } from '../../support/invoicing.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { insertRows, updateRows } from '../../support/rows.ts';

describe('the documents in the portal', () => {
  const app = useApp();
  let company: CompanyId;
  let client: PortalClient;
  let anna: number;
  let ben: number;

  /** Inserts a document that the service has written, without its file. */
  const addWritten = async (employeeId: number, kind: DocumentKind, about: string, name: string) => {
    const values = { company_id: company, employee_id: employeeId, kind, about, edition: '', name };
    await insertRows(app.db, 'documents', {
      ...values,
      search_text: searchText(name),
      file_type: 'pdf',
      created_at: `${about}T10:00:00Z`,
    });
    await app.db
      .updateTable('document_counts')
      .set((eb) => ({ documents: eb('documents', '+', 1) }))
      .where('company_id', '=', company)
      .execute();
  };

  before(async () => {
    company = await makeCompany(app.db);
    client = await signIn(app, await makeUser(app, company, 'payroll'));
    [anna = 0, ben = 0] = await makeEmployees(app.db, company, [
      anEmployee({ first_name: 'Anna', last_name: 'Zander' }),
      anEmployee({ first_name: 'Ben', last_name: 'Ohm' }),
    ]);
    await makeDocument(app.db, company, { name: 'Framework agreement' });
    await makeDocument(app.db, company, { name: 'Scan of a form', employeeId: ben, fileType: 'png' });
    await addWritten(anna, 'ticket-confirmation', '2026-10-01', 'Ticket confirmation October 2026');
    await addWritten(ben, 'ticket-confirmation', '2026-10-01', 'Ticket confirmation October 2026');
    await addWritten(anna, 'ticket-confirmation', '2026-11-01', 'Ticket confirmation November 2026');
    await addWritten(anna, 'contribution-agreement', '2026-10-31', 'Contribution agreement');
    await makeInvoice(app.db, company, app.documents);
  });

  const list = async (query: string) => {
    const { status, body } = await client.get(`/documents?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data as { data: ListedDocument[]; total: number };
  };
  const names = async (query: string) => (await list(query)).data.map(({ name }) => name);

  it('are no archive as long as some of them are being written', async () => {
    const { status, body } = await client.get(`/documents/archive?employeeId=${anna}`);
    assert.deepEqual([status, body.code], [409, 'document-not-downloadable']);
    assert.match(body.detail, /^3 of these documents are still being written/);
  });

  it('of employees are listed with their owners, newest first', async () => {
    const { data, total } = await list('');
    assert.equal(total, 5);
    assert.deepEqual(
      data.map(({ type, employee }) => `${type} ${employee?.firstName}`),
      [
        'contribution-agreement Anna',
        'ticket-confirmation Anna',
        'ticket-confirmation Ben',
        'ticket-confirmation Anna',
        'other Ben',
      ],
    );
    const [first] = data;
    assert.deepEqual(first?.employee, { id: anna, firstName: 'Anna', lastName: 'Zander' });
    assert.equal(first?.about, '2026-10-31');
  });

  it('are filtered by type, month, employee and name', async () => {
    assert.equal((await list('types=ticket-confirmation')).total, 3);
    assert.equal((await list('types=ticket-confirmation&period=2026-10-15')).total, 2);
    assert.equal((await list('period=2026-10-01')).total, 3);
    assert.deepEqual(await names(`employeeId=${ben}`), ['Ticket confirmation October 2026', 'Scan of a form']);
    assert.deepEqual(await names(`employeeId=${ben}&types=other`), ['Scan of a form']);
    assert.deepEqual(await names('search=agreem'), ['Contribution agreement']);
    assert.deepEqual(await names('types=invoice'), []);
    assert.equal((await list('types=other&types=contribution-agreement')).total, 2);
    assert.deepEqual(await names('period=1999-01-01'), []);
  });

  it('that were added by hand belong to the month in which they were added', async () => {
    const month = Temporal.Now.plainDateISO('Europe/Berlin').toString();
    assert.deepEqual(await names(`types=other&period=${month}`), ['Scan of a form']);
    assert.deepEqual(await names(`owner=company&types=other&period=${month}`), ['Framework agreement']);
    assert.deepEqual(await names('owner=company&types=other&period=2020-01-01'), []);
  });

  it('of the company are its invoices and what was added without an employee', async () => {
    const { data, total } = await list('owner=company');
    assert.equal(total, 2);
    assert.deepEqual(data.map(({ type }) => type).sort(), ['invoice', 'other']);
    assert.ok(data.every(({ employee }) => employee === null));
    const [invoice] = (await list('owner=company&types=invoice')).data;
    assert.match(invoice?.name ?? '', /^TB-\d{6,}$/);
    assert.equal(invoice?.downloadable, true);
    assert.deepEqual(await names(`owner=company&search=${invoice?.name.toLowerCase()}`), [invoice?.name]);
    assert.deepEqual(await names('owner=company&search=framework'), ['Framework agreement']);
    assert.deepEqual(await names(`owner=company&employeeId=${anna}`), []);
    assert.equal((await client.get(`/invoices/${invoice?.id}/download`)).status, 200);
  });

  it('have pages, and a page after the last one still has the total', async () => {
    const [first, second] = [await list('perPage=2'), await list('perPage=2&page=2')];
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    assert.equal(new Set(ids).size, 4);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    );
    for (const owner of ['employees', 'company']) {
      const { data, total } = await list(`owner=${owner}&page=99`);
      assert.deepEqual([data.length, total], [0, owner === 'company' ? 2 : 5]);
    }
  });

  it('are counted while they are written', async () => {
    const progress = async () => (await client.get('/documents/progress')).body.data;
    assert.deepEqual(await progress(), { pending: 0, total: 0 });
    const setContent = (name: string, content: string | null) =>
      updateRows(app.db, 'documents', { company_id: company, name }, { content });
    // Two of the four that were created with it or later are to be written.
    await setContent('Ticket confirmation October 2026', '{}');
    assert.deepEqual(await progress(), { pending: 2, total: 4 });
    await setContent('Ticket confirmation October 2026', null);
    await setContent('Contribution agreement', '{}');
    assert.deepEqual(await progress(), { pending: 1, total: 2 });
    await setContent('Contribution agreement', null);
  });

  it('are nobody else’s', async () => {
    const stranger = await signIn(app, await makeUser(app, await makeCompany(app.db)));
    for (const query of ['', 'owner=company', `employeeId=${anna}`, 'search=agreement']) {
      assert.equal((await stranger.get(`/documents?${query}`)).body.data.total, 0, query);
    }
  });
});
