import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createSessionCookie } from '../../../src/features/accounts/cookies.ts';
import { verifyPassword } from '../../../src/features/accounts/passwords.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { startTestApp, type TestResponse, useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { atRealCost } from '../../support/passwords.ts';
import { pluck } from '../../support/pluck.ts';
import { anonymousClient, clientWith, cookiesOf, makeUser, portalRequest, signIn } from '../../support/portal.ts';
import { withFolder } from '../../support/process.ts';
import { until } from '../../support/until.ts';

const withoutRequestId = ({ body }: TestResponse) => ({ ...body, requestId: undefined });

describe('signing in to the portal', () => {
  const app = useApp({ env: { TRUST_PROXY: 'on' } });
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(app.db, 'Acme');
  });

  const attempt = (email: string, password: string, headers: Record<string, string> = {}) =>
    anonymousClient(app).post('/auth/sign-in/email', { email, password }, headers);
  const sessionsOf = (id: string) =>
    app.db.selectFrom('portal_sessions').selectAll().where('user_id', '=', id).execute();

  it('accepts address and password, with the address in any case', async () => {
    const user = await makeUser(app, company, 'developer', { name: 'Dora Ray' });
    const client = await signIn(app, { ...user, email: user.email.toUpperCase() });
    const { status, body } = await client.get('/me');
    assert.equal(status, 200);
    assert.deepEqual(body.data, {
      user: {
        id: user.id,
        name: 'Dora Ray',
        email: user.email,
        language: null,
        roles: ['developer'],
        hasSecondFactor: false,
        mustAddSecondFactor: false,
        secondFactors: [],
        signedInBy: 'password',
        grantablePermissions: ['view-hr-integrations', 'add-employees', 'update-employees', 'remove-employees'],
        abilities: ['keys', 'integrations', 'syncs', 'webhooks', 'kept-mails', 'time-travel'],
      },
      company: { id: company, name: 'Acme', locale: 'de-DE', currency: 'EUR', timeZone: 'Europe/Berlin' },
      environment: 'staging',
      timeTravel: true,
      offersDemo: true,
      wallets: [],
      today: '2026-11-15',
      apiUrl: app.config.publicUrl.concat('/v1'),
      otherApiUrl: null,
      sendsMail: false,
    });
  });

  it('refuses addresses with characters that cannot be stored or shown', async () => {
    for (const email of ['\0', 'a\0b@example.com', 'a\ud800@example.com', 'a\u202e@example.com', '', ' ', '\u200b']) {
      const { status, body } = await attempt(email, 'a password of somebody');
      assert.equal(status, 400, JSON.stringify(email));
      assert.deepEqual(pluck(body.errors, 'pointer'), ['/email']);
    }
  });

  it('returns a cookie and no token in the body', async () => {
    const response = await attempt(...credentials(await makeUser(app, company)));
    assert.equal(response.status, 204);
    assert.equal(response.bytes.length, 0);
    const [cookie, device, ...others] = response.headers.getSetCookie();
    assert.deepEqual(others, []);
    // By it, wrong passwords of strangers do not lock this browser out.
    assert.match(
      device ?? '',
      /^transit\.device=[\w.~-]+; Path=\/portal\/api; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
    );
    assert.match(cookie ?? '', /^transit\.session_token=[^;]+; /);
    const attributes = new Set(cookie?.split('; ').slice(1));
    assert.deepEqual(attributes, new Set(['Max-Age=604800', 'Path=/', 'HttpOnly', 'SameSite=Lax']));
  });

  it('marks cookies as secure if the portal is served over HTTPS', async () => {
    const env = { PUBLIC_URL: 'https://portal.example/' };
    const secure = await startTestApp({ env, databaseUrl: app.databaseUrl });
    const user = await makeUser(app, company);
    const response = await anonymousClient(secure).post('/auth/sign-in/email', {
      email: user.email,
      password: user.password,
    });
    const [cookie = ''] = response.headers.getSetCookie();
    assert.match(cookie, /^__Secure-transit\.session_token=/);
    assert(cookie.split('; ').includes('Secure'));
    assert.equal((await clientWith(secure, cookiesOf(response)).get('/me')).status, 200);
    await secure.close();
  });

  it('responds alike and equally fast to a wrong password, an unknown address and an address of several companies', () =>
    atRealCost(async () => {
      const { email } = await makeUser(app, company);
      const times: Record<'known' | 'unknown' | 'shared', number[]> = { known: [], unknown: [], shared: [] };
      const responses: TestResponse[] = [];
      const shared = await makeUser(app, company);
      for (let number = 0; number < 3; number++) {
        await makeUser(app, await makeCompany(app.db), 'admin', { email: shared.email });
      }
      for (let round = 0; round < 5; round++) {
        for (const [kind, address] of [
          ['known', email],
          ['unknown', 'nobody@example.com'],
          ['shared', shared.email],
        ] as const) {
          const begun = process.cpuUsage();
          responses.push(await attempt(address, 'not the password'));
          const { user, system } = process.cpuUsage(begun);
          times[kind].push((user + system) / 1_000);
        }
      }
      for (const response of responses) {
        assert.equal(response.status, 401);
        assert.equal(response.body.code, 'sign-in-failed');
        assert.deepEqual(withoutRequestId(response), withoutRequestId(responses[0] as TestResponse));
        assert.deepEqual([...response.headers.keys()], [...(responses[0] as TestResponse).headers.keys()]);
      }
      const median = (list: number[]) => list.toSorted((a, b) => a - b)[2] ?? 0;
      // Each attempt derives one password hash, in however many companies the address has an account. The application runs in
      // this process: its processor time does not depend on what else the machine does.
      const medians = [median(times.known), median(times.unknown), median(times.shared)];
      assert(Math.max(...medians) < 2 * Math.min(...medians), `${medians} ms`);
    }));

  it('reports what is wrong with a body and refuses unknown fields', async () => {
    const { status, body } = await anonymousClient(app).post('/auth/sign-in/email', {
      email: 'a@example.com',
      rememberMe: true,
    });
    assert.equal(status, 400);
    assert.equal(body.code, 'invalid-body');
    assert.deepEqual(pluck(body.errors, 'pointer', 'code'), [
      ['/password', 'required'],
      ['/rememberMe', 'additionalProperties'],
    ]);
    const form = await anonymousClient(app).post('/auth/sign-in/email', 'email=a', { 'content-type': 'text/plain' });
    assert.equal(form.status, 415);
    assert.equal((await attempt('not an address', 'any password')).status, 401);
  });

  describe('throttling', () => {
    const guess = (email: string, times: number) =>
      Promise.all(
        Array.from({ length: times }, (_, index) =>
          attempt(email, 'a wrong guess', { 'x-forwarded-for': `203.0.113.${index}` }),
        ),
      );

    it('limits guesses at one address, from any client and at any concurrency', async () => {
      const user = await makeUser(app, company);
      for (const email of [user.email, 'never-heard-of@example.com']) {
        const responses = await guess(email, 14);
        const count = (wanted: number) => responses.filter(({ status }) => status === wanted).length;
        assert.deepEqual([count(401), count(429)], [10, 4]);
        const refused = await attempt(email, user.password);
        assert.equal(refused.status, 429);
        assert.equal(refused.body.code, 'sign-in-throttled');
        const seconds = Number(refused.headers.get('retry-after'));
        assert(seconds > 14 * 60 && seconds <= 15 * 60, `${seconds}`);
      }
      await signIn(app, await makeUser(app, company));
      await sql`update portal_sign_in_failures set ends_at = now()`.execute(app.db);
      await signIn(app, user);
    });

    it('does not count successful sign-ins, but counts failures after them', async () => {
      const user = await makeUser(app, company);
      await guess(user.email, 9);
      for (let round = 0; round < 3; round++) await signIn(app, user);
      assert.equal((await attempt(user.email, 'a wrong guess')).status, 401);
      assert.equal((await attempt(user.email, 'a wrong guess')).status, 429);
    });

    it('limits guesses by a user who has an account with the same address at another company', async () => {
      const victim = await makeUser(app, company);
      const guesser = await makeUser(app, await makeCompany(app.db), 'admin', { email: victim.email });
      for (let round = 0; round < 2; round++) {
        await guess(victim.email, 5);
        if (round === 0) await signIn(app, guesser);
      }
      assert.equal((await attempt(victim.email, 'a wrong guess')).status, 429);
    });

    it('does not lock out users who sign in from one network', async () => {
      const limited = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '300' }, databaseUrl: app.databaseUrl });
      const user = await makeUser(app, company);
      for (let round = 0; round < 25; round++) {
        const visitor = await signIn(limited, user);
        assert.equal((await visitor.post('/auth/sign-out', {})).status, 204);
      }
      await limited.close();
    });

    it('limits one client that tries many addresses', async () => {
      const env = { RATE_LIMIT_PER_MINUTE: '300', TRUST_PROXY: '1' };
      const limited = await startTestApp({ env, databaseUrl: app.databaseUrl });
      // Use a separate network: attempts of other tests from the same one count too, whichever process received them.
      const post = (index: number) =>
        anonymousClient(limited).post(
          '/auth/sign-in/email',
          { email: `guess${index}@example.com`, password: 'a wrong guess' },
          { 'x-forwarded-for': '198.51.100.7' },
        );
      const responses = [];
      for (let index = 0; index < 21; index++) responses.push(await post(index));
      await limited.close();
      assert.deepEqual(responses.map(({ status }) => status).slice(-2), [401, 429]);
      assert.match(responses.at(-1)?.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    });
  });

  it('keeps sessions over a restart, with a secret in DATA_DIR that only its owner can read', async () => {
    const user = await makeUser(app, company);
    await withFolder(async (folder) => {
      const options = { env: { DATA_DIR: folder }, databaseUrl: app.databaseUrl };
      const first = await startTestApp(options);
      const { cookie } = await signIn(first, user);
      await first.close();
      const second = await startTestApp(options);
      assert.equal((await clientWith(second, cookie).get('/me')).status, 200);
      await second.close();
      assert.equal((await stat(join(folder, 'session-secret'))).mode & 0o777, 0o600);
      assert.equal((await clientWith(app, cookie).get('/me')).status, 401);
    });
  });

  describe('a session', () => {
    it('ends after seven days without use, and is prolonged by use', async () => {
      const user = await makeUser(app, company);
      const client = await signIn(app, user);
      const moveEnd = (interval: string) =>
        sql`update portal_sessions set expires_at = now() + ${interval}::interval where user_id = ${user.id}`.execute(
          app.db,
        );
      await moveEnd('2 days');
      const used = await client.get('/me');
      assert.equal(used.status, 200);
      assert.match(used.headers.getSetCookie()[0] ?? '', /Max-Age=604800/);
      const [session] = await sessionsOf(user.id);
      const days = Temporal.Now.instant()
        .until(session?.expires_at ?? '')
        .total('days');
      assert(days > 6.9 && days <= 7, `${days}`);
      await moveEnd('-1 second');
      const over = await client.get('/me');
      assert.equal(over.status, 401);
      assert.equal(over.body.code, 'not-signed-in');
      assert.deepEqual(await sessionsOf(user.id), []);
    });

    it('ends at its absolute lifetime, however often it is used', async () => {
      const user = await makeUser(app, company);
      const client = await signIn(app, user);
      const moveStart = (interval: string) =>
        sql`update portal_sessions set created_at = now() - ${interval}::interval where user_id = ${user.id}`.execute(
          app.db,
        );
      await moveStart('29 days 23 hours');
      assert.equal((await client.get('/me')).status, 200);
      await moveStart('30 days');
      const over = await client.get('/me');
      assert.deepEqual([over.status, over.body.code], [401, 'not-signed-in']);
      assert.deepEqual(over.headers.getSetCookie(), []);
      assert.deepEqual(await sessionsOf(user.id), []);
      const strict = await startTestApp({ env: { SESSION_LIFETIME_DAYS: '2' }, databaseUrl: app.databaseUrl });
      const visitor = await signIn(strict, user);
      await moveStart('2 days');
      assert.equal((await visitor.get('/me')).status, 401);
      await strict.close();
    });

    it('is not found by a changed or forged cookie', async () => {
      const { cookie } = await signIn(app, await makeUser(app, company));
      const [name = '', value = ''] = cookie.split('=');
      const [token = '', signature = ''] = value.split('.');
      for (const forged of [
        `${token}.`,
        token,
        `x${token}.${signature}`,
        `${token}.${signature.replace(/^./, '_')}`,
        '',
      ]) {
        assert.equal((await clientWith(app, `${name}=${forged}`).get('/me')).status, 401, forged);
      }
    });

    it('ends with a sign-out, without ending other sessions', async () => {
      const user = await makeUser(app, company);
      const [here, there] = [await signIn(app, user), await signIn(app, user)];
      const response = await here.post('/auth/sign-out');
      assert.equal(response.status, 204);
      assert.match(response.headers.getSetCookie()[0] ?? '', /^transit\.session_token=;.*Max-Age=0/);
      assert.equal((await here.get('/me')).status, 401);
      assert.equal((await there.get('/me')).status, 200);
      assert.equal((await here.post('/auth/sign-out')).status, 204);
    });

    it('ends with “sign out everywhere else” and “sign out everywhere”', async () => {
      const user = await makeUser(app, company);
      const clients = await Promise.all([signIn(app, user), signIn(app, user), signIn(app, user)]);
      const [here] = clients;
      const statuses = () => Promise.all(clients.map(async (client) => (await client.get('/me')).status));
      assert.equal((await here.post('/auth/revoke-other-sessions')).status, 204);
      assert.deepEqual(await statuses(), [200, 401, 401]);
      const everywhere = await here.post('/auth/revoke-sessions');
      assert.equal(everywhere.status, 204);
      assert(everywhere.headers.getSetCookie().some((cookie) => /^transit\.session_token=;.*Max-Age=0/.test(cookie)));
      assert.deepEqual(await statuses(), [401, 401, 401]);
      assert.deepEqual(await sessionsOf(user.id), []);
    });
  });

  it('returns 503, not 401, if the database fails', async () => {
    const broken = await startTestApp();
    const client = await signIn(broken, await makeUser(broken, await makeCompany(broken.db)));
    await sql`alter table portal_sessions rename to out_of_reach`.execute(broken.db);
    const response = await client.get('/me');
    await broken.close();
    assert.deepEqual([response.status, response.body.code], [503, 'unavailable']);
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]/);
    assert.deepEqual(response.headers.getSetCookie(), []);
  });

  describe('a password change', () => {
    const newPassword = 'another good password';

    it('ends every other session and is in the audit log', async () => {
      const user = await makeUser(app, company);
      const [here, there] = [await signIn(app, user), await signIn(app, user)];
      const response = await here.post('/auth/change-password', { currentPassword: user.password, newPassword });
      assert.equal(response.status, 204);
      assert.equal((await there.get('/me')).status, 401);
      assert.equal((await clientWith(app, cookiesOf(response)).get('/me')).status, 200);
      assert.equal((await attempt(...credentials(user))).status, 401);
      await signIn(app, { email: user.email, password: newPassword });
      const { rows } = await sql<{ actor_type: string; actor: string; detail: object }>`
        select actor_type, actor, detail from audit_log
        where action = 'user.password' and target = ${user.id}`.execute(app.db);
      assert.deepEqual(rows, [{ actor_type: 'user', actor: user.id, detail: { sessions: 1 } }]);
    });

    it('requires the current password and a strong new one, and limits guesses', async () => {
      const user = await makeUser(app, company);
      const client = await signIn(app, user);
      const change = (currentPassword: string, wanted: string) =>
        client.post('/auth/change-password', { currentPassword, newPassword: wanted });
      const short = await change(user.password, 'too short');
      assert.deepEqual([short.status, short.body.errors[0].pointer], [400, '/newPassword']);
      const local = user.email.slice(0, user.email.indexOf('@'));
      for (const [wanted, code] of [
        ['Passwort2024', 'password-common'],
        [`my ${local} ticket`, 'password-contains-address'],
      ] as const) {
        const refused = await change(user.password, wanted);
        assert.deepEqual([refused.status, refused.body.errors[0].code], [400, code]);
      }
      for (let round = 0; round < 10; round++) {
        assert.equal((await change('not the password', newPassword)).body.code, 'wrong-password');
      }
      assert.equal((await change(user.password, newPassword)).status, 429);
      await signIn(app, user);
    });
  });

  describe('the audit log', () => {
    const entriesOf = async (id: string) => {
      const { rows } = await sql<{ action: string; actor: string | null; detail: Record<string, unknown> }>`
        select action, actor, detail from audit_log where company_id = ${company} and target = ${id}
        and action like 'session.%' order by id`.execute(app.db);
      return rows;
    };

    it('records sign-ins, sign-outs and ended sessions', async () => {
      const user = await makeUser(app, company);
      const clients = [await signIn(app, user), await signIn(app, user), await signIn(app, user)] as const;
      await clients[0].post('/auth/revoke-other-sessions');
      await clients[0].post('/auth/revoke-other-sessions');
      await clients[0].post('/auth/sign-out');
      await (await signIn(app, user)).post('/auth/revoke-sessions');
      const rows = await entriesOf(user.id);
      assert.deepEqual(
        rows.map(({ action, actor, detail }) => [action, actor, detail.sessions]),
        [
          ...Array(3).fill(['session.sign-in', user.id, undefined]),
          ['session.end', user.id, 2],
          ['session.sign-out', user.id, undefined],
          ['session.sign-in', user.id, undefined],
          ['session.end', user.id, 1],
        ],
      );
    });

    it('records failures with hashes of address and network that need the secret', async () => {
      const user = await makeUser(app, company);
      const before = app.logs.length;
      const [one, other] = ['203.0.113.77', '2001:db8:1:2:3:4:5:6'];
      await attempt(user.email, 'a wrong guess', { 'x-forwarded-for': one });
      await attempt(user.email, 'a wrong guess', { 'x-forwarded-for': other });
      await attempt('nobody.at.all@example.com', 'a wrong guess', { 'x-forwarded-for': one });
      await until('both failures are recorded', async () => (await entriesOf(user.id)).length === 2);
      const [first, second] = (await entriesOf(user.id)).toSorted((a, b) =>
        String(a.detail.network).localeCompare(String(b.detail.network)),
      );
      assert(first && second);
      assert.deepEqual([first.action, first.actor], ['session.sign-in-failed', null]);
      assert.deepEqual(Object.keys(first.detail).sort(), ['account', 'network']);
      assert.match(String(first.detail.account), /^[0-9a-f]{32}$/);
      assert.equal(first.detail.account, second.detail.account);
      assert.notEqual(first.detail.network, second.detail.network);
      const lines = app.logs
        .slice(before)
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === 'authentication failed');
      assert.deepEqual(pluck(lines, 'network'), [one, '2001:db8:1:2', one]);
      assert.deepEqual(
        lines.map(({ account }) => account === first.detail.account),
        [true, true, false],
      );
      const text = app.logs.slice(before).join('');
      assert(!text.includes(user.email) && !text.includes('nobody.at.all'));
      const { rows } = await sql<{ account: string }>`
        select detail ->> 'account' as account from audit_log where action = 'session.sign-in-failed'`.execute(app.db);
      assert(!rows.some(({ account }) => account === lines[2].account));
    });
  });

  it('continues the sessions and passwords of release 0.3.0', () =>
    atRealCost(async () => {
      const cookie = createSessionCookie(app.config, 'x'.repeat(32));
      const token = 'NakQ0vTpo3MfZ8r1xYcW7bLs5hJgE2uD';
      const value = `${token}.cUINna803DTioC5x%2B5StofWLUIlWutT79mjzu%2BIQ%2FGc%3D`;
      const read = (text: string) => cookie.read({ headers: { cookie: `transit.session_token=${text}` } } as never);
      assert.equal(read(value), token);
      assert.equal(read(value.replace('N', 'M')), undefined);
      const hash =
        '4ad874fa605fe3c9bba092a3448979ee:7ac9221483f9b8cd9cf9b9808356be1e1c71a9fd919589bc4ab6b98e99a03cbdc5f0c1016b9ece1cdfd568058c1b2e6b63fed2469f5ca0593a2546bbac5ba9f4';
      assert(await verifyPassword({ hash, password: 'a tram at half past nine' }));
    }));

  describe('the check of the origin', () => {
    const post = (headers: Record<string, string>, body: object) =>
      portalRequest(app, '/auth/sign-in/email', { method: 'POST', headers, body });

    it('refuses other sites and requests without an origin', async () => {
      const { email, password } = await makeUser(app, company);
      const { host } = new URL(app.config.publicUrl);
      const foreign: Record<string, string>[] = [
        {},
        { origin: 'null' },
        { origin: 'https://evil.example' },
        { origin: `https://${host}` },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { referer: `${app.config.publicUrl}/` },
      ];
      for (const headers of foreign) {
        const response = await post(headers, { email, password });
        assert.equal(response.status, 403, JSON.stringify(headers));
        assert.equal(response.body.code, 'cross-site-request');
        assert.deepEqual(response.headers.getSetCookie(), []);
      }
    });

    it("accepts the browser's Sec-Fetch-Site header", async () => {
      const { email, password } = await makeUser(app, company);
      const response = await post({ 'sec-fetch-site': 'same-origin' }, { email, password });
      assert.equal(response.status, 204);
    });
  });

  const credentials = (user: { email: string; password: string }) => [user.email, user.password] as const;
});
