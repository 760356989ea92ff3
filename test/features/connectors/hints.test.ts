import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Provider } from '../../../src/domain/enums.ts';
import type { Integration } from '../../../src/features/companies/companies.ts';
import { receiveHint } from '../../../src/features/connectors/hints/receive.ts';
import type { Connector, Credentials } from '../../../src/features/connectors/providers/connector.ts';
import { getConnector } from '../../../src/features/connectors/providers/index.ts';
import { connectIntegration } from '../../../src/features/connectors/pull/connect.ts';
import type { PullDeps } from '../../../src/features/connectors/pull/outcome.ts';
import { runPulls } from '../../../src/features/connectors/pull/run.ts';
import { schedulePulls } from '../../../src/features/connectors/pull/schedule.ts';
import { insertHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { readEncryption } from '../../../src/platform/crypto/open-encryption.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { startFakeWith } from '../../support/fake-hr/personio.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { before, useResource } from '../../support/prepare.ts';

const credentialsOf: Partial<Record<Provider, Credentials>> = {
  personio: { clientId: 'papi-client', clientSecret: 'papi-secret' },
  hibob: { serviceUserId: 'service', token: 'token' },
  bamboohr: { domain: 'acme', apiKey: 'key' },
};

describe('a hint that an HR system has changed', () => {
  const app = useApp();
  const fake = useResource(() => startFakeWith(3));
  let now = Temporal.Instant.from('2026-11-16T12:00:00Z');
  const clock = { now: () => now };
  let companyId: Awaited<ReturnType<typeof makeCompany>>;
  let client: PortalClient;
  let deps: PullDeps;
  const targets = {} as Record<Provider, Integration>;
  const tokens = {} as Record<Provider, string>;

  before(async () => {
    companyId = await makeCompany(app.db);
    client = await signIn(app, await makeUser(app, companyId, 'admin'));
    const encryption = await readEncryption(app.config);
    deps = {
      db: app.serviceDb,
      queue: app.deps.queue,
      notices: app.deps.notices,
      clock,
      signal: new AbortController().signal,
      report: { read() {}, failed() {} },
      encryption,
      origins: { personio: fake.origin },
      allowsPrivateHosts: true,
      hasDemo: false,
      maxEntries: 1_000,
      retryDelayMillis: 0,
    };
    for (const provider of ['personio', 'hibob', 'bamboohr'] as const) {
      const connector: Connector = getConnector(provider);
      targets[provider] = await writeCompany(app.serviceDb, companyId, async (tx) => {
        const hrIntegrationId = await insertHrIntegration(tx, companyId, { name: provider, type: 'hr-integration' });
        const target = { companyId, hrIntegrationId };
        const credentials = credentialsOf[provider] ?? {};
        await connectIntegration(tx, { target, encryption, now, by: {} }, { connector, credentials, isReady: true });
        return target;
      });
    }
  });

  const path = (provider: Provider) => `/integrations/${targets[provider].hrIntegrationId}`;

  async function createAddress(provider: Provider): Promise<string> {
    const { status, body } = await client.post(`${path(provider)}/hints`, {});
    assert.equal(status, 201);
    const url = new URL(body.data.url);
    assert.match(url.pathname, /^\/v1\/hints\/\d+\.[\w-]{43}$/);
    tokens[provider] = url.pathname.split('/').at(-1) ?? '';
    return url.pathname;
  }

  /** Sends a hint while the clock of the test is in use. */
  const hint = (provider: Provider, { body = '{}', headers = {} } = {}) =>
    receiveHint({ ...deps, queue: app.deps.queue }, { token: tokens[provider], headers, body: Buffer.from(body) });
  const row = ({ hrIntegrationId }: Integration) =>
    app.db
      .selectFrom('hr_connectors')
      .select(['next_pull_at as next', 'hinted_at as hintedAt'])
      .where('hr_integration_id', '=', hrIntegrationId)
      .executeTakeFirstOrThrow();
  const countPulls = async ({ hrIntegrationId }: Integration) =>
    (await app.db.selectFrom('pulls').select('id').where('hr_integration_id', '=', hrIntegrationId).execute()).length;

  it('starts a pull at once, and only one, however many arrive', async () => {
    await createAddress('personio');
    const target = targets.personio;
    await Promise.all([1, 2, 3].map(() => hint('personio', { body: '{"employee":{"email":"planted@example.com"}}' })));
    assert.equal(await countPulls(target), 1);
    await runPulls(deps, target);
    assert.deepEqual(await row(target), { next: '2026-11-17T01:00:00Z', hintedAt: '2026-11-16T12:00:00Z' });
    const { data } = (await client.get(`${path('personio')}/connection`)).body;
    assert.deepEqual(data.hints, { isOn: true, isSigned: false, lastAt: '2026-11-16T12:00:00Z' });
  });

  it('waits until five minutes after the last pull', async () => {
    const target = targets.personio;
    now = now.add({ minutes: 1 });
    await Promise.all([1, 2].map(() => hint('personio')));
    assert.equal(await countPulls(target), 1);
    assert.equal((await row(target)).next, '2026-11-16T12:05:00Z');
    now = now.add({ minutes: 4 });
    await schedulePulls({ ...deps, queue: app.deps.queue });
    assert.equal(await countPulls(target), 2);
    await runPulls(deps, target);
    assert.equal((await row(target)).next, '2026-11-17T01:00:00Z');
  });

  it('during a pull causes another one afterwards', async () => {
    const target = targets.personio;
    now = now.add({ minutes: 30 });
    await hint('personio');
    const pulling = runPulls({ ...deps, report: { read: () => {}, failed: () => assert.fail() }, clock }, target);
    const started = now;
    // The record says that it is being read before the HR system is asked.
    for (;;) {
      const pull = await app.db.selectFrom('pulls').select('state').orderBy('id', 'desc').executeTakeFirstOrThrow();
      if (pull.state !== 'waiting') break;
    }
    now = now.add({ seconds: 20 });
    await hint('personio');
    await pulling;
    assert.equal((await row(target)).next, started.add({ minutes: 5 }).toString());
  });

  it('does not shorten the delays of failures', async () => {
    const target = targets.personio;
    now = now.add({ hours: 1 });
    fake.account.withheld = ['email'];
    await schedulePulls({ ...deps, queue: app.deps.queue });
    await runPulls(deps, target);
    const { next } = await row(target);
    now = now.add({ minutes: 1 });
    await hint('personio');
    assert.equal((await row(target)).next, next);
    fake.account.withheld = [];
  });

  it('of HiBob and BambooHR counts only if it is signed', async () => {
    const signs: Record<'hibob' | 'bamboohr', (body: string, secret: string) => Record<string, string>> = {
      hibob: (body, secret) => ({ 'bob-signature': createHmac('sha512', secret).update(body).digest('base64') }),
      bamboohr(body, secret) {
        const timestamp = String(Math.floor(now.epochMilliseconds / 1000));
        const signature = createHmac('sha256', secret).update(`${body}${timestamp}`).digest('hex');
        return { 'x-bamboohr-timestamp': timestamp, 'x-bamboohr-signature': signature };
      },
    };
    const body = '{"changed":[1,2]}';
    for (const provider of ['hibob', 'bamboohr'] as const) {
      const target = targets[provider];
      const signed = signs[provider](body, 'hint-secret');
      await createAddress(provider);
      await hint(provider, { body, headers: signed });
      assert.equal(await countPulls(target), 0, 'the secret is not known yet');
      const stored = await client.post(`${path(provider)}/hints/secret`, { signingSecret: ' hint-secret ' });
      assert.equal(stored.status, 204);
      await hint(provider, { body, headers: signs[provider](body, 'other') });
      await hint(provider, { body: `${body} `, headers: signed });
      await hint(provider, { body });
      assert.equal(await countPulls(target), 0);
      await hint(provider, { body, headers: signed });
      assert.equal(await countPulls(target), 1);
    }
    const old = signs.bamboohr(body, 'hint-secret');
    await app.db.deleteFrom('pulls').where('hr_integration_id', '=', targets.bamboohr.hrIntegrationId).execute();
    now = now.add({ minutes: 6 });
    await hint('bamboohr', { body, headers: old });
    assert.equal(await countPulls(targets.bamboohr), 0, 'a repeated one counts no more');
    const refused = await client.post(`${path('personio')}/hints/secret`, { signingSecret: 'x' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'not-connectable']);
  });

  it('is answered alike, whether its address exists or not, and ends with it', async () => {
    const known = await createAddress('personio');
    const others = [`/v1/hints/${companyId}.${'x'.repeat(43)}`, '/v1/hints/x', '/v1/hints/1.2'];
    const answers = [];
    for (const url of [known, ...others]) {
      const response = await fetch(new URL(url, app.url), { method: 'POST', body: 'Ping test' });
      answers.push([response.status, await response.text()]);
    }
    assert.deepEqual(answers, Array(4).fill([200, '{}']));
    assert.equal((await client.delete(`${path('personio')}/hints`)).status, 204);
    assert.equal((await client.get(`${path('personio')}/connection`)).body.data.hints.isOn, false);
    const before = await countPulls(targets.personio);
    now = now.add({ hours: 3 });
    await hint('personio');
    assert.equal(await countPulls(targets.personio), before);
    const large = await fetch(new URL(known, app.url), { method: 'POST', body: 'x'.repeat(300_000) });
    assert.equal(large.status, 413);
  });

  it('leaves no secret in responses, records and logs', async () => {
    const audit = await app.db.selectFrom('audit_log').select(['action', 'detail']).execute();
    assert.deepEqual(
      new Set(audit.map(({ action }) => action).filter((action) => action.includes('hints'))),
      new Set(['integration.hints-on', 'integration.hints-secret', 'integration.hints-off']),
    );
    const text = JSON.stringify([audit, (await client.get(`${path('hibob')}/connection`)).body]) + app.logs.join('\n');
    assert.doesNotMatch(text, /hint-secret|planted@/);
    for (const token of Object.values(tokens)) assert(!text.includes(token.split('.')[1] ?? token));
  });
});
