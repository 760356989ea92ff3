import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { proveAddress } from '../../../src/features/accounts/prove-address.ts';
import { maxInvitationsPerDay } from '../../../src/features/accounts/users/invitations.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { startTestApp, useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { anonymousClient, clientWith, cookiesOf, makeUser, signIn } from '../../support/portal.ts';
import { useResource } from '../../support/prepare.ts';
import { rowOf } from '../../support/rows.ts';
import { startSmtpServer } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

const app = useApp();

describe('limits of access', () => {
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

describe('a new password by a link of an admin', () => {
  const prove = (companyId: CompanyId, { id, email }: { id: string; email: string }) =>
    writeCompany(app.db, companyId, (tx) => proveAddress(tx, companyId, { id, email, by: {} }));
  const use = (link: string, newPassword = 'seven lamps and a ladder') =>
    anonymousClient(app).post('/auth/reset-password', { token: link.split('#')[1], newPassword });

  it('needs no mail server, works once, and is recorded', async () => {
    const company = await makeCompany(app.db);
    const [admin, user] = [await signIn(app, await makeUser(app, company)), await makeUser(app, company, 'hr')];
    const open = await signIn(app, user);
    const made = await admin.post(`/users/${user.id}/reset-link`);
    assert.equal(made.status, 201, made.bytes.toString());
    assert.match(made.body.data.link, /\/new-password#[\w-]{43}$/);
    assert.equal((await use(made.body.data.link)).status, 204);
    assert.equal((await use(made.body.data.link)).status, 404);
    assert.equal((await open.get('/me')).status, 401);
    await signIn(app, { email: user.email, password: 'seven lamps and a ladder' });
    const entries = await app.db
      .selectFrom('audit_log')
      .select(['action', 'actor', 'detail'])
      .where('company_id', '=', company)
      .where('target', '=', user.id)
      .where('action', 'like', 'user.%')
      .orderBy('id')
      .execute();
    assert.deepEqual(pluck(entries.slice(-2), 'action'), ['user.reset-link', 'user.password-by-link']);
    assert(!JSON.stringify(entries).includes(made.body.data.link.split('#')[1]));
    // A user who was disabled has no password and gets none this way.
    await app.db.deleteFrom('portal_accounts').where('user_id', '=', user.id).execute();
    assert.equal((await admin.post(`/users/${user.id}/reset-link`)).status, 404);
  });

  it('opens no other company of the account', async () => {
    const [here, there] = [await makeCompany(app.db), await makeCompany(app.db)];
    const admin = await signIn(app, await makeUser(app, here));
    const email = 'of-two@example.com';
    const [user, other] = [
      await makeUser(app, here, 'viewer', { email }),
      await makeUser(app, there, 'admin', { email }),
    ];
    await prove(here, user);
    const early = (await admin.post(`/users/${user.id}/reset-link`)).body.data.link;
    await prove(there, other);
    assert.equal((await admin.post(`/users/${user.id}/reset-link`)).body.code, 'account-shared');
    assert.equal((await use(early)).status, 404, 'a link from before the user joined the other company');
  });
});

describe('a new password by mail', () => {
  const server = useResource(startSmtpServer);
  const app = useApp(() => ({ env: { ...server.env, TRUST_PROXY: '1' }, worker: 'without documents' }));
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(app.db);
  });

  const mailsTo = (email: string) => server.received.filter(({ to }) => to.includes(email));
  const request = (email: string) => anonymousClient(app).post('/auth/request-password-reset', { email });
  const tokenIn = (text = '') => /new-password#([\w-]{43})/.exec(text)?.[1] ?? '';

  it('works once, ends all sessions, and sends the user a mail', async () => {
    const user = await makeUser(app, company);
    const client = await signIn(app, user);
    const known = await request(user.email.toUpperCase());
    const unknown = await request('nobody@example.com');
    assert.deepEqual([known.status, known.bytes.length], [unknown.status, unknown.bytes.length]);
    await until('the link has arrived', () => mailsTo(user.email).length === 1);
    const body = { token: tokenIn(mailsTo(user.email)[0]?.text), newPassword: 'seven lamps and a ladder' };
    assert.equal(
      (await anonymousClient(app).post('/auth/reset-password', { ...body, newPassword: 'password1234' })).status,
      400,
    );
    assert.equal((await anonymousClient(app).post('/auth/reset-password', body)).status, 204);
    assert.equal((await anonymousClient(app).post('/auth/reset-password', body)).status, 404);
    assert.equal((await client.get('/me')).status, 401);
    await signIn(app, { email: user.email, password: body.newPassword });
    await until('the notice has arrived', () => mailsTo(user.email).length === 2);
    assert.equal(mailsTo('nobody@example.com').length, 0);
    const stored = JSON.stringify(await app.db.selectFrom('portal_verifications').selectAll().execute());
    assert.ok(!stored.includes(body.token));
  });

  it('is mailed to nobody who was disabled or removed', async () => {
    const user = await makeUser(app, company);
    await request(user.email);
    await until('the link has arrived', () => mailsTo(user.email).length === 1);
    await app.db.deleteFrom('portal_accounts').where('user_id', '=', user.id).execute();
    const body = { token: tokenIn(mailsTo(user.email)[0]?.text), newPassword: 'seven lamps and a ladder' };
    assert.equal((await anonymousClient(app).post('/auth/reset-password', body)).status, 404);
  });

  it('is announced, like a sign-in from a new network', async () => {
    const user = await makeUser(app, company);
    const enter = (address: string) =>
      anonymousClient(app).post(
        '/auth/sign-in/email',
        { email: user.email, password: user.password },
        { 'x-forwarded-for': address },
      );
    for (const address of ['192.0.2.1', '192.0.2.1', '198.51.100.7']) assert.equal((await enter(address)).status, 204);
    await until('the notice has arrived', () => mailsTo(user.email).length === 1);
    assert.match(mailsTo(user.email)[0]?.text ?? '', /198\.51\.100\.7/);
  });

  it('comes in the language of the account, and otherwise in that of the company, like everything about access', async () => {
    const subjects = {
      de: ['Bestätigen Sie Ihre E-Mail-Adresse', 'Ihr Passwort wurde geändert', 'Wählen Sie ein neues Passwort'],
      en: ['Choose a new password', 'Confirm your email address', 'Your password was changed'],
    };
    const english = await makeCompany(app.db);
    await app.db.updateTable('companies').set({ locale: 'en-GB' }).where('id', '=', english).execute();
    const cases = [
      { companyId: company, chosen: 'en', expected: subjects.en },
      { companyId: english, chosen: 'de', expected: subjects.de },
      { companyId: english, chosen: undefined, expected: subjects.en },
    ] as const;
    for (const { companyId, chosen, expected } of cases) {
      const user = await makeUser(app, companyId);
      const client = await signIn(app, user);
      if (chosen) assert.equal((await client.post('/me/language', { language: chosen })).status, 204);
      assert.equal((await client.post('/auth/prove-address')).status, 204);
      const passwords = { currentPassword: user.password, newPassword: 'seven lamps and a ladder' };
      assert.equal((await client.post('/auth/change-password', passwords)).status, 204);
      await request(user.email);
      await until('all mails have arrived', () => mailsTo(user.email).length === 3);
      assert.deepEqual(pluck(mailsTo(user.email), 'subject').toSorted(), expected);
    }
  });

  it('says what to do where no mail is configured', async () => {
    await using silent = await startTestApp();
    const { status, body } = await anonymousClient(silent).post('/auth/request-password-reset', { email: 'a@b.de' });
    assert.deepEqual([status, body.code], [409, 'mail-not-configured']);
  });
});
