import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { RosterEntry } from '../../../src/features/roster/rules/entry.ts';
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
    // Nobody is subscribed, and the links of an integration that does not pull are free.
    const less = { begin: 0, end: 0, pause: 0, resume: 0, awaitingConsent: 0, monthlyCents: 0 };
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

describe('What users enter about employees', () => {
  const pusher = usePusher(app);
  const client = usePortal(app, pusher);
  /** A roster as most HR systems send it: with all fields, of which many are empty. */
  const roster = (fields: Partial<RosterEntry> = {}) => [
    anEntry(1, { startDate: '2020-01-01', terminationDate: null, absences: [], autoSyncEmployee: true, ...fields }),
    anEntry(2),
  ];
  const detailsOf = async (id: number) => (await client.get(`/employees/${id}`)).body.data;
  const change = async (id: number, body: object) => {
    const path = `/employees/${id}/changes`;
    const preview = await client.post(`${path}/preview`, body);
    const done = await client.post(path, body);
    assert.deepEqual([preview.status, preview.body.data], [done.status, done.body.data], 'the preview says it');
    return done;
  };

  it('outlives rosters that do not have it, and yields to one that does', async () => {
    await pusher.sync('hired', roster());
    const { id } = await pusher.employee('E1');
    const left = await change(id, { terminationDate: '2026-11-20', personnelNumber: ' 4711 ' });
    assert.equal(left.status, 200, JSON.stringify(left.body));
    assert.deepEqual([left.body.data.effects.end, left.body.data.status], [1, 'cancelled']);
    const shown = await detailsOf(id);
    assert.deepEqual(
      [shown.terminationDate, shown.personnelNumber, shown.setByHand],
      ['2026-11-20', '4711', ['personnelNumber', 'terminationDate']],
    );
    assert.deepEqual(shown.rosterFields, ['firstName', 'lastName', 'email', 'startDate']);
    assert.deepEqual([shown.history[0].source, shown.history[0].actor.type], ['user', 'user']);
    await pusher.sync('as before', roster({ firstName: 'Anne' }));
    const kept = await detailsOf(id);
    assert.deepEqual([kept.employee.firstName, kept.terminationDate], ['Anne', '2026-11-20']);
    await pusher.sync('caught up', roster({ firstName: 'Anne', terminationDate: '2027-01-31' }));
    const [record] = await pusher.records('caught up');
    assert.deepEqual(
      record.changes.find(({ field }: { field: string }) => field === 'setByHand'),
      { field: 'setByHand', from: ['personnelNumber', 'terminationDate'], to: ['personnelNumber'] },
    );
    const given = await detailsOf(id);
    assert.deepEqual([given.terminationDate, given.setByHand], ['2027-01-31', ['personnelNumber']]);
    assert.equal((await change(id, { personnelNumber: null })).status, 200);
    assert.deepEqual((await detailsOf(id)).setByHand, []);
    await pusher.sync('reset', roster());
  });

  it('is refused at its field where the roster has a value', async () => {
    await pusher.sync('named', roster());
    const { id } = await pusher.employee('E1');
    const refused = await change(id, { lastName: 'Neu', startDate: '2026-12-01' });
    assert.deepEqual(pluck(refused.body.errors, 'pointer', 'code'), [
      ['/lastName', 'roster-value'],
      ['/startDate', 'roster-value'],
    ]);
    const same = await change(id, { lastName: 'Muster1', dateOfBirth: '1990-01-01' });
    assert.deepEqual([same.status, (await detailsOf(id)).setByHand], [200, ['dateOfBirth']]);
    const removal = await change(id, { remove: true });
    assert.deepEqual([removal.status, removal.body.message.key], [409, 'employee-in-roster']);
    const tooEarly = await change(id, { terminationDate: '2019-12-31' });
    assert.deepEqual(pluck(tooEarly.body.errors, 'pointer', 'code'), [['/terminationDate', 'contradicting-date']]);
  });

  it('pauses by an absence until the roster contains it', async () => {
    await pusher.sync('present', roster());
    const { id } = await pusher.employee('E1');
    const absence = { startDate: '2027-01-01', endDate: '2027-03-31' };
    assert.equal((await change(id, { absences: [absence] })).status, 200);
    await pusher.sync('still present', roster({ firstName: 'Anke' }));
    assert.deepEqual((await detailsOf(id)).absences, [{ ...absence, approved: true, byHand: true }]);
    const longer = { startDate: '2027-01-01', endDate: '2027-06-30', approved: true };
    await pusher.sync('absent', roster({ absences: [longer] }));
    assert.deepEqual((await detailsOf(id)).absences, [longer]);
    const doubled = await change(id, { absences: [absence] });
    assert.deepEqual(pluck(doubled.body.errors, 'pointer', 'code'), [['/absences/0', 'overlaps']]);
  });

  it('corrects and removes an employee of no roster, with a history', async () => {
    const body = { ...anEntry(7), hrId: null, dateOfBirth: null, startDate: null, subscribe: false };
    const { id } = (await client.post('/employees', { ...body, personnelNumber: '7' })).body.data;
    const taken = await change(id, { email: 'anna2@example.com' });
    assert.deepEqual([taken.status, taken.body.message.key], [409, 'employee-email-taken']);
    assert.equal((await change(id, { lastName: 'Neu', email: 'neu@example.com' })).status, 200);
    const { employee, rosterFields, handChanges } = await detailsOf(id);
    assert.deepEqual([employee.lastName, employee.email, rosterFields], ['Neu', 'neu@example.com', []]);
    assert.deepEqual(pluck(handChanges, 'action'), ['change', 'add']);
    assert.deepEqual(handChanges[0].changes[0], { field: 'lastName', from: 'Muster7', to: 'Neu' });
    assert.equal(handChanges[0].actor.type, 'user');
    assert.equal((await client.get('/employees?search=neu')).body.data.total, 1, 'it is found by the new name');
    const { status } = await client.post(`/employees/${id}/changes`, { remove: true });
    assert.deepEqual([status, (await client.get(`/employees/${id}`)).status], [200, 404]);
    const [entry] = (await client.get('/activity?action=employee.remove')).body.data.data;
    assert.deepEqual([entry.actorType, entry.target], ['user', String(id)]);
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
