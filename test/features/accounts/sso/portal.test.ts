import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { proveAddress } from '../../../../src/features/accounts/prove-address.ts';
import {
  hasRecord,
  insertDomain,
  listDomains,
  proveDomain,
  recordNameOf,
} from '../../../../src/features/accounts/sso/manage.ts';
import { redirectUriOf } from '../../../../src/features/accounts/sso/provider.ts';
import type { CompanyId } from '../../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../../src/platform/db/write.ts';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import { startDnsServer } from '../../../support/dns-server.ts';
import { makeCompany } from '../../../support/factories.ts';
import { type Person, startIdentityProvider } from '../../../support/identity-provider.ts';
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
import { updateRows } from '../../../support/rows.ts';

describe('single sign-on', () => {
  let app: TestApp;
  let dns: Awaited<ReturnType<typeof startDnsServer>>;
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
  let company: CompanyId;
  let admin: TestUser;
  let client: PortalClient;

  before(async () => {
    dns = await startDnsServer({});
    app = await startTestApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'on', DNS_SERVERS: dns.address } });
    company = await makeCompany(app.db, 'Signs on');
    provider = await startIdentityProvider(redirectUriOf(app.config, company));
    admin = await makeUser(app, company, 'admin', { email: 'ada@corp.example' });
    client = await signIn(app, admin);
    const proof = (tx: Parameters<typeof insertDomain>[0]) =>
      insertDomain(tx, company, 'corp.example').then(() => proveDomain(tx, company, 'corp.example', {}));
    assert.equal(await writeCompany(app.db, company, proof), true);
  });
  after(async () => {
    await app.close();
    await provider.stop();
    await dns.stop();
  });

  const connect = (changes: object = {}) =>
    client.post('/sso', {
      issuer: provider.issuer,
      clientId: provider.clientId,
      clientSecret: provider.clientSecret,
      defaultRoles: ['viewer'],
      groupsClaim: 'groups',
      groupRoles: [{ group: 'people-team', roles: ['hr'] }],
      isEnforced: false,
      breakGlassUserId: null,
      ...changes,
    });

  const start = (email: string) => anonymousClient(app).post('/auth/sso/start', { email });

  /** Signs in as this person, in one browser from start to end. */
  async function enter(person: Person, changeQuery = (query: string) => query) {
    provider.become(person);
    const started = await start(person.email ?? 'x@corp.example');
    const query = changeQuery(await provider.visit(started.body.data.url));
    return clientWith(app, cookiesOf(started)).post('/auth/sso/finish', { connection: company, query });
  }

  const cookieIn = (response: Awaited<ReturnType<typeof enter>>) =>
    cookiesOf(response)
      .split('; ')
      .find((one) => one.startsWith('transit.session_token')) ?? '';
  const me = async (response: Awaited<ReturnType<typeof enter>>) =>
    (await clientWith(app, cookieIn(response)).get('/me')).body.data;

  it('is set up only with a provider that answers, and hides its secret', async () => {
    const nothing = await start('ada@corp.example');
    assert.deepEqual(nothing.body, { data: { url: null } });
    const dead = await connect({ issuer: 'http://127.0.0.1:9' });
    assert.deepEqual([dead.status, dead.body.errors[0].pointer], [400, '/issuer']);
    const { status, bytes, body } = await connect();
    assert.equal(status, 200, bytes.toString());
    assert(!bytes.includes(provider.clientSecret));
    assert.equal(body.data.domains[0].isProven, true);
    const rows = await app.db.selectFrom('sso_connections').selectAll().execute();
    assert(!JSON.stringify(rows).includes(provider.clientSecret));
  });

  it('creates users by their domain, with the roles of their groups', async () => {
    assert.equal((await connect()).status, 200);
    const eve = { sub: 'eve', email: 'Eve@corp.example', email_verified: true, name: 'Eve' };
    const first = await enter(eve);
    assert.equal(first.status, 204, first.bytes.toString());
    const { user } = await me(first);
    assert.deepEqual([user.name, user.email, user.roles], ['Eve', 'eve@corp.example', ['viewer']]);
    const again = await me(await enter({ ...eve, groups: ['people-team', 'others'] }));
    assert.deepEqual([again.user.id, again.user.roles], [user.id, ['hr']]);
    // An existing user of the company keeps the account.
    const ada = await me(await enter({ sub: 'ada', email: admin.email, email_verified: true, name: 'Ada' }));
    assert.equal(ada.user.id, admin.id);
    // The last admin stays one, whatever the groups say.
    assert(ada.user.roles.includes('admin'));
  });

  it('refuses everybody who must not get in', async () => {
    assert.equal((await connect({ defaultRoles: [] })).status, 200);
    const refusalOf = async (response: Awaited<ReturnType<typeof enter>>) => {
      assert.deepEqual([response.status, response.body?.code], [401, 'sso-failed'], response.bytes.toString());
      assert.equal(cookieIn(response), '');
      return response.body.detail;
    };
    const stranger = { sub: 'stranger', email: 'boss@other.example', email_verified: true, groups: ['people-team'] };
    provider.become(stranger);
    const started = await start('x@corp.example');
    const query = await provider.visit(started.body.data.url);
    const finish = (cookie: string) => clientWith(app, cookie).post('/auth/sso/finish', { connection: company, query });
    assert.match(await refusalOf(await finish('')), /not started in this browser/);
    assert.match(await refusalOf(await finish(cookiesOf(started))), /proven domain/);
    assert.match(await refusalOf(await finish(cookiesOf(started))), /not started/, 'a response works once');
    const carl = { sub: 'carl', email: 'carl@corp.example', groups: ['people-team'] };
    assert.match(await refusalOf(await enter({ ...carl, email_verified: false })), /did not confirm/);
    const existing = await makeUser(app, company, 'admin', { email: 'dora@corp.example' });
    for (const isVerified of [undefined, null, 1, 'true', 'false']) {
      const claims = { sub: 'an impostor', email: existing.email, groups: ['people-team'], email_verified: isVerified };
      const text = await refusalOf(await enter(claims));
      assert.match(text, isVerified === undefined ? /already has a user/ : /already has a user|did not confirm/);
    }
    assert.match(await refusalOf(await enter({ ...carl, groups: ['nobody'] })), /None of your groups/);
    const withoutCode = (text: string) => text.replace(/code=[^&]+/, 'code=forged');
    assert.match(await refusalOf(await enter(carl, withoutCode)), /did not sign you in/);
    const withoutIssuer = (text: string) => text.replace(/&iss=[^&]+/, '');
    assert.match(
      await refusalOf(await enter(carl, withoutIssuer)),
      /did not sign you in/,
      'the provider announces iss',
    );
    const ofAnother = (text: string) => text.replace(/&iss=[^&]+/, '&iss=https%3A%2F%2Felsewhere.example');
    assert.match(await refusalOf(await enter(carl, ofAnother)), /did not sign you in/);
    provider.become(carl);
    const again = await start(carl.email);
    const old = { connection: null, query: await provider.visit(again.body.data.url) };
    assert.match(
      await refusalOf(await clientWith(app, cookiesOf(again)).post('/auth/sso/finish', old)),
      /redirect URI/,
    );
    assert.equal((await enter(carl)).status, 204);
    assert.match(await refusalOf(await enter({ ...carl, sub: 'another carl' })), /another person/);
    await app.db.deleteFrom('portal_accounts').where('account_id', 'like', `${company}/%`).execute();
    assert.match(await refusalOf(await enter(carl)), /disabled/);
  });

  it('sends no response of one provider to the provider of another company', async () => {
    // Sends no `iss`, so that only the redirect URI tells whose response it is.
    const target = await makeCompany(app.db, 'Honest');
    const honest = await startIdentityProvider(redirectUriOf(app.config, target), { sendsIssuer: false });
    const tokenRequests: string[] = [];
    const attacking = createServer((request, response) => {
      const issuer = `http://${request.headers.host}`;
      if (!request.url?.startsWith('/.well-known/')) tokenRequests.push(request.url ?? '');
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer, ...endpoints, jwks_uri: `${issuer}/jwks` }));
    });
    attacking.listen(0, '127.0.0.1');
    await once(attacking, 'listening');
    const issuer = `http://127.0.0.1:${(attacking.address() as AddressInfo).port}`;
    try {
      const victim = await makeUser(app, target, 'admin', { email: 'boss@honest.example' });
      const attacker = await makeCompany(app.db, 'Attacker');
      const mallory = await makeUser(app, attacker, 'admin', { email: 'mallory@evil.example' });
      for (const [companyId, user, domain, own] of [
        [target, victim, 'honest.example', { issuer: honest.issuer, clientId: honest.clientId }],
        [attacker, mallory, 'evil.example', { issuer, clientId: honest.clientId }],
      ] as const) {
        await writeCompany(app.db, companyId, async (tx) => {
          await insertDomain(tx, companyId, domain);
          await proveDomain(tx, companyId, domain, {});
        });
        const rest = {
          clientSecret: honest.clientSecret,
          defaultRoles: ['viewer'],
          groupsClaim: 'groups',
          groupRoles: [],
        };
        const policy = { isEnforced: false, breakGlassUserId: null };
        const saved = await (await signIn(app, user)).post('/sso', { ...own, ...rest, ...policy });
        assert.equal(saved.status, 200, saved.bytes.toString());
        assert.equal(saved.body.data.redirectUri, redirectUriOf(app.config, companyId));
      }
      // The attacker starts at the honest provider. The victim starts at the attacker's, which sends the browser on to the
      // honest provider, with the attacker's challenge and the victim's state.
      const begun = await start('boss@honest.example');
      const lured = await start('anybody@evil.example');
      const state = new URL(lured.body.data.url).searchParams.get('state') ?? '';
      const mixed = new URL(begun.body.data.url);
      mixed.searchParams.set('state', state);
      honest.become({ sub: 'boss', email: victim.email, email_verified: true });
      const query = await honest.visit(mixed.href);
      const response = await clientWith(app, cookiesOf(lured)).post('/auth/sso/finish', { connection: target, query });
      assert.deepEqual([response.status, response.body.code], [401, 'sso-failed'], response.bytes.toString());
      assert.match(response.body.detail, /another company/);
      assert.deepEqual(tokenRequests, [], 'the code never reaches the attacker');
      // The honest provider does not send anybody to the address of another company.
      mixed.searchParams.set('redirect_uri', redirectUriOf(app.config, attacker));
      await assert.rejects(honest.visit(mixed.href));
      // Without the detour, the same person gets in.
      const own = await start(victim.email);
      const body = { connection: target, query: await honest.visit(own.body.data.url) };
      assert.equal((await me(await clientWith(app, cookiesOf(own)).post('/auth/sso/finish', body))).user.id, victim.id);
    } finally {
      await honest.stop();
      attacking.closeAllConnections();
      attacking.close();
    }
  });

  it('opens only the company of the connection, and cannot change the account', async () => {
    assert.equal((await connect({ groupRoles: [] })).status, 200);
    const other = await makeCompany(app.db, 'Another employer');
    const email = 'kim@corp.example';
    const [here, there] = [
      await makeUser(app, company, 'viewer', { email }),
      await makeUser(app, other, 'admin', { email }),
    ];
    for (const [companyId, { id }] of [
      [company, here],
      [other, there],
    ] as const)
      await writeCompany(app.db, companyId, (tx) => proveAddress(tx, companyId, { id, email, by: {} }));
    const entered = await enter({ sub: 'kim', email, email_verified: true });
    const kim = clientWith(app, cookieIn(entered));
    assert.equal((await me(entered)).user.signedInBy, 'single-sign-on');
    assert.deepEqual(pluck((await kim.get('/memberships')).body.data.companies, 'id'), [company]);
    const refused = await kim.post('/memberships/switch', { companyId: other });
    assert.deepEqual([refused.status, refused.body.code], [403, 'account-protected']);
    // Not even if the session were moved.
    const session = app.db.updateTable('portal_sessions').where('connection_company_id', '=', company);
    await session.where('user_id', '=', here.id).set({ user_id: there.id }).execute();
    assert.equal((await kim.get('/me')).status, 401);
    await session.where('user_id', '=', there.id).set({ user_id: here.id }).execute();
    // A company that requires a second factor leaves it to the identity provider.
    await app.db.updateTable('companies').set({ second_factor_required: true }).where('id', '=', company).execute();
    assert.equal((await kim.get('/overview')).status, 200);
    assert.equal((await kim.get('/me')).body.data.user.mustAddSecondFactor, false);
    await app.db.updateTable('companies').set({ second_factor_required: false }).where('id', '=', company).execute();
    // A session with the password of the account opens both, although the user has an identity.
    const own = await signIn(app, { email, password: here.password });
    assert.equal((await own.post('/memberships/switch', { companyId: other })).status, 204);
  });

  it('ends its sessions when it is removed, replaced, or loses the domain', async () => {
    const secondDomain = 'second.example';
    await writeCompany(app.db, company, async (tx) => {
      await insertDomain(tx, company, secondDomain);
      await proveDomain(tx, company, secondDomain, {});
    });
    const open = async (email: string) => {
      const entered = await enter({ sub: email, email, email_verified: true });
      assert.equal(entered.status, 204, entered.bytes.toString());
      return clientWith(app, cookieIn(entered));
    };
    const statuses = (clients: PortalClient[]) =>
      Promise.all(clients.map(async (one) => (await one.get('/me')).status));
    assert.equal((await connect({ groupRoles: [] })).status, 200);
    const [first, second] = [await open('ursa@corp.example'), await open(`vera@${secondDomain}`)];
    assert.equal((await client.delete(`/sso/domains/${secondDomain}`)).status, 204);
    assert.deepEqual(await statuses([first, second, client]), [200, 401, 200]);
    const other = await startIdentityProvider(redirectUriOf(app.config, company));
    assert.equal((await connect({ issuer: other.issuer, groupRoles: [] })).status, 200);
    await other.stop();
    assert.deepEqual(await statuses([first, client]), [401, 200]);
    assert.equal((await connect({ groupRoles: [] })).status, 200);
    const again = await open('wim@corp.example');
    assert.deepEqual(await statuses([again]), [200]);
    assert.equal((await client.delete('/sso')).status, 204);
    assert.deepEqual(await statuses([again, client]), [401, 200]);
  });

  it('forgets sign-ins that were started at another identity provider of the company', async () => {
    assert.equal((await connect()).status, 200);
    provider.become({ sub: 'late', email: 'late@corp.example', email_verified: true });
    const started = await start('late@corp.example');
    const query = await provider.visit(started.body.data.url);
    await updateRows(app.db, 'sso_connections', { company_id: company }, { issuer: 'https://next.example' });
    const late = await clientWith(app, cookiesOf(started)).post('/auth/sso/finish', { connection: company, query });
    assert.match(late.body.detail, /did not sign you in/);
  });

  it('can be enforced, except for one admin', async () => {
    assert.equal((await connect()).status, 200);
    const other = await makeUser(app, company, 'viewer', { email: 'bob@corp.example' });
    const theirs = await signIn(app, other);
    assert.equal((await connect({ isEnforced: true })).status, 400);
    assert.equal((await connect({ isEnforced: true, breakGlassUserId: other.id })).status, 400);
    assert.equal((await connect({ isEnforced: true, breakGlassUserId: admin.id })).status, 200);
    assert.equal((await theirs.get('/me')).status, 401);
    const { email, password } = other;
    const refused = await anonymousClient(app).post('/auth/sign-in/email', { email, password });
    assert.deepEqual([refused.status, refused.body.code], [403, 'sso-required']);
    const wrong = await anonymousClient(app).post('/auth/sign-in/email', { email, password: 'something else' });
    assert.equal(wrong.body.code, 'sign-in-failed');
    await signIn(app, admin);
    assert.equal((await me(await enter({ sub: 'bob', email, email_verified: true }))).user.id, other.id);
    assert.equal((await client.delete('/sso')).status, 204);
    await signIn(app, other);
  });

  it('needs a proof of the domain, which only one company can have', async () => {
    const rival = await makeCompany(app.db);
    await writeCompany(app.db, rival, (tx) => insertDomain(tx, rival, 'corp.example'));
    const [claim] = await listDomains(app.db, rival);
    assert(claim);
    dns.zone[recordNameOf('corp.example')] = [[claim.token]];
    const theirs = await signIn(app, await makeUser(app, rival));
    const taken = await theirs.post('/sso/domains/corp.example/check');
    assert.deepEqual([taken.status, taken.body.errors[0].message.key], [400, 'sso-domain-taken']);
    assert.equal(await writeCompany(app.db, rival, (tx) => proveDomain(tx, rival, 'corp.example', {})), false);
    assert.equal((await client.post('/sso/domains', { domain: 'no domain' })).status, 400);
    assert.equal((await client.post('/sso/domains', { domain: 'New.Example.com.' })).body.data.domains.length, 2);
    assert.equal((await client.delete('/sso/domains/new.example.com')).status, 204);
  });

  it('finds the TXT record of a domain in the DNS', async () => {
    const own = await signIn(app, await makeUser(app, await makeCompany(app.db)));
    const claimed = await own.post('/sso/domains', { domain: 'shop.example' });
    const [{ recordName, recordValue }] = claimed.body.data.domains;
    const check = async () => {
      const { status, body } = await own.post('/sso/domains/shop.example/check');
      assert.equal(status, 200);
      return body.data.domains[0].isProven;
    };
    assert.equal(recordName, '_transit-benefits.shop.example');
    assert.equal(await check(), false, 'the name does not exist');
    dns.zone[recordName] = [];
    assert.equal(await check(), false, 'the name has no TXT record');
    dns.zone[recordName] = [['v=spf1 -all'], [`${recordValue}x`], ['transit-benefits=another']];
    assert.equal(await check(), false, 'the name has other records');
    dns.zone[recordName] = 'server failure';
    assert.equal(await check(), false);
    dns.zone[recordName] = [['v=spf1 -all'], [recordValue.slice(0, 9), recordValue.slice(9)]];
    assert.equal(await check(), true, 'a record may consist of several strings');
    const { length } = dns.queries;
    assert.equal(await check(), true);
    assert.equal(dns.queries.length, length, 'a proven domain is not looked up again');
  });

  it('counts a DNS server that does not respond as no record', async () => {
    const claim = { domain: 'slow.example', token: 'transit-benefits=x' };
    dns.zone[recordNameOf(claim.domain)] = 'no response';
    const options = { dnsServers: [dns.address], timeoutMillis: 50 };
    assert.equal(await hasRecord(claim, options), false);
    assert(dns.queries.includes(recordNameOf(claim.domain)));
    dns.zone[recordNameOf(claim.domain)] = [[claim.token]];
    assert.equal(await hasRecord(claim, options), true);
    assert.equal(await hasRecord(claim, { ...options, dnsServers: ['127.0.0.1:9'] }), false);
  });
});
