import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maxInvitationsPerDay } from '../../../src/features/accounts/users/invitations.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { anonymousClient, clientWith, cookiesOf, makeUser, signIn } from '../../support/portal.ts';
import { rowOf } from '../../support/rows.ts';

describe('limits of access', () => {
  const app = useApp();

  it('lock strangers out after ten wrong passwords, but no browser that the user knows', async () => {
    const company = await makeCompany(app.db);
    const [user, colleague] = [await makeUser(app, company), await makeUser(app, company)];
    const { email, password } = user;
    const known = cookiesOf(await anonymousClient(app).post('/auth/sign-in/email', { email, password }));
    const deviceOf = (cookies: string) => cookies.split('; ').find((one) => one.startsWith('transit.device=')) ?? '';
    const ofColleague = (await signIn(app, colleague)).cookie;
    const attempt = (cookie: string, given = password) =>
      clientWith(app, cookie).post('/auth/sign-in/email', { email, password: given });
    for (let count = 0; count < 10; count += 1) assert.equal((await attempt('', 'a guess')).status, 401);
    // Neither no cookie, nor an invented one, nor that of another user helps.
    const forged = deviceOf(known).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const cookie of ['', forged, deviceOf(ofColleague), 'transit.device=x'])
      assert.equal((await attempt(cookie)).body?.code, 'sign-in-throttled', cookie);
    const entered = await attempt(deviceOf(known));
    assert.equal(entered.status, 204, entered.bytes.toString());
    // A browser knows several users.
    const both = cookiesOf(
      await clientWith(app, deviceOf(known)).post('/auth/sign-in/email', {
        email: colleague.email,
        password: colleague.password,
      }),
    );
    assert.equal((await attempt(deviceOf(both))).status, 204);
    // The guesses from a known browser have a limit of their own.
    for (let count = 0; count < 10; count += 1) assert.equal((await attempt(deviceOf(known), 'a guess')).status, 401);
    assert.equal((await attempt(deviceOf(known))).body?.code, 'sign-in-throttled');
  });

  it('let a company send so many invitations within a day, with those that were withdrawn', async () => {
    const company = await makeCompany(app.db);
    const admin = await signIn(app, await makeUser(app, company));
    const invite = (number: number) =>
      admin.post('/users/invitations', { email: `guest-${number}@example.com`, roles: ['viewer'] });
    assert.equal((await invite(0)).status, 201);
    const [{ id }] = (await admin.get('/users')).body.data.invitations;
    assert.equal((await admin.delete(`/users/invitations/${id}`)).status, 204);
    const row = await rowOf(app.db, 'invitations', { company_id: company }, [
      'email',
      'role',
      'roles',
      'invited_by',
      'expires_at',
      'created_at',
    ]);
    const copies = Array.from({ length: maxInvitationsPerDay - 2 }, (_, index) => ({
      ...row,
      company_id: company,
      token_hash: Buffer.alloc(32, index),
    }));
    await app.db.insertInto('invitations').values(copies).execute();
    // Of two at the same moment, one is the last.
    const last = await Promise.all([invite(1), invite(2)]);
    assert.deepEqual(last.map(({ status }) => status).toSorted(), [201, 429]);
    assert.equal((await invite(3)).body.code, 'too-many-invitations');
    const other = await signIn(app, await makeUser(app, await makeCompany(app.db)));
    const elsewhere = await other.post('/users/invitations', { email: 'guest@example.com', roles: ['viewer'] });
    assert.equal(elsewhere.status, 201, 'another company has its own');
    const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await app.db.updateTable('invitations').set({ created_at: yesterday }).where('company_id', '=', company).execute();
    assert.equal((await invite(4)).status, 201);
  });
});
