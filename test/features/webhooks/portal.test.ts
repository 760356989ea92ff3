import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { urlProblems } from '../../../portal/src/features/webhooks/texts.ts';
import { maxEndpoints } from '../../../src/features/webhooks/save-endpoint.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';

const endpoint = { url: 'https://93.184.215.14/hook', eventTypes: [], description: 'Payroll' };

describe('webhooks in the portal', () => {
  const app = useApp();
  let company: CompanyId;
  let client: PortalClient;

  before(async () => {
    company = await makeCompany(app.db);
    client = await signIn(app, await makeUser(app, company, 'admin', { name: 'Ada' }));
  });

  const create = async (fields: object = {}): Promise<{ id: number; secret: string }> => {
    const { status, body } = await client.post('/webhook-endpoints', { ...endpoint, ...fields });
    assert.equal(status, 201, JSON.stringify(body));
    return body.data;
  };
  const read = async (path: string) => {
    const { status, body } = await client.get(`/webhook-endpoints${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const sendTest = async (id: number): Promise<number> =>
    (await client.post(`/webhook-endpoints/${id}/test`)).body.data.sequence;
  /** Records an attempt, as a worker does. */
  const recordAttempt = (id: number, sequence: number, attempt: number, status: number) =>
    sql`insert into webhook_attempts (company_id, endpoint_id, sequence, attempt, event_id, event_type, attempted_at, status,
        error, duration_ms, response_body)
      values (${company}, ${id}, ${sequence}, ${attempt}, 'evt_1', 'webhook-test', now(), ${status},
        ${status < 300 ? null : `HTTP_${status}`}, 12, 'response')`.execute(app.db);

  it('are created with a secret that is never shown again', async () => {
    const { id, secret } = await create({ eventTypes: ['sync-finished'], url: ` ${endpoint.url} ` });
    assert.match(secret, /^whsec_/);
    const shown = await read(`/${id}`);
    assert.deepEqual(
      [shown.url, shown.eventTypes, shown.description, shown.state, shown.disabledReason, shown.failingSince],
      [endpoint.url, ['sync-finished'], 'Payroll', 'enabled', null, null],
    );
    assert.equal(shown.lastDay.length, 24);
    assert(!JSON.stringify([shown, await read('')]).includes(secret.slice(6)));
    const rotated = await client.post(`/webhook-endpoints/${id}/rotate`);
    assert.match(rotated.body.data.secret, /^whsec_/);
    assert.notEqual(rotated.body.data.secret, secret);
    assert((await read(`/${id}`)).previousSecretUntil !== null);
  });

  it('show only their host to users who may not change them', async () => {
    const { id } = await create({ url: 'https://93.184.215.14:8443/hook/token-of-the-path?key=token-of-the-query' });
    assert.match((await read(`/${id}`)).url, /token-of-the-path/);
    for (const role of ['viewer', 'hr', 'payroll'] as const) {
      const other = await signIn(app, await makeUser(app, company, role));
      for (const path of [
        '/webhook-endpoints',
        `/webhook-endpoints/${id}`,
        `/webhook-endpoints/${id}/deliveries`,
        '/activity',
        '/find?text=93.184',
      ]) {
        const { status, bytes } = await other.get(path);
        assert.equal(status, 200, path);
        assert(!bytes.includes('token-of'), `${role}: ${path}`);
      }
      assert.equal((await other.get(`/webhook-endpoints/${id}`)).body.data.url, 'https://93.184.215.14:8443');
    }
    assert.equal((await client.delete(`/webhook-endpoints/${id}`)).status, 204);
  });

  it('are listed and can be disabled when a user is removed who knows them', async () => {
    const leaving = await makeUser(app, company, 'admin');
    const theirs = await signIn(app, leaving);
    const created = (await theirs.post('/webhook-endpoints', { ...endpoint, description: 'Created' })).body.data.id;
    const { id: rotated } = await create({ description: 'Rotated' });
    const { id: foreign } = await create({ description: 'Foreign' });
    assert.equal((await theirs.post(`/webhook-endpoints/${rotated}/rotate`)).status, 200);
    const listed = (await client.get(`/users/${leaving.id}/webhook-endpoints`)).body.data;
    assert.deepEqual(listed, [
      { id: created, host: '93.184.215.14', description: 'Created', state: 'enabled' },
      { id: rotated, host: '93.184.215.14', description: 'Rotated', state: 'enabled' },
    ]);
    const body = { revokeKeys: [], keepKeys: [], disableEndpoints: [created] };
    assert.equal((await client.post(`/users/${leaving.id}/remove`, body)).status, 204);
    const states = await Promise.all([created, rotated, foreign].map(async (id) => (await read(`/${id}`)).state));
    assert.deepEqual(states, ['disabled', 'enabled', 'enabled']);
    for (const id of [created, rotated, foreign]) await client.delete(`/webhook-endpoints/${id}`);
  });

  it('are refused with the problem of the URL, which the page has in both languages', async () => {
    const wrong = [
      'nonsense',
      'ftp://example.com/',
      'https://user:password@example.com/',
      'https://example.com/#part',
      'https://example.com:25/',
      'https://127.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'http://localhost:8080/',
    ];
    for (const url of wrong) {
      const { status, body } = await client.post('/webhook-endpoints', { ...endpoint, url });
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'invalid-body', '/url'], url);
      assert(body.errors[0].message.key in urlProblems, body.errors[0].detail);
    }
    const { id } = await create();
    const changed = await client.post(`/webhook-endpoints/${id}`, { ...endpoint, url: 'https://10.0.0.1/' });
    assert.deepEqual([changed.status, changed.body.errors[0].pointer], [400, '/url']);
    for (const body of [{ ...endpoint, eventTypes: ['unknown'] }, { ...endpoint, extra: 1 }, { url: endpoint.url }])
      assert.equal((await client.post('/webhook-endpoints', body)).body.code, 'invalid-body');
  });

  it('are changed, disabled, enabled and deleted', async () => {
    const { id } = await create();
    const changed = { url: 'https://93.184.215.14/new', eventTypes: ['tickets-issued'], description: '' };
    assert.equal((await client.post(`/webhook-endpoints/${id}`, changed)).body.data.url, changed.url);
    const disabled = await client.post(`/webhook-endpoints/${id}/state`, { state: 'disabled' });
    assert.deepEqual([disabled.body.data.state, disabled.body.data.disabledReason], ['disabled', 'manual']);
    for (const [path, body] of [
      ['test', undefined],
      ['replay', { from: 1, to: null }],
      ['deliveries/1/redeliver', undefined],
    ] as const) {
      const refused = await client.post(`/webhook-endpoints/${id}/${path}`, body);
      assert.deepEqual([refused.status, refused.body.code], [409, 'webhook-disabled'], path);
    }
    const enabled = await client.post(`/webhook-endpoints/${id}/state`, { state: 'enabled' });
    assert.deepEqual([enabled.body.data.state, enabled.body.data.disabledReason], ['enabled', null]);
    assert.equal((await client.delete(`/webhook-endpoints/${id}`)).status, 204);
    assert.equal((await client.get(`/webhook-endpoints/${id}`)).status, 404);
    const { body } = await client.get('/activity?action=webhook.&perPage=100');
    const own = body.data.data.filter(({ target }: { target: string }) => target === String(id));
    assert.deepEqual(
      pluck(own, 'action', 'actor'),
      ['delete', 'enable', 'disable', 'update', 'create'].map((name) => [`webhook.${name}`, 'Ada']),
    );
  });

  it('show every delivery with its request and its responses', async () => {
    const { id } = await create();
    const sequence = await sendTest(id);
    const [pending] = (await read(`/${id}/deliveries`)).data;
    assert.deepEqual(
      [pending.sequence, pending.eventType, pending.state, pending.attempts, pending.status],
      [sequence, 'webhook-test', 'pending', 0, null],
    );
    await recordAttempt(id, sequence, 1, 500);
    await recordAttempt(id, sequence, 2, 204);
    await sql`update webhook_deliveries set state = 'succeeded', attempts = 2, last_status = 204, next_attempt_at = null,
      finished_at = now() where company_id = ${company} and endpoint_id = ${id}`.execute(app.db);
    const details = await read(`/${id}/deliveries/${sequence}`);
    assert.deepEqual([details.state, details.status, details.error, details.durationMs], ['succeeded', 204, null, 12]);
    assert.deepEqual(pluck(details.log, 'attempt', 'status', 'error'), [
      [2, 204, null],
      [1, 500, 'HTTP_500'],
    ]);
    const { event, payload } = JSON.parse(details.body);
    assert.deepEqual([event.id, event.type, event.sequence, payload], [details.eventId, 'webhook-test', sequence, {}]);
    const hour = (await read(`/${id}`)).lastDay.at(-1);
    assert.deepEqual([hour.succeeded, hour.failed], [1, 1]);
    const totalOf = async (filter: string) => (await read(`/${id}/deliveries?${filter}`)).total;
    assert.equal(await totalOf('states=succeeded&types=webhook-test'), 1);
    assert.equal(await totalOf('states=failed'), 0);
    assert.equal(await totalOf('types=tickets-issued'), 0);
    assert.equal((await client.get(`/webhook-endpoints/${id}/deliveries?states=lost`)).status, 400);
  });

  it('send one event or a range again', async () => {
    const { id } = await create();
    const sequence = await sendTest(id);
    await sql`update webhook_deliveries set state = 'succeeded', attempts = 1, next_attempt_at = null
      where company_id = ${company} and endpoint_id = ${id}`.execute(app.db);
    assert.equal((await client.post(`/webhook-endpoints/${id}/deliveries/${sequence}/redeliver`)).status, 204);
    assert.equal((await read(`/${id}/deliveries/${sequence}`)).state, 'pending');
    const unknown = await client.post(`/webhook-endpoints/${id}/deliveries/${sequence + 1000}/redeliver`);
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'not-found']);
    const replayed = await client.post(`/webhook-endpoints/${id}/replay`, { from: 1, to: null });
    assert.deepEqual(replayed.body.data, { deliveries: 0 }, 'test events are not replayed');
    const wrong = await client.post(`/webhook-endpoints/${id}/replay`, { from: 5, to: 4 });
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/to']);
  });

  it('are limited in number', async () => {
    const other = await signIn(app, await makeUser(app, await makeCompany(app.db)));
    const statuses: number[] = [];
    for (let count = 0; count <= maxEndpoints; count += 1)
      statuses.push((await other.post('/webhook-endpoints', endpoint)).status);
    assert.deepEqual([statuses.filter((status) => status === 201).length, statuses.at(-1)], [maxEndpoints, 409]);
  });

  it('appear on the overview if they fail for minutes or were disabled by the service', async () => {
    const { id } = await create();
    const waiting = async () =>
      (await client.get('/overview')).body.data.tasks.filter((item: { endpointId?: number }) => item.endpointId === id);
    const set = (change: ReturnType<typeof sql>) =>
      sql`update webhook_endpoints set ${change} where company_id = ${company} and id = ${id}`.execute(app.db);
    await set(sql`failing_since = now()`);
    assert.deepEqual(await waiting(), [], 'one failure is no reason to worry');
    await set(sql`failing_since = now() - interval '1 hour'`);
    const [failing] = await waiting();
    assert.deepEqual([failing.kind, failing.host, failing.status], ['endpoint-unhealthy', '93.184.215.14', 'failing']);
    await set(sql`state = 'disabled', disabled_reason = 'gone', disabled_at = now()`);
    assert.equal((await waiting())[0].status, 'disabled');
    await set(sql`disabled_reason = 'manual'`);
    assert.deepEqual(await waiting(), [], 'somebody wanted that');
  });

  it('have an event log, newest first', async () => {
    const { id } = await create();
    const last = await sendTest(id);
    const { body } = await client.get('/events?perPage=2');
    const [newest] = body.data.data;
    assert.deepEqual([newest.type, newest.sequence, newest.payload], ['webhook-test', last, {}]);
    assert.equal(body.data.total, last);
    assert.equal((await client.get('/events?types=webhook-test')).body.data.total, last);
    assert.equal((await client.get('/events?types=tickets-issued')).body.data.total, 0);
    assert.equal((await client.get('/events?types=nothing')).status, 400);
  });
});
