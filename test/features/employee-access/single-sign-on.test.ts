import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { deleteConnection, storeConnection } from '../../../src/features/accounts/sso/connection.ts';
import { insertDomain, proveDomain } from '../../../src/features/accounts/sso/manage.ts';
import { redirectUriOf } from '../../../src/features/accounts/sso/provider.ts';
import { readEncryption } from '../../../src/platform/crypto/open-encryption.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee } from '../../support/factories.ts';
import { type Person, startIdentityProvider } from '../../support/identity-provider.ts';
import { myClient } from '../../support/my.ts';
import { pluck } from '../../support/pluck.ts';
import { anonymousClient, clientWith, cookiesOf } from '../../support/portal.ts';
import { prepare } from '../../support/prepare.ts';
import { rowsOf } from '../../support/rows.ts';

describe("an employee's single sign-on", () => {
  const app = useApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(app.db, 'Corp');
  });
  const provider = prepare(
    () => startIdentityProvider(redirectUriOf(app.config, company)),
    (one) => one.stop(),
  );

  const connect = async () => {
    const encryption = await readEncryption(app.config);
    const { issuer, clientId, clientSecret } = provider;
    const connection = {
      ...{ issuer, clientId, clientSecret, defaultRoles: ['admin' as const], groupsClaim: 'groups', groupRoles: [] },
      ...{ isEnforced: false, breakGlassUserId: null },
    };
    await writeCompany(app.db, company, (tx) => storeConnection(tx, company, connection, { encryption, by: {} }));
  };
  before(async () => {
    await writeCompany(app.db, company, (tx) => insertDomain(tx, company, 'corp.example'));
    await writeCompany(app.db, company, (tx) => proveDomain(tx, company, 'corp.example', {}));
    await connect();
  });

  async function visit(person: Person) {
    provider.become(person);
    const started = await myClient(app).post('/access/sso/start', { email: person.email });
    const { url } = started.body.data;
    assert.match(new URL(url).searchParams.get('state') ?? '', /^my\./);
    return { cookie: cookiesOf(started), query: await provider.visit(url) };
  }
  async function enter(person: Person) {
    const { cookie, query } = await visit(person);
    return myClient(app, cookie).post('/access/sso/finish', { connection: company, query });
  }
  const sessionIn = (response: Awaited<ReturnType<typeof enter>>) =>
    cookiesOf(response)
      .split('; ')
      .filter((one) => one.startsWith('transit.my='))
      .join();

  it('opens the employments of the confirmed address, and makes nobody a user of the portal', async () => {
    const email = 'eve@corp.example';
    const other = await makeCompany(app.db, 'Sister');
    await makeEmployee(app.db, company, { email: 'Eve@Corp.example', first_name: 'Eve' });
    await makeEmployee(app.db, other, { email });
    const entered = await enter({ sub: 'eve', email, email_verified: true, name: 'Eve' });
    assert.equal(entered.status, 204, entered.bytes.toString());
    const client = myClient(app, sessionIn(entered));
    const session = (await client.get('/session')).body.data;
    assert.equal(session.employee.firstName, 'Eve');
    assert.deepEqual(pluck(session.employments, 'companyName'), ['Corp', 'Sister']);
    assert.deepEqual(await rowsOf(app.db, 'portal_users', { email }), []);
    assert.equal((await clientWith(app, sessionIn(entered)).get('/me')).status, 401);
    const atSister = myClient(app, cookiesOf(await client.post('/session/employment', { id: other })));
    assert.equal((await atSister.get('/session')).body.data.company.name, 'Sister');
    // Without the connection, neither the session of the company nor that of the other one lasts.
    await writeCompany(app.serviceDb, company, (tx) => deleteConnection(tx, company, {}));
    assert.equal((await atSister.get('/session')).status, 401);
    assert.equal((await client.get('/session')).status, 401);
    await connect();
  });

  it('refuses everybody who must not get in', async () => {
    await makeEmployee(app.db, company, { email: 'carl@corp.example' });
    const refusalOf = (response: Awaited<ReturnType<typeof enter>>) => {
      assert.deepEqual([response.status, response.body?.code], [401, 'sso-failed'], response.bytes.toString());
      assert.equal(sessionIn(response), '');
      return response.body.message.key;
    };
    const carl = { sub: 'carl', email: 'carl@corp.example' };
    for (const isVerified of [undefined, false, 'true', null])
      assert.equal(refusalOf(await enter({ ...carl, email_verified: isVerified })), 'sso-no-address');
    const nobody = { sub: 'nobody', email: 'nobody@corp.example', email_verified: true };
    assert.equal(refusalOf(await enter(nobody)), 'sso-no-employee');
    const { cookie, query } = await visit({ ...carl, email_verified: true });
    const body = { connection: company, query };
    assert.equal(refusalOf(await myClient(app).post('/access/sso/finish', body)), 'sso-not-started');
    // What an employee has started opens no portal, and the reverse.
    const asUser = cookie.replace('transit.my_sso', 'transit.sso');
    assert.equal(refusalOf(await clientWith(app, asUser).post('/auth/sso/finish', body)), 'sso-not-started');
    const ofUser = await anonymousClient(app).post('/auth/sso/start', { email: carl.email });
    const userQuery = await provider.visit(ofUser.body.data.url);
    const asEmployee = cookiesOf(ofUser).replace('transit.sso', 'transit.my_sso');
    const swapped = await myClient(app, asEmployee).post('/access/sso/finish', {
      connection: company,
      query: userQuery,
    });
    assert.equal(refusalOf(swapped), 'sso-not-started');
    assert.equal((await myClient(app, cookie).post('/access/sso/finish', body)).status, 204);
    assert.equal(refusalOf(await myClient(app, cookie).post('/access/sso/finish', body)), 'sso-not-started');
    assert.deepEqual((await myClient(app).post('/access/sso/start', { email: 'x@other.example' })).body.data, {
      url: null,
    });
  });
});
