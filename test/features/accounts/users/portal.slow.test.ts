import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { CompanyId } from '../../../../src/platform/db/company-scope.ts';
import { type Credentials, useApp } from '../../../support/app.ts';
import { makeCompany } from '../../../support/factories.ts';
import { pluck } from '../../../support/pluck.ts';
import {
  anonymousClient,
  clientWith,
  cookiesOf,
  makeUser,
  type PortalClient,
  signIn,
  type TestUser,
} from '../../../support/portal.ts';
import { rowsOf } from '../../../support/rows.ts';
import { until } from '../../../support/until.ts';

describe('users of the portal', () => {
  const app = useApp();
  let company: CompanyId;
  let admin: TestUser;
  let client: PortalClient;

  /** Creates a company for the test and signs in its admin. */
  async function start(): Promise<void> {
    company = await makeCompany(app.db, 'Acme');
    admin = await makeUser(app, company, 'admin', { name: 'Ada' });
    client = await signIn(app, admin);
  }

  async function invite(email: string, ...roles: string[]): Promise<string> {
    const { status, body } = await client.post('/users/invitations', {
      email,
      roles: roles.length > 0 ? roles : ['developer'],
    });
    assert.equal(status, 201);
    return body.data.link.split('/').at(-1);
  }

  const accept = (token: string, body: object = { name: ' Nora New ', password: 'a fresh password' }) =>
    anonymousClient(app).post(`/invitations/${token}`, body);

  const remove = (by: PortalClient, user: TestUser, keys: object = {}) =>
    by.post(`/users/${user.id}/remove`, { revokeKeys: [], keepKeys: [], ...keys });

  const createKey = async (by: PortalClient, name: string): Promise<Credentials> =>
    (await by.post('/keys', { name, permissions: ['view-billing'], expiresAt: null })).body.data;

  const works = async (key: Credentials) => (await app.request('/me', { key })).status === 200;

  const logged = async (action: string) =>
    rowsOf(app.db, 'audit_log', { company_id: company, action }, ['actor_type', 'actor', 'target', 'detail']);

  it('are listed with their roles and their last sign-in', async () => {
    await start();
    const viewer = await makeUser(app, company, 'viewer', { name: 'Vera' });
    await makeUser(app, await makeCompany(app.db), 'admin', { name: 'Somebody else' });
    const { body } = await client.get('/users');
    assert.match(body.data.users[0].lastSignInAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.deepEqual(body.data, {
      users: [
        {
          id: admin.id,
          name: 'Ada',
          email: admin.email,
          roles: ['admin'],
          disabled: false,
          hasSecondFactor: false,
          lastSignInAt: body.data.users[0].lastSignInAt,
        },
        {
          id: viewer.id,
          name: 'Vera',
          email: viewer.email,
          roles: ['viewer'],
          disabled: false,
          hasSecondFactor: false,
          lastSignInAt: null,
        },
      ],
      invitations: [],
    });
  });

  describe('invitations', () => {
    beforeEach(start);

    it('work once and sign the new user in', async () => {
      const { body } = await client.post('/users/invitations', { email: 'Nora@Example.com', roles: ['developer'] });
      assert(body.data.link.startsWith(`${app.config.publicUrl}/invitation/`));
      const days = Temporal.Now.instant().until(body.data.expiresAt).total('days');
      assert(days > 6.9 && days <= 7, `${days}`);
      const token = body.data.link.split('/').at(-1);
      assert.deepEqual((await anonymousClient(app).get(`/invitations/${token}`)).body, {
        data: { email: 'nora@example.com', companyName: 'Acme', roles: ['developer'], hasAccount: false },
      });
      const listed = (await client.get('/users')).body.data.invitations;
      assert.deepEqual(listed, [
        { id: listed[0].id, email: 'nora@example.com', roles: ['developer'], expiresAt: body.data.expiresAt },
      ]);

      const response = await accept(token);
      assert.equal(response.status, 204);
      const nora = (await clientWith(app, cookiesOf(response)).get('/me')).body.data.user;
      assert.deepEqual([nora.name, nora.email, nora.roles], ['Nora New', 'nora@example.com', ['developer']]);
      assert.deepEqual((await client.get('/users')).body.data.invitations, []);
      assert.equal((await anonymousClient(app).get(`/invitations/${token}`)).status, 404);
      assert.equal((await accept(token)).status, 404);
      await signIn(app, { email: 'nora@example.com', password: 'a fresh password' });
      assert.deepEqual(pluck(await logged('user.create'), 'actor', 'target').at(-1), [nora.id, nora.id]);
      assert.deepEqual(pluck(await logged('invitation.create'), 'actor_type', 'actor', 'detail'), [
        ['user', admin.id, { email: 'nora@example.com', roles: ['developer'] }],
      ]);
    });

    it('are stored without a readable token', async () => {
      const token = await invite('hashed@example.com');
      const secret = token.split('.')[1] ?? '';
      const { rows } = await sql<{ hash: Buffer; row: string }>`
        select token_hash as hash, invitations::text as row from invitations where company_id = ${company}`.execute(
        app.db,
      );
      assert.deepEqual(rows[0]?.hash, createHash('sha256').update(secret).digest());
      assert(!rows[0].row.includes(secret));
    });

    it('admit only one of two concurrent requests', async () => {
      const token = await invite('twice@example.com');
      const responses = await Promise.all([accept(token), accept(token), accept(token)]);
      assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 404, 404]);
    });

    it('do not work if they were revoked or replaced, have expired or belong to another company', async () => {
      const revoked = await invite('revoked@example.com');
      const [open] = (await client.get('/users')).body.data.invitations;
      assert.equal((await client.delete(`/users/invitations/${open.id}`)).status, 204);
      assert.equal((await client.delete(`/users/invitations/${open.id}`)).status, 404);
      const replaced = await invite('again@example.com');
      const current = await invite('AGAIN@example.com');
      const expired = await invite('late@example.com');
      await sql`update invitations set expires_at = now() where email = 'late@example.com'`.execute(app.db);
      const elsewhere = current.replace(/^\d+/, String(await makeCompany(app.db)));
      const responses = [];
      for (const token of [revoked, replaced, expired, elsewhere, 'nonsense', `${company}.short`]) {
        for (const response of [await anonymousClient(app).get(`/invitations/${token}`), await accept(token)]) {
          assert.equal(response.status, 404, token);
          responses.push({ ...response.body, requestId: undefined });
        }
      }
      assert.equal(new Set(responses.map((body) => JSON.stringify(body))).size, 1);
      assert.equal((await accept(current)).status, 204);
      assert.equal((await logged('invitation.revoke')).length, 1);
    });

    it('are refused if a user of the company has the address', async () => {
      const taken = await client.post('/users/invitations', { email: admin.email.toUpperCase(), roles: ['viewer'] });
      assert.deepEqual([taken.status, taken.body.code], [409, 'email-taken']);
      const token = await invite('meanwhile@example.com');
      await makeUser(app, company, 'viewer', { email: 'meanwhile@example.com' });
      const refused = await accept(token);
      assert.deepEqual([refused.status, refused.body.code], [409, 'email-taken']);
      assert.deepEqual(refused.headers.getSetCookie(), []);
      assert.equal((await anonymousClient(app).get(`/invitations/${token}`)).status, 200);
    });

    it('work whether or not another company has an account with the address, and do not reveal it', async () => {
      const [plain, claimed] = ['chief.b@example.com', 'chief.a@example.com'];
      const elsewhere = await makeCompany(app.db, 'Elsewhere');
      const owner = await makeUser(app, elsewhere, 'admin', { email: claimed });
      const responses = [];
      for (const email of [plain, claimed]) {
        const invited = await client.post('/users/invitations', { email, roles: ['viewer'] });
        const token = invited.body.data.link.split('/').at(-1);
        const shown = await anonymousClient(app).get(`/invitations/${token}`);
        const accepted = await accept(token);
        const me = await clientWith(app, cookiesOf(accepted)).get('/me');
        assert.equal(me.body.data.company.id, company);
        responses.push([invited.status, shown.status, accepted.status, [...accepted.headers.keys()].sort()]);
      }
      assert.deepEqual(responses[0], responses[1]);
      // Each password signs in to its own account.
      const companyOf = async (credentials: { email: string; password: string }) =>
        (await (await signIn(app, credentials)).get('/me')).body.data.company.id;
      assert.equal(await companyOf(owner), elsewhere);
      assert.equal(await companyOf({ email: claimed, password: 'a fresh password' }), company);
      assert.equal(await companyOf(owner), elsewhere);
    });

    it('require a name and a strong password', async () => {
      const token = await invite('careful@example.com');
      const pointers = async (body: object) =>
        (await accept(token, body)).body.errors.map(({ pointer }: { pointer: string }) => pointer);
      assert.deepEqual(await pointers({ name: '  ', password: 'short' }), ['/name', '/password']);
      assert.deepEqual(await pointers({}), ['/name', '/password']);
      for (const password of ['Password1234', 'my careful life!']) {
        assert.deepEqual(await pointers({ name: 'A', password }), ['/password'], password);
      }
      assert.deepEqual(await pointers({ name: 'A', password: 'a fresh password', roles: ['admin'] }), ['/roles']);
      const emoji = '🎫🚋🚌🚇🚲'.repeat(26).slice(0, 2 * 128);
      assert.equal((await accept(token, { name: 'Em', password: emoji })).status, 204);
      await signIn(app, { email: 'careful@example.com', password: emoji });
    });

    it('require an address that can sign in', async () => {
      for (const email of ["o'neil+x@sub.example.com", 'a_b-c@1st.example.org', '_@example.io']) {
        assert.equal((await accept(await invite(email))).status, 204, email);
      }
      for (const email of [
        'nobody',
        'a..b@example.com',
        '.a@example.com',
        'a@localhost',
        'ä@example.com',
        'a b@example.com',
      ]) {
        const { status, body } = await client.post('/users/invitations', { email, roles: ['viewer'] });
        assert.deepEqual([status, body.errors?.[0].pointer], [400, '/email'], email);
      }
    });
  });

  describe('roles', () => {
    beforeEach(start);

    it('are changed by an admin and take effect at once', async () => {
      const user = await makeUser(app, company, 'viewer', { name: 'Vera' });
      const theirs = await signIn(app, user);
      assert.equal((await theirs.get('/users')).status, 403);
      assert.equal((await client.post(`/users/${user.id}/roles`, { roles: ['admin'] })).status, 204);
      assert.equal((await theirs.get('/users')).status, 200);
      assert.equal((await client.post(`/users/${user.id}/roles`, { roles: ['admin'] })).status, 204);
      assert.deepEqual(await logged('user.role'), [
        {
          actor_type: 'user',
          actor: admin.id,
          target: user.id,
          detail: { name: 'Vera', from: ['viewer'], to: ['admin'] },
        },
      ]);
      assert.equal((await client.post(`/users/${user.id}/roles`, { roles: ['owner'] })).status, 400);
    });

    it('add up, in a fixed order', async () => {
      const user = await makeUser(app, company, 'viewer');
      const theirs = await signIn(app, user);
      const me = async () => (await theirs.get('/me')).body.data.user;
      assert.deepEqual((await me()).abilities, []);
      assert.equal((await client.post(`/users/${user.id}/roles`, { roles: ['payroll', 'hr'] })).status, 204);
      const { roles, abilities } = await me();
      assert.deepEqual(roles, ['hr', 'payroll']);
      assert.deepEqual(abilities, [
        ...['syncs', 'removals', 'decisions', 'policies', 'documents', 'payroll-files', 'invoice-files', 'corrections'],
        'kept-mails',
      ]);
      for (const body of [{ roles: [] }, { roles: ['hr', 'hr'] }, { role: 'hr' }]) {
        assert.equal((await client.post(`/users/${user.id}/roles`, body)).status, 400);
      }
    });

    it('follow what the previous release stores', async () => {
      const user = await makeUser(app, company, ['developer', 'hr']);
      const theirs = await signIn(app, user);
      const rolesNow = async () => (await theirs.get('/me')).body.data.user.roles;
      assert.deepEqual(await rolesNow(), ['hr', 'developer']);
      // It demotes them, promotes them, and creates users without a set.
      for (const role of ['viewer', 'admin'] as const) {
        await app.db.updateTable('portal_users').set({ role }).where('id', '=', user.id).execute();
        assert.deepEqual(await rolesNow(), [role]);
      }
      await app.db.updateTable('portal_users').set({ roles: null }).where('id', '=', user.id).execute();
      assert.deepEqual(await rolesNow(), ['admin']);
    });

    it('that may not invite lose the invitations the user sent', async () => {
      const user = await makeUser(app, company, 'admin');
      const theirs = await signIn(app, user);
      const sent = async (email: string) => {
        const { body } = await theirs.post('/users/invitations', { email, roles: ['admin'] });
        return body.data.link.split('/').at(-1);
      };
      const token = await sent('friend@example.com');
      const kept = await invite('colleague@example.com');
      assert.equal((await client.post(`/users/${user.id}/roles`, { roles: ['developer'] })).status, 204);
      assert.equal((await accept(token)).status, 404);
      assert.equal((await accept(kept)).status, 204);
      assert.deepEqual(pluck(await logged('invitation.revoke'), 'actor', 'detail'), [
        [admin.id, { email: 'friend@example.com' }],
      ]);
    });

    it('cannot be changed for the last admin', async () => {
      const other = await makeUser(app, company, 'developer');
      for (const response of [
        await client.post(`/users/${admin.id}/roles`, { roles: ['viewer'] }),
        await remove(client, admin),
      ]) {
        assert.deepEqual([response.status, response.body.code], [409, 'last-admin']);
      }
      assert.equal((await client.post(`/users/${admin.id}/roles`, { roles: ['admin'] })).status, 204);
      await client.post(`/users/${other.id}/roles`, { roles: ['admin'] });
      assert.equal((await client.post(`/users/${admin.id}/roles`, { roles: ['viewer'] })).status, 204);
      assert.equal((await client.get('/users')).status, 403);
    });

    it('leave one admin if two admins remove each other at the same time', async () => {
      for (let round = 0; round < 5; round++) {
        await start();
        const other = await makeUser(app, company, 'admin');
        const theirs = await signIn(app, other);
        await Promise.all([remove(client, other), remove(theirs, admin)]);
        const left = await rowsOf(app.db, 'portal_users', { company_id: company, removed_at: null }, ['role']);
        assert.deepEqual(left, [{ role: 'admin' }]);
      }
    });
  });

  it('are signed out everywhere if an admin ends their sessions', async () => {
    await start();
    const user = await makeUser(app, company, 'developer');
    const sessions = [await signIn(app, user), await signIn(app, user)];
    const end = () => client.post(`/users/${user.id}/end-sessions`);
    assert.deepEqual((await end()).body, { data: { sessions: 2 } });
    assert.deepEqual(await Promise.all(sessions.map(async (one) => (await one.get('/me')).status)), [401, 401]);
    assert.equal((await client.get('/me')).status, 200);
    assert.deepEqual((await end()).body, { data: { sessions: 0 } });
    assert.deepEqual(await logged('session.end'), [
      { actor_type: 'user', actor: admin.id, target: user.id, detail: { sessions: 2 } },
    ]);
    await signIn(app, user);
  });

  describe('removal', () => {
    beforeEach(start);

    it('takes effect at once and deletes password and sessions', async () => {
      const user = await makeUser(app, company, 'developer', { name: 'Lea Leaves' });
      const theirs = await signIn(app, user);
      assert.equal((await remove(client, user)).status, 204);
      assert.equal((await theirs.get('/me')).status, 401);
      const again = await anonymousClient(app).post('/auth/sign-in/email', {
        email: user.email,
        password: user.password,
      });
      assert.equal(again.status, 401);
      assert.equal((await client.get('/users')).body.data.users.length, 1);
      assert.equal((await remove(client, user)).status, 404);
      assert.deepEqual(pluck(await logged('user.remove'), 'target', 'detail'), [
        [user.id, { name: 'Lea Leaves', roles: ['developer'], sessions: 1 }],
      ]);
      const { rows } = await sql<{ text: string }>`
        select u::text as text from portal_users u where u.id = ${user.id}`.execute(app.db);
      assert(!rows[0]?.text.includes(user.email));
    });

    it('revokes the invitations they sent and the keys that only they know', async () => {
      const user = await makeUser(app, company, 'admin', { name: 'Lea Leaves' });
      const theirs = await signIn(app, user);
      const invited = await theirs.post('/users/invitations', { email: 'second.self@example.com', roles: ['admin'] });
      const token = invited.body.data.link.split('/').at(-1);
      const only = await createKey(theirs, 'Only hers');
      const kept = await createKey(theirs, 'Kept');
      const handedOver = await createKey(theirs, 'Handed over');
      const rotated: Credentials = (await client.post(`/keys/${handedOver.username}/rotate`, { overlapHours: 0 })).body
        .data;
      const taken = await createKey(client, 'Taken over');
      await theirs.post(`/keys/${taken.username}/rotate`, { overlapHours: 0 });
      const mine = await createKey(client, 'Mine');
      const listed = (await client.get(`/users/${user.id}/keys`)).body.data;
      assert.deepEqual(pluck(listed, 'name', 'isOnlyTheirs'), [
        ['Handed over', false],
        ['Kept', true],
        ['Only hers', true],
        ['Taken over', true],
      ]);
      assert.equal((await remove(client, user, { keepKeys: [kept.username] })).status, 204);
      assert.equal((await accept(token)).status, 404);
      await until('the revocation holds', async () => !(await works(only)));
      assert.deepEqual(await Promise.all([kept, rotated, mine].map(works)), [true, true, true]);
      assert.deepEqual(pluck(await logged('key.revoke'), 'target').sort(), [only.username, taken.username].sort());
    });

    it('revokes the keys that the admin names', async () => {
      const user = await makeUser(app, company, 'developer');
      const key = await createKey(await signIn(app, user), 'Shared');
      const rotated: Credentials = (await client.post(`/keys/${key.username}/rotate`, { overlapHours: 0 })).body.data;
      const foreign = await createKey(client, 'Not theirs');
      await remove(client, user, { revokeKeys: [key.username, foreign.username] });
      await until('the revocation holds', async () => !(await works(rotated)));
      assert(await works(foreign));
    });

    it('leaves nothing of a request that the user sends at the same time', async () => {
      for (let round = 0; round < 3; round++) {
        await start();
        const user = await makeUser(app, company, 'admin');
        const theirs = await signIn(app, user);
        await Promise.all([
          remove(client, user),
          theirs.post('/users/invitations', { email: 'late@example.com', roles: ['admin'] }),
          createKey(theirs, 'Late').catch(() => undefined),
        ]);
        assert.deepEqual((await client.get('/users')).body.data.invitations, []);
        const keys = (await client.get('/keys')).body.data;
        assert.deepEqual(
          keys.filter(({ state }: { state: string }) => state === 'active'),
          [],
        );
      }
    });

    it('allows a new invitation', async () => {
      const user = await makeUser(app, company);
      await remove(client, user);
      assert.equal((await accept(await invite(user.email))).status, 204);
    });
  });
});
