import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { useApp } from '../../support/app.ts';
import { makeIntegration } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { usePortal } from '../../support/portal.ts';
import { before } from '../../support/prepare.ts';
import { anEntry, entries, makePusher, usePusher } from '../../support/sync.ts';

const app = useApp({ worker: 'without documents' });

describe('changes by hand', () => {
  const pusher = usePusher(app);
  const client = usePortal(app, pusher);
  const eva = {
    ...{ firstName: 'Eva', lastName: 'Neu', email: 'eva@example.com', hrId: 'H-1' },
    ...{ dateOfBirth: null, startDate: null, subscribe: true },
  };

  before(async () => {
    await pusher.sync('first', entries(3));
  });

  it('adds an employee that no roster removes', async () => {
    const wrong = await client.post('/employees', { ...eva, email: 'nowhere' });
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/email']);
    const added = await client.post('/employees', eva);
    assert.equal(added.status, 201, JSON.stringify(added.body));
    const { id } = added.body.data;
    const again = await client.post('/employees', { ...eva, email: 'EVA@example.com', hrId: null });
    assert.deepEqual([again.status, again.body.message.key], [409, 'employee-email-taken']);
    const { employee } = (await client.get(`/employees/${id}`)).body.data;
    assert.equal(employee.subscription.status, 'scheduled');
    assert.deepEqual(pluck(employee.hrIntergartionLinks, 'type', 'hrId'), [['custom', 'H-1']]);
    await pusher.sync('without-her', entries(2));
    assert.equal((await client.get(`/employees/${id}`)).status, 200);
    const [entry] = (await client.get('/activity?action=employee.add')).body.data.data;
    assert.deepEqual([entry.actorType, entry.target], ['user', String(id)]);
  });

  it('adds and removes custom HR ids', async () => {
    const [one, other] = await pusher.employees();
    const path = `/employees/${one.id}/links`;
    assert.equal((await client.post(path, { hrId: 'X-7' })).status, 204);
    const taken = await client.post(`/employees/${other.id}/links`, { hrId: 'X-7' });
    assert.deepEqual([taken.status, taken.body.message.key], [409, 'employee-hr-id-taken']);
    const linksOf = async () =>
      (await client.get(`/employees/${one.id}`)).body.data.employee.hrIntergartionLinks.length;
    assert.equal(await linksOf(), 2);
    assert.equal((await client.post(`${path}/remove`, { hrId: 'X-7' })).status, 204);
    assert.equal(await linksOf(), 1, 'the link of the integration stays');
    assert.equal((await client.post(`${path}/remove`, { hrId: 'X-7' })).status, 404);
  });

  it('adds a document of the company', async () => {
    const content = Buffer.from('%PDF-1.7 terms').toString('base64');
    assert.equal((await client.post('/documents', { name: 'Terms', content })).status, 201);
    const { body } = await client.get('/documents?owner=company');
    assert.equal(body.data.data[0].name, 'Terms');
    const image = Buffer.from('GIF89a').toString('base64');
    assert.equal((await client.post('/documents', { name: 'Terms', content: image })).status, 415);
  });

  it('renames an integration, and deletes it with its links', async () => {
    const path = `/integrations/${pusher.integrationId}`;
    const renamed = await client.post(`${path}/name`, { name: 'Payroll list' });
    assert.equal(renamed.body.data.name, 'Payroll list');
    const second = await makeIntegration(app.db, pusher.companyId);
    await pusher.withIntegration(second).sync('elsewhere', entries(1));
    // Nobody is subscribed. The fee for the employee that no other integration links is no longer charged.
    const less = { begin: 0, end: 0, pause: 0, resume: 0, awaitingConsent: 0, monthlyCents: -119 };
    const effects = { keep: less, offboard: less };
    assert.deepEqual((await client.get(`${path}/deletion`)).body.data, { linked: 2, last: 1, effects });
    const wrong = await client.post(`${path}/deletion`, { remaining: 'offboard', confirm: 2 });
    assert.equal(wrong.body.code, 'confirmation-mismatch');
    const before = await pusher.employees();
    assert.equal((await client.post(`${path}/deletion`, { remaining: 'keep', confirm: 1 })).status, 204);
    assert.equal((await client.get(path)).status, 404);
    assert.equal((await pusher.get(`/hr-integrations/${pusher.integrationId}`)).status, 404);
    assert.equal((await pusher.push('late', entries(1))).status, 404);
    const kept = await pusher.employees();
    assert.deepEqual(pluck(kept, 'id'), pluck(before, 'id'), 'everybody stays');
    const types = kept.map(({ hrIntergartionLinks }) => hrIntergartionLinks.map(({ type }: { type: string }) => type));
    assert(
      types.every((one) => one.length === 1),
      'with an HR id, as payroll needs it',
    );
    const last = `/integrations/${second}`;
    const { body } = await client.get(`${last}/deletion`);
    assert.deepEqual(body.data, { linked: 1, last: 1, effects });
    assert.equal((await client.post(`${last}/deletion`, { remaining: 'offboard', confirm: 1 })).status, 204);
    assert.equal((await pusher.employees()).length, kept.length - 1);
  });
});

const nfc = 'jürgen@example.com';
const nfd = nfc.normalize('NFD');

describe('Addresses that differ only in Unicode normal form', () => {
  it('belong to one employee, whichever form the HR system sends', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('composed', [anEntry(1, { email: nfc })]);
    const { id } = await pusher.employee('E1');
    const sync = await pusher.sync('decomposed', [anEntry(1, { hrId: 'E2', email: nfd })]);
    assert.deepEqual([sync.counts.created, sync.counts.updated], [0, 1]);
    assert.deepEqual(pluck(await pusher.employees(), 'id', 'email'), [[id, nfd]]);
    const found = await pusher.get(`/employees?emails=${encodeURIComponent(nfc.toUpperCase())}`);
    assert.equal(found.body.data.total, 1);
  });

  it('count as duplicates in one roster', async () => {
    const pusher = await makePusher(app);
    const { status, body } = await pusher.push('twice', [anEntry(1, { email: nfc }), anEntry(2, { email: nfd })]);
    assert.equal(status, 422);
    assert.equal(body.errors[0].code, 'duplicate-email');
  });

  it('stored by an older version are normalized by the next sync', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('first', [anEntry(1, { email: nfd })]);
    const key = () =>
      sql<{ email_key: string }>`select email_key from employees where company_id = ${pusher.companyId}`.execute(
        app.db,
      );
    await sql`update employees set email_key = ${nfd} where company_id = ${pusher.companyId}`.execute(app.db);
    const { counts } = await pusher.sync('second', [anEntry(1, { email: nfd })]);
    assert.equal(counts.unchanged, 1);
    assert.deepEqual((await key()).rows, [{ email_key: nfc }]);
  });
});
