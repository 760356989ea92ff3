import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { operator } from '../../../src/domain/actor.ts';
import { applyDecision } from '../../../src/features/subscriptions/apply-decision.ts';
import { joinCompany, onlyEmployee, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { pluck } from '../../support/pluck.ts';
import { rowOf } from '../../support/rows.ts';
import { anEntry, assertKeptCounts, entries } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const subscribed = { autoSyncEmployee: true } as const;

describe('documents that the service writes', () => {
  const fixture = useFixture('2026-01-15');

  async function begin(settings: Record<string, unknown> = {}) {
    fixture.clock.moveTo('2026-01-15');
    return joinCompany(fixture, settings);
  }

  interface Shown {
    id: number;
    documentName: string;
    downloadable: boolean;
  }

  const listOf = async (company: TestCompany): Promise<Shown[]> =>
    (await company.get('/employee-documents?perPage=100')).body.data.data;

  /** Waits until this many documents exist and can be downloaded. Returns them, oldest first. */
  async function written(company: TestCompany, count: number): Promise<Shown[]> {
    let shown: Shown[] = [];
    await until(`${count} documents are stored`, async () => {
      shown = await listOf(company);
      return shown.length >= count && shown.every(({ downloadable }) => downloadable);
    });
    assert.equal(shown.length, count, shown.map(({ documentName }) => documentName).join());
    return shown;
  }

  async function read(company: TestCompany, { id }: Shown): Promise<string> {
    const { status, bytes, headers } = await company.get(`/employee-documents/${id}/download`);
    assert.equal(status, 200);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const stored = await rowOf(fixture.app.db, 'documents', { id });
    assert.deepEqual([stored.sha256?.toString('hex'), stored.size_bytes], [digest, bytes.length]);
    assert.equal(stored.content, null);
    assert.equal(headers.get('content-length'), String(bytes.length));
    const pdf = await getDocumentProxy(new Uint8Array(bytes));
    assert.equal(pdf.numPages, 1);
    const { text } = await extractText(pdf, { mergePages: true });
    return text.replace(/\s+/g, ' ');
  }

  it('are of four kinds, in German, each created at the right time', async () => {
    const company = await begin({ plan_type: 'split-pay-plan', contribution_cents: 2000 });
    await company.sync('one', [anEntry(1, { ...subscribed, firstName: 'Юлія', lastName: 'Żółć-Παπαδοπούλου' })]);
    assert.deepEqual(await listOf(company), []);
    const { id } = await onlyEmployee(company);
    await fixture.app.db.transaction().execute((tx) =>
      applyDecision(tx, fixture.app.deps, company.companyId, {
        employeeId: id,
        decision: 'contract-accepted',
        actor: operator,
      }),
    );
    const [confirmation, agreement] = await written(company, 2);
    await company.runTo('2026-02-01');
    const [, , ticket] = await written(company, 3);
    await company.sync('two', [
      anEntry(1, { autoSyncEmployee: false, firstName: 'Юлія', lastName: 'Żółć-Παπαδοπούλου' }),
    ]);
    const [, , , cancellation] = await written(company, 4);
    assert.ok(confirmation && agreement && ticket && cancellation);
    assert.deepEqual(pluck([confirmation, agreement, ticket, cancellation], 'documentName'), [
      'Abo-Bestätigung',
      'Beitragsvereinbarung',
      'Ticket-Bestätigung Februar 2026',
      'Bestätigung: Ende des Jobtickets',
    ]);
    const texts = await Promise.all([confirmation, agreement, ticket, cancellation].map((one) => read(company, one)));
    for (const text of texts) assert.ok(text.includes('Юлія Żółć-Παπαδοπούλου'), text);
    assert.match(texts[0] ?? '', /1\. Februar 2026/);
    assert.match(texts[1] ?? '', /20,00 €/);
    for (const part of [/59,85 €/, /55,93 €/, /3,92 €/, /39,85 €/, /20,00 €/, /DT-202602-\d+/, /28\. Februar 2026/]) {
      assert.match(texts[2] ?? '', part);
    }
    assert.match(texts[3] ?? '', /28\. Februar 2026/);
    await assertKeptCounts(company);
  });

  it('are in English for a company with an English locale', async () => {
    const company = await begin({ locale: 'en-GB' });
    await company.sync('one', [anEntry(1, subscribed)]);
    const [confirmation] = await written(company, 1);
    assert.ok(confirmation);
    const text = await read(company, confirmation);
    assert.match(text, /1 February 2026/);
    assert.doesNotMatch(text, /Abo|Sehr geehrte/);
  });

  it('are rendered once each, however often the month is enqueued', async () => {
    const company = await begin();
    await company.sync('one', entries(40, subscribed));
    await company.runTo('2026-02-01');
    await written(company, 80);
    await fixture.app.db.transaction().execute(async (tx) => {
      await fixture.app.deps.queue.enqueueDocuments(tx, company.companyId, '2026-02-01');
    });
    await company.runTo('2026-03-01');
    const shown = await company.get('/employee-documents?perPage=0');
    const total = async () => (await company.get('/employee-documents?perPage=0')).body.data.total;
    await until('120 documents are listed', async () => (await total()) >= 120);
    assert.ok(shown.body.data.total >= 80);
    const twice = await sql`select employee_id, kind, about from documents where company_id = ${company.companyId}
      group by 1, 2, 3 having count(*) > 1`.execute(fixture.app.db);
    assert.deepEqual(twice.rows, []);
    await assertKeptCounts(company);
  });

  it('return 409 until the file is stored; one failure does not stop the others', async () => {
    const company = await begin();
    await company.sync('one', entries(3, subscribed));
    const [first] = await written(company, 3);
    assert.ok(first);
    await sql`update documents set store_key = null, sha256 = null, size_bytes = null, content = '{"kind":"nonsense"}'
      where company_id = ${company.companyId} and id = ${first.id}`.execute(fixture.app.db);
    assert.equal((await company.get(`/employee-documents/${first.id}/download`)).status, 409);
    await company.runTo('2026-02-01');
    const stored = async () => (await listOf(company)).filter(({ downloadable }) => downloadable);
    await until('five are stored', async () => (await stored()).length === 5);
    assert.equal((await listOf(company))[0]?.downloadable, false);
    await until('the failure is logged', async () =>
      fixture.app.logs.some((line) => line.includes('document rendering failed')),
    );
  });

  it('of removed employees are hidden, and visible again when the employees return', async () => {
    const company = await begin({ guard_maximum_absent_percent: 100 });
    await company.sync('one', [anEntry(1, subscribed), anEntry(2)]);
    const [confirmation] = await written(company, 1);
    await company.sync('two', [anEntry(2)]);
    assert.deepEqual(await listOf(company), []);
    assert.equal((await company.get(`/employee-documents/${confirmation?.id}`)).status, 404);
    await company.sync('three', [anEntry(1, { autoSyncEmployee: null }), anEntry(2)]);
    const [first, end] = await written(company, 2);
    assert.deepEqual([first?.id, end?.documentName], [confirmation?.id, 'Bestätigung: Ende des Jobtickets']);
    await assertKeptCounts(company);
  });
});
