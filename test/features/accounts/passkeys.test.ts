import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { proveAddress } from '../../../src/features/accounts/prove-address.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { type Authenticator, createAuthenticator } from '../../support/authenticator.ts';
import { commandsIn } from '../../support/commands.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import {
  anonymousClient,
  clientWith,
  cookiesOf,
  makeUser,
  type PortalClient,
  signIn,
  type TestUser,
} from '../../support/portal.ts';
import { insertRows, rowsOf, updateRows } from '../../support/rows.ts';

describe('passkeys', () => {
  // Nothing is sent: there is no worker. Mails wait in their table.
  const app = useApp({ env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'benefits@example.com' } });
  let company: CompanyId;
  let origin: string;
  /** Two users with a passkey each. The last test disables the first. */
  let mine: Awaited<ReturnType<typeof enrol>>;
  let theirs: typeof mine;
  before(async () => {
    company = await makeCompany(app.db);
    ({ origin } = new URL(app.config.publicUrl));
    mine = await enrol();
    theirs = await enrol();
  });

  const optionsOf = async (client: PortalClient, path: string) => (await client.post(path)).body.data;
  const add = async (client: PortalClient, key: Authenticator, name = 'Laptop') => {
    const options = await optionsOf(client, '/auth/passkeys/options');
    return client.post('/auth/passkeys', { name, passkey: key.attest(options, { origin }) });
  };
  /** Creates a user with a passkey. */
  async function enrol(user?: TestUser) {
    const owner = user ?? (await makeUser(app, company));
    const [client, key] = [await signIn(app, owner), createAuthenticator()];
    const added = await add(client, key);
    assert.equal(added.status, 201, added.bytes.toString());
    return { user: owner, client, key, id: added.body.data.id as string };
  }
  const visitor = () => anonymousClient(app);
  const signInOptions = () => optionsOf(visitor(), '/auth/sign-in/passkey/options');
  const enter = async (key: Authenticator) =>
    visitor().post('/auth/sign-in/passkey', { passkey: key.assert(await signInOptions(), { origin }) });
  const age = ({ id }: TestUser) =>
    updateRows(
      app.db,
      'portal_sessions',
      { user_id: id },
      { created_at: new Date(Date.now() - 16 * 60_000).toISOString(), stepped_up_at: null },
    );
  const stepUp = async (client: PortalClient, key: Authenticator) => {
    const options = await optionsOf(client, '/auth/step-up/passkey/options');
    return client.post('/auth/step-up/passkey', { passkey: key.assert(options, { origin }) });
  };
  const assertRefused = ({ status, body, headers }: Awaited<ReturnType<typeof enter>>, why: string) => {
    assert.deepEqual([status, body?.code], [422, 'passkey-refused'], why);
    assert.deepEqual(headers.getSetCookie(), [], why);
  };

  it('sign their user in, without a password and without the address', async () => {
    const { user, key } = mine;
    const options = await signInOptions();
    assert.deepEqual([options.allowCredentials, options.userVerification, options.rpId], [[], 'required', 'localhost']);
    const entered = await enter(key);
    assert.equal(entered.status, 204, entered.bytes.toString());
    const client = clientWith(app, cookiesOf(entered));
    const me = (await client.get('/me')).body.data.user;
    assert.deepEqual([me.id, me.hasSecondFactor, me.secondFactors], [user.id, true, ['passkey']]);
    const { passkeys, isFull } = (await client.get('/auth/passkeys')).body.data;
    assert.deepEqual([passkeys.length, passkeys[0].name, isFull], [1, 'Laptop', false]);
    assert.notEqual(passkeys[0].lastUsedAt, null);
  });

  it('are the second factor of a password, and password or code alone are not enough', async () => {
    const { user, key } = mine;
    const { email, password } = user;
    const attempt = (extra: object = {}) => visitor().post('/auth/sign-in/email', { email, password, ...extra });
    assert.equal((await attempt()).body.code, 'passkey-required');
    assert.equal((await attempt({ code: '123456' })).body.code, 'passkey-required');
    assertRefused(
      await attempt({ passkey: theirs.key.assert(await signInOptions(), { origin }) }),
      'the passkey of another user',
    );
    assert.equal((await attempt({ passkey: key.assert(await signInOptions(), { origin }) })).status, 204);
  });

  it('confirm who somebody is before something sensitive', async () => {
    const { user, client, key } = mine;
    await age(user);
    const body = { name: 'Key', permissions: ['view-billing'], expiresAt: null };
    assert.equal((await client.post('/keys', body)).body.code, 'step-up-required');
    assert.equal((await client.post('/auth/step-up', { credential: user.password })).body.code, 'wrong-code');
    assertRefused(await stepUp(client, theirs.key), 'the passkey of another user');
    const foreign = key.assert(await optionsOf(theirs.client, '/auth/step-up/passkey/options'), { origin });
    assertRefused(await client.post('/auth/step-up/passkey', { passkey: foreign }), 'the challenge of another user');
    const early = key.assert(await signInOptions(), { origin });
    assertRefused(await client.post('/auth/step-up/passkey', { passkey: early }), 'a challenge for the sign-in');
    assert.equal((await client.post('/keys', body)).body.code, 'step-up-required');
    assert.equal((await stepUp(client, key)).status, 204);
    assert.equal((await client.post('/keys', body)).status, 201);
  });

  it('work once per challenge, in time, for our own pages and with a user who was verified', async () => {
    const { key } = theirs;
    const post = (passkey: object) => visitor().post('/auth/sign-in/passkey', { passkey });
    const passkey = key.assert(await signInOptions(), { origin });
    assert.equal((await post(passkey)).status, 204);
    assertRefused(await post(passkey), 'the same response again');
    assertRefused(await post(key.assert(await signInOptions(), { origin: 'https://evil.example' })), 'another origin');
    assertRefused(
      await post(key.assert({ ...(await signInOptions()), rpId: 'evil.example' }, { origin })),
      'another relying party',
    );
    assertRefused(await post(key.assert(await signInOptions(), { origin, isVerified: false })), 'no PIN');
    assertRefused(await post(key.assert(await signInOptions(), { origin, counter: 1 })), 'a copied authenticator');
    assertRefused(await post(createAuthenticator().assert(await signInOptions(), { origin })), 'an unknown key');
    const imposter = { ...createAuthenticator().assert(await signInOptions(), { origin }), id: key.id };
    assertRefused(await post(imposter), 'the signature of another key');
    const handle = { ...key.assert(await signInOptions(), { origin }), userHandle: 'c29tZWJvZHk' };
    assertRefused(await post(handle), 'the handle of another user');
    assertRefused(await post({ ...passkey, clientDataJson: 'nothing' }), 'no challenge');
    const late = key.assert(await signInOptions(), { origin });
    await app.db.updateTable('portal_verifications').set({ expires_at: new Date().toISOString() }).execute();
    assertRefused(await post(late), 'an expired challenge');
    assert.equal((await enter(key)).status, 204);
    assert(app.logs.some((line) => line.includes('passkey refused')));
  });

  it('are added and used once, even if the same is sent twice at the same time', async () => {
    const user = await makeUser(app, company);
    const [client, key] = [await signIn(app, user), createAuthenticator()];
    const options = await optionsOf(client, '/auth/passkeys/options');
    const body = { name: 'Laptop', passkey: key.attest(options, { origin }) };
    const added = await Promise.all([client.post('/auth/passkeys', body), client.post('/auth/passkeys', body)]);
    assert.deepEqual(added.map(({ status }) => status).toSorted(), [201, 422]);
    // Another challenge, but the same key: for its own user as for another one.
    assertRefused(await add(client, key), 'a key that is known');
    assertRefused(await add(theirs.client, key), 'a key of another user');
    const passkey = key.assert(await signInOptions(), { origin });
    const send = () => visitor().post('/auth/sign-in/passkey', { passkey });
    const entered = await Promise.all([send(), send()]);
    assert.deepEqual(entered.map(({ status }) => status).toSorted(), [204, 422]);
    const [{ id }] = (await client.get('/auth/passkeys')).body.data.passkeys;
    const remove = () => client.post(`/auth/passkeys/${id}/remove`);
    assert.deepEqual((await Promise.all([remove(), remove()])).map(({ status }) => status).toSorted(), [204, 404]);
  });

  it('are refused when they were removed, and only their user removes them', async () => {
    const { user, client, key, id } = await enrol();
    assert.equal((await theirs.client.post(`/auth/passkeys/${id}/remove`)).status, 404);
    await age(user);
    assert.equal((await client.post(`/auth/passkeys/${id}/remove`)).body.code, 'step-up-required');
    assert.equal((await stepUp(client, key)).status, 204);
    assert.equal((await client.post(`/auth/passkeys/${id}/remove`)).status, 204);
    assertRefused(await enter(key), 'a passkey that was removed');
    assert.equal((await client.post('/auth/step-up/passkey/options')).status, 404);
  });

  it('are reset by another admin and are recorded', async () => {
    const { user, client, key } = await enrol();
    assert.equal((await theirs.client.post(`/users/${user.id}/reset-second-factor`)).status, 204);
    assert.equal((await client.get('/me')).status, 401);
    assertRefused(await enter(key), 'a passkey that was reset');
    await signIn(app, user);
    const entries = await rowsOf(app.db, 'audit_log', { company_id: company, target: user.id }, ['action', 'detail']);
    const actions = entries.map(({ action }) => action).filter((action) => action.includes('second-factor'));
    assert.deepEqual(actions, ['second-factor.passkey-added', 'user.reset-second-factor']);
    assert.deepEqual(entries.find(({ action }) => action.endsWith('passkey-added'))?.detail, { name: 'Laptop' });
    const mails = await rowsOf(app.db, 'mails', { company_id: company, recipient: user.email }, ['template']);
    assert.deepEqual(pluck(mails, 'template'), ['second-factor-changed', 'second-factor-changed']);
  });

  it('are reset by the operator', async () => {
    const commands = commandsIn({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir });
    const { user, client, key } = await enrol();
    const words = ['user', 'reset-second-factor', '--company', String(company), '--email', user.email];
    assert.deepEqual(await commands.succeed(...words), { id: user.id, endedSessions: 1 });
    assert.match(await commands.fail(...words), /has no second factor/);
    assert.equal((await client.get('/me')).status, 401);
    assertRefused(await enter(key), 'a passkey that was reset');
  });

  it('meet the rule of a company that requires a second factor', async () => {
    const strict = await makeCompany(app.db);
    const client = await signIn(app, await makeUser(app, strict));
    const rules = { secondFactorRequired: true, sessionIdleMinutes: 30 };
    assert.equal((await client.post('/settings/access', rules)).status, 200);
    assert.equal((await client.get('/overview')).body.code, 'second-factor-missing');
    assert.equal((await add(client, createAuthenticator())).status, 201);
    assert.equal((await client.get('/overview')).status, 200);
  });

  it('do not open a company that enforces single sign-on, and are not added from its provider', async () => {
    const managed = await makeCompany(app.db);
    const [admin, user] = [await makeUser(app, managed), await makeUser(app, managed)];
    const { key: adminKey } = await enrol(admin);
    const { client, key } = await enrol(user);
    await writeCompany(app.db, managed, (tx) =>
      insertRows(tx, 'sso_connections', {
        ...{ company_id: managed, issuer: 'https://id.example', client_id: 'portal', encrypted_client_secret: 'x' },
        ...{ default_roles: [], is_enforced: true, break_glass_user_id: admin.id },
      }),
    );
    const refused = await enter(key);
    assert.deepEqual([refused.status, refused.body.code], [403, 'sso-required']);
    assert.deepEqual(refused.headers.getSetCookie(), []);
    assert.equal((await enter(adminKey)).status, 204, 'the admin who may use a password');
    await updateRows(
      app.db,
      'portal_sessions',
      { user_id: user.id },
      { method: 'single-sign-on', connection_company_id: managed },
    );
    assert.equal((await client.post('/auth/passkeys/options')).body.code, 'account-protected');
  });

  it('count for all companies of an account, but open the one in which they were added', async () => {
    const other = await makeCompany(app.db);
    const here = await makeUser(app, company, 'admin', { email: `both-${company}@example.com` });
    const there = await makeUser(app, other, 'admin', { email: here.email });
    const prove = (companyId: CompanyId, { id, email }: TestUser) =>
      writeCompany(app.db, companyId, (tx) => proveAddress(tx, companyId, { id, email, by: {} }));
    const planted = await enrol(there);
    await prove(company, here);
    await prove(other, there);
    assertRefused(await enter(planted.key), 'a passkey that was added before the address was proven');
    const [client, key] = [await signIn(app, here), createAuthenticator()];
    assert.equal((await client.post('/memberships/switch', { companyId: company })).status, 204);
    assert.equal((await add(client, key)).status, 201);
    const entered = await enter(key);
    const me = (await clientWith(app, cookiesOf(entered)).get('/me')).body.data;
    assert.deepEqual([me.user.id, me.company.id], [here.id, company]);
    const { email, password } = here;
    const attempt = await visitor().post('/auth/sign-in/email', { email, password });
    assert.equal(attempt.body.code, 'passkey-required');
  });

  it('stay with the account when the company in which they were added removes its user', async () => {
    const other = await makeCompany(app.db);
    const here = await makeUser(app, company, 'viewer', { email: `leaves-${company}@example.com` });
    const there = await makeUser(app, other, 'admin', { email: here.email });
    for (const [companyId, { id, email }] of [
      [company, here],
      [other, there],
    ] as const)
      await writeCompany(app.db, companyId, (tx) => proveAddress(tx, companyId, { id, email, by: {} }));
    const client = await signIn(app, here);
    await client.post('/memberships/switch', { companyId: company });
    const key = createAuthenticator();
    assert.equal((await add(client, key)).status, 201);
    const refused = await theirs.client.post(`/users/${here.id}/reset-second-factor`);
    assert.deepEqual(
      [refused.status, refused.body.code],
      [409, 'account-shared'],
      'it protects another company as well',
    );
    const removed = await theirs.client.post(`/users/${here.id}/remove`, { revokeKeys: [], keepKeys: [] });
    assert.equal(removed.status, 204);
    const { email, password } = here;
    assert.equal((await visitor().post('/auth/sign-in/email', { email, password })).body.code, 'passkey-required');
    const entered = await enter(key);
    assert.equal(entered.status, 204, entered.bytes.toString());
    const me = (await clientWith(app, cookiesOf(entered)).get('/me')).body.data;
    assert.deepEqual([me.user.id, me.company.id], [there.id, other]);
  });

  it('open nothing for a user who was removed or disabled', async () => {
    const removed = await enrol();
    const body = { revokeKeys: [], keepKeys: [] };
    assert.equal((await theirs.client.post(`/users/${removed.user.id}/remove`, body)).status, 204);
    assertRefused(await enter(removed.key), 'the passkey of a removed user');
    const disabled = mine;
    await app.db.deleteFrom('portal_accounts').where('user_id', '=', disabled.user.id).execute();
    assertRefused(await enter(disabled.key), 'the passkey of a disabled user');
  });
});
