import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { myPrefix } from '../../../src/my/routes.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { basic, type TestResponse, useApp } from '../../support/app.ts';
import { makeCompany, makeDocument, makeEmployee, makeKey } from '../../support/factories.ts';
import { myClient, signInEmployee } from '../../support/my.ts';
import { clientWith, makeUser, signIn } from '../../support/portal.ts';
import { updateRows } from '../../support/rows.ts';

/** These tests cover all routes of the employee's page: they send requests to every address that it registers. */
describe('every route of the employee’s page', () => {
  const app = useApp();
  let company: CompanyId;
  before(async () => {
    company = await makeCompany(app.db);
  });

  const routes = (who: 'employee' | 'public', keepsNames = false) =>
    app.routes
      .filter(({ url, method, config }) => url.startsWith(`${myPrefix}/`) && method !== 'HEAD' && config?.[who])
      .map(({ url, method }) => ({
        method: String(method),
        path: url.slice(myPrefix.length).replaceAll(/:\w+/g, (name) => (keepsNames ? name : '1')),
      }));

  const send = (cookie: string, { method, path }: { method: string; path: string }, headers = {}) => {
    const client = myClient(app, cookie);
    if (method === 'GET') return client.get(path, headers);
    return method === 'DELETE' ? client.delete(path, headers) : client.post(path, {}, headers);
  };

  async function assertRefused(cookie: string, headers = {}): Promise<void> {
    const found = routes('employee');
    assert(found.length >= 6, `${found.length} routes`);
    for (const route of found) {
      const response: TestResponse = await send(cookie, route, headers);
      assert.deepEqual([response.status, response.body?.code], [401, 'not-signed-in'], `${route.method} ${route.path}`);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
      assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    }
  }

  it('refuses requests without a session, with an invented one, and with that of another company', async () => {
    await assertRefused('');
    await assertRefused(`transit.my=${company}.${'x'.repeat(43)}`);
    const { cookie } = await signInEmployee(app, company, await makeEmployee(app.db, company));
    const elsewhere = await makeCompany(app.db);
    await assertRefused(cookie.replace(`=${company}.`, `=${elsewhere}.`));
  });

  it('refuses users of the portal and API keys, and the portal refuses employees', async () => {
    const user = await signIn(app, await makeUser(app, company));
    await assertRefused(user.cookie);
    await assertRefused(user.cookie.replace('transit.session_token', 'transit.my'));
    await assertRefused('', { authorization: basic(await makeKey(app.db, company)) });
    const employee = await signInEmployee(app, company, await makeEmployee(app.db, company));
    assert.equal((await clientWith(app, employee.cookie).get('/me')).status, 401);
    const renamed = employee.cookie.replace('transit.my', 'transit.session_token');
    assert.equal((await clientWith(app, renamed).get('/me')).status, 401);
  });

  it('refuses sessions that were ended or have expired, and employees who were removed', async () => {
    const ended = await signInEmployee(app, company, await makeEmployee(app.db, company));
    assert.equal((await ended.post('/sign-out')).status, 204);
    await assertRefused(ended.cookie);
    const idle = await makeEmployee(app.db, company);
    const { cookie } = await signInEmployee(app, company, idle);
    const long = {
      last_used_at: Temporal.Now.instant()
        .subtract({ hours: 24 * 91 })
        .toString(),
    };
    await updateRows(app.db, 'employee_sessions', { company_id: company, employee_id: idle }, long);
    await assertRefused(cookie);
    const gone = await makeEmployee(app.db, company);
    const removed = await signInEmployee(app, company, gone);
    await updateRows(app.db, 'employees', { company_id: company, id: gone }, { removed_at: '2026-11-01T00:00:00Z' });
    await assertRefused(removed.cookie);
  });

  it('finds nothing of colleagues and of other companies, whatever a request names', async () => {
    const [one, other] = [company, await makeCompany(app.db)];
    const enter = async (companyId: CompanyId) => {
      const id = await makeEmployee(app.db, companyId, { subscription_status: 'active', start_on: '2026-01-01' });
      const my = await signInEmployee(app, companyId, id);
      const file = await app.documents.put(companyId, 'pdf', Buffer.from('%PDF-1.7'));
      const document = await makeDocument(app.db, companyId, { employeeId: id, file });
      const [session] = (await my.get('/sessions')).body.data;
      return { id, my, document, session: session.id };
    };
    const [me, colleague, stranger] = [await enter(one), await enter(one), await enter(other)];
    const request = await colleague.my.post('/subscription', { action: 'cancel' });
    assert.equal(request.status, 200, request.bytes.toString());
    const before = async () => [
      (await colleague.my.get('/home')).body.data,
      (await colleague.my.get('/data')).body.data,
      (await stranger.my.get('/home')).body.data,
    ];
    const untouched = await before();

    const named = routes('employee', true).filter(({ path }) => path.includes(':'));
    const ids: Record<string, (of: typeof me) => string | number> = {
      '/documents/:id/download': ({ document }) => document,
      '/sessions/:id': ({ session }) => session,
    };
    assert.deepEqual(named.map(({ path }) => path).toSorted(), Object.keys(ids).toSorted());
    for (const { method, path } of named) {
      for (const victim of [colleague, stranger]) {
        const of = path.replace(':id', encodeURIComponent(String(ids[path]?.(victim))));
        const response = await send(me.my.cookie, { method, path: of });
        assert.deepEqual([response.status, response.body?.code], [404, 'not-found'], `${method} ${path}`);
      }
    }
    const { undo } = untouched[0].subscription;
    assert(undo.requestId > 0);
    const undone = await me.my.post('/subscription/undo', { requestId: undo.requestId });
    assert.equal(undone.status, 404);
    assert.equal((await me.my.post('/session/employment', { id: other })).status, 404);
    const own = (await me.my.get('/data')).bytes.toString();
    for (const victim of [colleague, stranger]) assert(!own.includes(victim.session));
    assert.deepEqual(await before(), untouched);
    assert.equal((await colleague.my.get(`/documents/${colleague.document}/download`)).status, 200);
  });

  it('refuses changes that come from other sites', async () => {
    const { cookie } = await signInEmployee(app, company, await makeEmployee(app.db, company));
    const changes = [...routes('employee'), ...routes('public')].filter(({ method }) => method !== 'GET');
    assert(changes.length >= 8, `${changes.length} routes`);
    for (const route of changes) {
      for (const origin of ['https://evil.example', 'null', '']) {
        const { status, body } = await send(cookie, route, { origin });
        assert.deepEqual([status, body?.code], [403, 'cross-site-request'], `${route.method} ${route.path} ${origin}`);
      }
    }
    assert.equal((await myClient(app, cookie).get('/session')).status, 200);
  });
});

describe('asking for a link', () => {
  const app = useApp();

  it('gets the same response for known and unknown addresses, and a limit per address', async () => {
    await makeEmployee(app.db, await makeCompany(app.db), { email: 'known@example.com' });
    const ask = (email: string) => myClient(app).post('/access/link', { email });
    const describeResponse = ({ status, bytes, headers }: TestResponse) => [
      ...[status, bytes.length],
      ...[...headers.keys()].filter((name) => name !== 'date').sort(),
    ];
    const known = describeResponse(await ask('known@example.com'));
    assert.deepEqual(describeResponse(await ask('unknown@example.com')), known);
    assert.equal(known[0], 204);
    for (const email of ['known@example.com', 'unknown@example.com']) {
      for (let count = 1; count < 5; count += 1) assert.equal((await ask(email)).status, 204);
      assert.equal((await ask(email)).body.code, 'sign-in-throttled');
    }
    for (const line of app.logs) assert(!line.includes('known@example.com'), 'logs name no addresses');
  });
});
