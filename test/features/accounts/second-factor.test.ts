import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { TOTP } from 'otpauth';
import { proveAddress } from '../../../src/features/accounts/prove-address.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import {
  anonymousClient,
  clientWith,
  cookiesOf,
  makeUser,
  type PortalClient,
  signIn,
  type TestUser,
} from '../../support/portal.ts';
import { rowsOf, updateRows } from '../../support/rows.ts';

describe('the second factor', () => {
  const app = useApp();
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(app.db);
  });

  /** A code of another step than the last one, because each works once. */
  let next = Date.now();
  const codeOf = (secret: string) => {
    const code = new TOTP({ secret }).generate({ timestamp: next });
    next += 30_000;
    return code;
  };
  const makeCodesWorkAgain = async () => {
    next = Date.now();
    await app.db.updateTable('portal_second_factors').set({ last_step: 0 }).execute();
  };
  const enter = ({ email, password }: TestUser, code?: string) =>
    anonymousClient(app).post('/auth/sign-in/email', { email, password, ...(code ? { code } : {}) });
  const age = (client: PortalClient, minutes: number) =>
    app.db
      .updateTable('portal_sessions')
      .set({ created_at: new Date(Date.now() - minutes * 60_000).toISOString() })
      .where('user_id', 'is not', null)
      .execute()
      .then(() => client);

  async function enrol(user: TestUser) {
    await makeCodesWorkAgain();
    const client = await signIn(app, user);
    const { secret, uri } = (await client.post('/auth/second-factor')).body.data;
    assert.match(uri, /^otpauth:\/\/totp\//);
    const confirmed = await client.post('/auth/second-factor/confirm', { code: codeOf(secret) });
    assert.equal(confirmed.status, 200);
    return { client, secret, recoveryCodes: confirmed.body.data.recoveryCodes as string[] };
  }

  it('is asked for once the password is right, and only then', async () => {
    const user = await makeUser(app, company);
    const { secret, recoveryCodes, client } = await enrol(user);
    assert.equal(recoveryCodes.length, 10);
    assert.equal((await enter(user)).body.code, 'code-required');
    assert.equal((await enter({ ...user, password: 'a wrong password' }, '123456')).body.code, 'sign-in-failed');
    assert.equal((await enter(user, '000000')).body.code, 'wrong-code');
    await makeCodesWorkAgain();
    const code = codeOf(secret);
    const entered = await enter(user, code);
    assert.equal(entered.status, 204);
    assert.equal((await clientWith(app, cookiesOf(entered)).get('/me')).body.data.user.hasSecondFactor, true);
    assert.equal((await enter(user, code)).body.code, 'wrong-code', 'a code works once');
    const [recovery = ''] = recoveryCodes;
    assert.equal((await enter(user, recovery.toUpperCase().replaceAll('-', ' '))).status, 204);
    assert.equal((await enter(user, recovery)).body.code, 'wrong-code', 'a recovery code works once');
    assert.equal((await client.get('/auth/second-factor')).body.data.recoveryCodes, 9);
  });

  it('stores the secret encrypted and recovery codes as hashes', async () => {
    const user = await makeUser(app, company);
    const { secret, recoveryCodes } = await enrol(user);
    const row = JSON.stringify(
      await app.db.selectFrom('portal_second_factors').selectAll().where('user_id', '=', user.id).execute(),
    );
    assert.ok(!row.includes(secret));
    assert.ok(recoveryCodes.every((code) => !row.includes(code.replaceAll('-', ''))));
    assert.ok(app.logs.every((line) => !line.includes(secret) && !line.includes(recoveryCodes[0] ?? 'x')));
  });

  it('can be renewed, removed and added again by its user', async () => {
    const user = await makeUser(app, company);
    const { client, recoveryCodes } = await enrol(user);
    assert.equal((await client.post('/auth/second-factor')).body.code, 'second-factor-exists');
    const renewed = (await client.post('/auth/second-factor/recovery-codes')).body.data.recoveryCodes;
    assert.ok(!renewed.includes(recoveryCodes[0]));
    assert.equal((await client.post('/auth/second-factor/remove')).status, 204);
    assert.equal((await client.post('/auth/second-factor/remove')).status, 404);
    assert.equal((await enter(user)).status, 204);
  });

  it('can be reset by another admin, which ends the sessions and is recorded', async () => {
    const [admin, user] = [await makeUser(app, company), await makeUser(app, company, 'viewer')];
    const { client } = await enrol(user);
    const other = await signIn(app, admin);
    assert.equal((await other.post(`/users/${user.id}/reset-second-factor`)).status, 204);
    assert.equal((await other.post(`/users/${user.id}/reset-second-factor`)).status, 404);
    assert.equal((await client.get('/me')).status, 401);
    assert.equal((await enter(user)).status, 204);
    const entries = await rowsOf(app.db, 'audit_log', { company_id: company, target: user.id }, ['action']);
    const actions = entries.map(({ action }) => action).filter((action) => action.includes('second-factor'));
    assert.deepEqual(actions, ['second-factor.app-added', 'user.reset-second-factor']);
  });

  it('stays with the account when the company in which it was added removes its user', async () => {
    const other = await makeCompany(app.db);
    const admin = await signIn(app, await makeUser(app, company));
    const here = await makeUser(app, company, 'viewer', { email: 'two-companies@example.com' });
    const there = await makeUser(app, other, 'admin', { email: here.email });
    for (const [companyId, { id, email }] of [
      [company, here],
      [other, there],
    ] as const)
      await writeCompany(app.db, companyId, (tx) => proveAddress(tx, companyId, { id, email, by: {} }));
    const { secret, client, recoveryCodes } = await enrol(here);
    const leaving = (await client.get('/me')).body.data.company.id === company ? here : there;
    assert.equal((await admin.post(`/users/${here.id}/reset-second-factor`)).body.code, 'account-shared');
    // Whichever company the app was added in removes the user.
    const remover = leaving === here ? admin : await signIn(app, await makeUser(app, other));
    const gone = await remover.post(`/users/${leaving.id}/remove`, { revokeKeys: [], keepKeys: [] });
    assert.equal(gone.status, 204, gone.bytes.toString());
    assert.equal((await enter(here)).body.code, 'code-required');
    await makeCodesWorkAgain();
    const entered = await enter(here, codeOf(secret));
    assert.equal(entered.status, 204, entered.bytes.toString());
    assert.equal((await clientWith(app, cookiesOf(entered)).get('/auth/second-factor')).body.data.recoveryCodes, 10);
    assert.equal((await enter(here, recoveryCodes[0])).status, 204);
  });

  it('ends older sessions of the account once it is turned on', async () => {
    const other = await makeCompany(app.db);
    const here = await makeUser(app, company, 'viewer', { email: 'turns-on@example.com' });
    const there = await makeUser(app, other, 'admin', { email: here.email });
    for (const [companyId, { id, email }] of [
      [company, here],
      [other, there],
    ] as const)
      await writeCompany(app.db, companyId, (tx) => proveAddress(tx, companyId, { id, email, by: {} }));
    const [older, elsewhere] = [await signIn(app, here), await signIn(app, here)];
    // One of the two is where the other already was.
    await older.post('/memberships/switch', { companyId: company });
    await elsewhere.post('/memberships/switch', { companyId: other });
    const companyOf = async (client: PortalClient) => (await client.get('/me')).body.data.company.id;
    assert.deepEqual([await companyOf(older), await companyOf(elsewhere)], [company, other]);
    const { client, secret } = await enrol(here);
    assert.deepEqual([(await older.get('/me')).status, (await elsewhere.get('/me')).status], [401, 401]);
    assert.equal((await client.get('/me')).body.data.user.signedInBy, 'password-and-factor');
    await makeCodesWorkAgain();
    const entered = clientWith(app, cookiesOf(await enter(here, codeOf(secret))));
    assert.equal((await entered.get('/me')).body.data.user.signedInBy, 'password-and-factor');
    const sessions = (await entered.get('/auth/sessions')).body.data;
    assert(sessions.every(({ method }: { method: string }) => method === 'password-and-factor'));
  });

  it('is required where the company says so', async () => {
    const strict = await makeCompany(app.db);
    const admin = await makeUser(app, strict);
    const client = await signIn(app, admin);
    const rules = { secondFactorRequired: true, sessionIdleMinutes: 30 };
    assert.equal((await client.post('/settings/access', rules)).status, 200);
    assert.equal((await client.get('/overview')).body.code, 'second-factor-missing');
    assert.equal((await client.get('/me')).body.data.user.mustAddSecondFactor, true);
    await makeCodesWorkAgain();
    const { secret } = (await client.post('/auth/second-factor')).body.data;
    assert.equal((await client.post('/auth/second-factor/confirm', { code: codeOf(secret) })).status, 200);
    assert.equal((await client.get('/overview')).status, 200);
  });

  it('confirms who somebody is before something sensitive, if the sign-in is long ago', async () => {
    const user = await makeUser(app, company);
    const { client, secret } = await enrol(user);
    await age(client, 16);
    const body = { name: 'Key', permissions: ['view-billing'], expiresAt: null };
    assert.equal((await client.post('/keys', body)).body.code, 'step-up-required');
    assert.equal((await client.delete('/sso')).body.code, 'step-up-required');
    assert.equal((await client.get('/keys')).status, 200);
    assert.equal((await client.post('/auth/step-up', { credential: user.password })).body.code, 'wrong-code');
    await makeCodesWorkAgain();
    assert.equal((await client.post('/auth/step-up', { credential: codeOf(secret) })).status, 204);
    assert.equal((await client.post('/keys', body)).status, 201);
  });

  it('is replaced by the password where there is none', async () => {
    const user = await makeUser(app, company);
    const client = await age(await signIn(app, user), 16);
    assert.equal((await client.post('/auth/second-factor')).body.code, 'step-up-required');
    assert.equal((await client.post('/auth/step-up', { credential: 'not this one' })).body.code, 'wrong-password');
    assert.equal((await client.post('/auth/step-up', { credential: user.password })).status, 204);
    assert.equal((await client.post('/auth/second-factor')).status, 201);
  });
});

describe('sessions', () => {
  const app = useApp();
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(app.db);
  });

  it('are listed with their device, and ended one by one', async () => {
    const user = await makeUser(app, company);
    const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' };
    const response = await anonymousClient(app).post(
      '/auth/sign-in/email',
      { email: user.email, password: user.password },
      agent,
    );
    const [there, here] = [clientWith(app, cookiesOf(response)), await signIn(app, user)];
    const sessions: { id: string; device: string; address: string; isCurrent: boolean }[] = (
      await here.get('/auth/sessions')
    ).body.data;
    assert.deepEqual(sessions.map(({ isCurrent }) => isCurrent).toSorted(), [false, true]);
    const other = sessions.find(({ isCurrent }) => !isCurrent);
    assert.deepEqual([other?.device, other?.address], ['Firefox, Windows', '127.0.0.1']);
    const stranger = await signIn(app, await makeUser(app, company));
    assert.equal((await stranger.post(`/auth/sessions/${other?.id}/end`)).status, 404);
    assert.equal((await here.post(`/auth/sessions/${other?.id}/end`)).status, 204);
    assert.equal((await there.get('/me')).status, 401);
    assert.equal((await here.get('/me')).status, 200);
  });

  it('end when they were idle for as long as the company says', async () => {
    const client = await signIn(app, await makeUser(app, company));
    await client.post('/settings/access', { secondFactorRequired: false, sessionIdleMinutes: 5 });
    const leaveFor = (minutes: number) =>
      updateRows(
        app.db,
        'portal_sessions',
        {},
        { last_used_at: new Date(Date.now() - minutes * 60_000).toISOString() },
      );
    await leaveFor(4);
    assert.equal((await client.get('/me')).status, 200);
    await leaveFor(6);
    assert.equal((await client.get('/me')).status, 401);
  });
});
