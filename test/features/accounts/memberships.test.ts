import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
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
import { useResource } from '../../support/prepare.ts';
import { rowsOf } from '../../support/rows.ts';
import { startSmtpServer } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

describe('accounts and memberships', () => {
  const smtp = useResource(startSmtpServer);
  const app = useApp(() => ({ env: smtp.env, worker: 'without documents' }));
  let admin: PortalClient;
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(app.db, 'Invites');
    admin = await signIn(app, await makeUser(app, company, 'admin', { name: 'Ada' }));
  });

  /** Returns the token of the latest mail to the address. */
  async function tokenTo(email: string, path: string): Promise<string> {
    let token = '';
    await until(`a mail to ${email}`, () => {
      const mail = smtp.received.findLast(({ to, text }) => to.includes(email) && text.includes(`/${path}/`));
      token = new RegExp(`/${path}/([\\w.-]+)`).exec(mail?.text ?? '')?.[1] ?? '';
      return token !== '';
    });
    return token;
  }

  async function invite(email: string, by = admin): Promise<string> {
    const { status, body } = await by.post('/users/invitations', { email, roles: ['hr'] });
    assert.deepEqual([status, body.data.link], [201, null]);
    return tokenTo(email, 'invitation');
  }

  /** Creates a user whose address is proven. */
  async function makeProven(companyId: CompanyId, email: string): Promise<TestUser> {
    const user = await makeUser(app, companyId, 'admin', { email });
    await writeCompany(app.db, companyId, (tx) => proveAddress(tx, companyId, { id: user.id, email, by: {} }));
    return user;
  }

  const companiesOf = async (client: PortalClient) =>
    (await client.get('/memberships')).body.data.companies.map(({ name }: { name: string }) => name);
  const currentOf = async (client: PortalClient) => (await client.get('/me')).body.data.company.id;

  it('mail an invitation that only the address sees, and treat known and unknown addresses alike', async () => {
    const elsewhere = await makeCompany(app.db, 'Elsewhere');
    const known = await makeProven(elsewhere, 'known@example.com');
    const [plain, token] = [await invite('fresh@example.com'), await invite(known.email)];

    // The owner of a new address chooses a password, and is proven at once.
    const shown = await anonymousClient(app).get(`/invitations/${plain}`);
    assert.deepEqual(shown.body.data, {
      email: 'fresh@example.com',
      companyName: 'Invites',
      roles: ['hr'],
      hasAccount: false,
    });
    const accepted = await anonymousClient(app).post(`/invitations/${plain}`, {
      name: 'Fred',
      password: 'a tram at half past nine',
    });
    assert.equal(accepted.status, 204);
    const fred = clientWith(app, cookiesOf(accepted));
    assert.equal((await fred.get('/memberships')).body.data.isProven, true);

    // The owner of an account joins with its password, and with no other.
    const visitor = anonymousClient(app);
    assert.equal((await visitor.get(`/invitations/${token}`)).body.data.hasAccount, true);
    const refused = await visitor.post(`/invitations/${token}`, { name: 'Kim', password: 'another password' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'email-taken']);
    const wrong = await visitor.post(`/invitations/${token}/join`, { password: 'another password' });
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'sign-in-failed']);
    const joined = await visitor.post(`/invitations/${token}/join`, { password: known.password });
    assert.equal(joined.status, 204, joined.bytes.toString());
    const kim = clientWith(app, cookiesOf(joined));
    assert.equal(await currentOf(kim), company);
    assert.deepEqual(await companiesOf(kim), ['Elsewhere', 'Invites']);

    // They switch with one session, with the roles of each company, and to no company of others.
    assert.equal((await kim.get('/users')).status, 403);
    const other = await makeCompany(app.db, 'Of others');
    assert.equal((await kim.post('/memberships/switch', { companyId: other })).status, 404);
    assert.equal((await kim.post('/memberships/switch', { companyId: elsewhere })).status, 204);
    assert.equal(await currentOf(kim), elsewhere);
    assert.equal((await kim.get('/users')).status, 200);

    // One password for the account: a change applies to both, and ends the other sessions.
    const second = await signIn(app, known);
    const change = { currentPassword: known.password, newPassword: 'quite another password' };
    const changed = await kim.post('/auth/change-password', change);
    assert.equal(changed.status, 204);
    assert.equal((await second.get('/me')).status, 401);
    const again = await signIn(app, { email: known.email, password: change.newPassword });
    assert.deepEqual(await companiesOf(again), ['Elsewhere', 'Invites']);

    // A user who leaves one company keeps the other.
    const userId = (await admin.get('/users')).body.data.users.find(
      ({ email }: { email: string }) => email === known.email,
    ).id;
    assert.equal((await admin.post(`/users/${userId}/remove`, { revokeKeys: [], keepKeys: [] })).status, 204);
    const last = await signIn(app, { email: known.email, password: change.newPassword });
    assert.deepEqual([await currentOf(last), await companiesOf(last)], [elsewhere, ['Elsewhere']]);
    assert.equal((await last.post('/memberships/switch', { companyId: company })).status, 404);
  });

  it('keep an account local to its company until the address is proven', async () => {
    const [victimCompany, ownCompany] = [await makeCompany(app.db, 'A'), await makeCompany(app.db, 'B')];
    const email = 'chief@example.com';
    const owner = await makeProven(victimCompany, email);
    // Somebody else uses the address in company B, with a link that an admin passed on.
    const local = await makeUser(app, ownCompany, 'viewer', { email });
    const theirs = await signIn(app, local);
    assert.deepEqual((await theirs.get('/memberships')).body.data, {
      companies: [{ id: ownCompany, name: 'B' }],
      isProven: false,
      mayProve: true,
    });
    assert.equal((await theirs.post('/memberships/switch', { companyId: victimCompany })).status, 404);
    const owners = await signIn(app, owner);
    assert.deepEqual(await companiesOf(owners), ['A']);

    // The mail goes to the owner, whose session cannot use it: it would add a stranger to their account.
    assert.equal((await theirs.post('/auth/prove-address')).status, 204);
    const token = await tokenTo(email, 'prove-address');
    assert.equal((await owners.post(`/auth/prove-address/${token}`)).status, 404);
    assert.equal((await theirs.post(`/auth/prove-address/${'x'.repeat(43)}`)).status, 404);

    // With the mail and the session, both memberships are one account: the other sessions end, its password counts.
    const leftover = await signIn(app, local);
    assert.equal((await theirs.post(`/auth/prove-address/${token}`)).status, 204);
    assert.equal((await theirs.post(`/auth/prove-address/${token}`)).status, 404);
    assert.equal((await leftover.get('/me')).status, 401);
    assert.deepEqual(await companiesOf(theirs), ['A', 'B']);
    const old = await anonymousClient(app).post('/auth/sign-in/email', { email, password: local.password });
    assert.equal(old.status, 401);
    assert.equal((await theirs.post('/memberships/switch', { companyId: victimCompany })).status, 204);
    const entries = await rowsOf(app.db, 'audit_log', { company_id: victimCompany, action: 'session.switch' }, [
      'action',
    ]);
    assert.equal(entries.length, 1);
  });

  it('do not open a company that has disabled the user', async () => {
    const [one, two] = [await makeCompany(app.db, 'One'), await makeCompany(app.db, 'Two')];
    const email = 'disabled@example.com';
    const first = await makeProven(one, email);
    await makeProven(two, email);
    await app.db.deleteFrom('portal_accounts').where('user_id', '=', first.id).execute();
    // The password of the account is that of the first membership.
    const client = await signIn(app, { email, password: first.password });
    assert.deepEqual(await companiesOf(client), ['Two']);
    assert.equal((await client.post('/memberships/switch', { companyId: one })).status, 404);
  });
});
