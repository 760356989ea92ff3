import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type AuditEntry, insertAudit } from '../../../src/features/activity/record.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee, makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, portalRequest, signIn, type TestUser } from '../../support/portal.ts';

describe("the activity page's API", () => {
  const app = useApp();
  let company: CompanyId;
  let user: TestUser;
  let client: PortalClient;

  const write = (companyId: CompanyId, entry: AuditEntry) =>
    app.db.transaction().execute((tx) => insertAudit(tx, companyId, entry));

  before(async () => {
    company = await makeCompany(app.db);
    user = await makeUser(app, company, 'viewer', { name: 'Vera' });
    client = await signIn(app, user);
  });

  const list = async (query = '') => (await client.get(`/activity?perPage=100${query}`)).body.data;
  const actions = async (query: string) => (await list(query)).data.map(({ action }: { action: string }) => action);

  it('lists who did what, newest first, with names', async () => {
    const key = await makeKey(app.db, company);
    const actor = { type: 'key', name: key.username } as const;
    await write(company, { action: 'shown.key', actor });
    await write(company, { action: 'shown.user', actor: { type: 'user', name: user.id }, target: '7' });
    await write(company, { action: 'shown.service', actor: { type: 'service', name: null }, detail: { a: [1] } });
    await write(company, { action: 'shown.operator', at: Temporal.Instant.from('2026-11-20T10:00:00.5Z') });
    const { data } = await list('&action=shown.');
    assert.deepEqual(
      data.map(({ id, at, ...entry }: { id: number; at: string }) => entry),
      [
        { actorType: 'operator', actor: null, action: 'shown.operator', target: null, detail: {}, names: {} },
        { actorType: 'service', actor: null, action: 'shown.service', target: null, detail: { a: [1] }, names: {} },
        { actorType: 'user', actor: 'Vera', action: 'shown.user', target: '7', detail: {}, names: {} },
        {
          actorType: 'key',
          actor: `Test key (${key.username})`,
          action: 'shown.key',
          target: null,
          detail: {},
          names: {},
        },
      ],
    );
    assert.equal(data[0].at, '2026-11-20T10:00:00Z');
    const ids = data.map(({ id }: { id: number }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => b - a),
    );
  });

  it('names employees, keys, endpoints and documents beside their ids, but only those of the company', async () => {
    const nina = await makeEmployee(app.db, company, { first_name: 'Nina', last_name: 'Neu' });
    const key = await makeKey(app.db, company);
    const other = await makeCompany(app.db);
    const stranger = await makeEmployee(app.db, other, { first_name: 'Otto', last_name: 'Other' });
    await write(company, { action: 'subscription.pause', target: String(nina), detail: { holderId: stranger } });
    await write(company, { action: 'document.download', target: '999999', detail: { employeeId: nina } });
    await write(company, { action: 'key.revoke', target: key.username });
    await write(company, { action: 'subscription.pause', target: 'no number' });
    const named = (await list()).data.slice(0, 4).map(({ names }: { names: object }) => names);
    assert.deepEqual(named, [{}, { target: 'Test key' }, { employeeId: 'Nina Neu' }, { target: 'Nina Neu' }]);
  });

  it('still names removed users and revoked keys', async () => {
    const leaver = await makeUser(app, company, 'admin', { name: 'Lea' });
    const admin = await signIn(app, leaver);
    await makeUser(app, company, 'admin');
    await admin.post('/keys', { name: 'Hers', permissions: ['view-billing'], expiresAt: null });
    const body = { revokeKeys: [], keepKeys: [] };
    assert.equal((await admin.post(`/users/${leaver.id}/remove`, body)).status, 204);
    const own = (await list('&actorType=user&action=')).data.filter(({ actor }: { actor: string }) => actor === 'Lea');
    assert.deepEqual(pluck(own, 'action'), ['key.revoke', 'user.remove', 'key.create', 'session.sign-in']);
  });

  it("filters by actor type, by the beginning of the action and by days in the company's time zone", async () => {
    for (const [action, at] of [
      ['when.before', '2026-02-28T22:59:59Z'],
      ['when.first', '2026-02-28T23:00:00Z'],
      ['when.last', '2026-03-01T22:59:59Z'],
      ['when.after', '2026-03-01T23:00:00Z'],
    ] as const) {
      await write(company, { action, at: Temporal.Instant.from(at), actor: { type: 'service', name: null } });
    }
    assert.deepEqual(await actions('&from=2026-03-01&to=2026-03-01'), ['when.last', 'when.first']);
    assert.deepEqual(await actions('&action=when.&from=2026-03-02'), ['when.after']);
    assert.deepEqual(await actions('&action=when.&to=2026-02-28'), ['when.before']);
    assert.deepEqual(await actions('&action=when.&actorType=key'), []);
    assert.deepEqual(await actions('&action=w_en.'), []);
    assert.deepEqual(await actions('&action=when.&from=0000-01-01&to=0000-01-01'), []);
    assert.equal((await actions('&action=when.&actorType=service')).length, 4);
  });

  it('hides email addresses of users from roles that may not manage users', async () => {
    const admin = await signIn(app, await makeUser(app, company, 'admin'));
    const developer = await signIn(app, await makeUser(app, company, 'developer'));
    await admin.post('/users/invitations', { email: 'hidden@example.com', roles: ['viewer'] });
    await admin.post('/users/invitations', { email: 'hidden@example.com', roles: ['viewer'] });
    await write(company, { action: 'employee.link', detail: { email: 'employee@example.com' } });
    const seenBy = async (reader: PortalClient) => {
      const { data } = (await reader.get('/activity?perPage=100')).body.data;
      const emails = (begin: RegExp) =>
        data
          .filter(({ action }: { action: string }) => begin.test(action))
          .map((entry: AuditEntry) => entry.detail?.email);
      return { users: new Set(emails(/^(user|invitation|session)/)), employees: emails(/^employee/) };
    };
    for (const reader of [client, developer]) {
      assert.deepEqual(await seenBy(reader), { users: new Set([undefined]), employees: ['employee@example.com'] });
    }
    assert((await seenBy(admin)).users.has('hidden@example.com'));
  });

  it('returns pages', async () => {
    for (let number = 0; number < 5; number++) await write(company, { action: `page.${number}` });
    const { status, body } = await client.get('/activity?action=page.&page=2&perPage=2');
    assert.equal(status, 200);
    const { data, ...numbers } = body.data;
    assert.deepEqual(numbers, { page: 2, perPage: 2, totalPages: 3, total: 5 });
    assert.deepEqual(pluck(data, 'action'), ['page.2', 'page.1']);
  });

  it('reports what is wrong with a filter', async () => {
    const { status, body } = await client.get('/activity?actorType=ghost&from=2026-02-30&perPage=101');
    assert.equal(status, 400);
    assert.deepEqual(pluck(body.errors, 'parameter').sort(), ['actorType', 'from', 'perPage']);
  });

  it('returns nothing of another company', async () => {
    const other = await makeCompany(app.db, 'Unheard of');
    const otherUser = await makeUser(app, other, 'admin', { name: 'Other User' });
    await write(other, { action: 'foreign.action', actor: { type: 'user', name: otherUser.id } });
    const before = await list();
    assert.equal(
      before.data.some(({ action }: { action: string }) => action === 'foreign.action'),
      false,
    );
    // The id of another company's user is not resolved to a name here.
    await write(company, { action: 'odd.actor', actor: { type: 'user', name: otherUser.id } });
    const [odd] = (await list('&action=odd.')).data;
    assert.equal(odd.actor, otherUser.id);
  });

  it('cannot be changed by any method', async () => {
    const [entry] = (await list()).data;
    const headers = { cookie: client.cookie, origin: new URL(app.config.publicUrl).origin };
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal((await portalRequest(app, '/activity', { method, headers })).status, 405);
      assert.equal((await portalRequest(app, `/activity/${entry.id}`, { method, headers })).status, 404);
    }
  });
});
