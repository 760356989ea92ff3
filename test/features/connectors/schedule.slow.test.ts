import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Integration } from '../../../src/features/companies/companies.ts';
import { personio } from '../../../src/features/connectors/providers/personio.ts';
import { connectIntegration } from '../../../src/features/connectors/pull/connect.ts';
import type { PullDeps } from '../../../src/features/connectors/pull/outcome.ts';
import { runPulls } from '../../../src/features/connectors/pull/run.ts';
import { schedulePulls } from '../../../src/features/connectors/pull/schedule.ts';
import { insertHrIntegration, updateHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { createEncryption } from '../../../src/platform/crypto/encryption.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { startFakeWith } from '../../support/fake-hr/personio.ts';
import { pluck } from '../../support/pluck.ts';
import { useResource } from '../../support/prepare.ts';
import { rowsOf } from '../../support/rows.ts';

const right = { clientId: 'papi-client', clientSecret: 'papi-secret' };

describe('the schedule of an integration that pulls', () => {
  let target: Integration;
  let now = Temporal.Instant.from('2026-11-16T12:00:00Z');
  const clock = { now: () => now };
  const encryption = createEncryption('x'.repeat(32));
  const failures: { code: string; isInvalid: boolean; willRetry: boolean }[] = [];
  let deps: PullDeps;

  const connect = (credentials = right) =>
    writeCompany(app.serviceDb, target.companyId, (tx) =>
      connectIntegration(
        tx,
        { target, encryption, now, by: { at: now } },
        { connector: personio, credentials, isReady: true },
      ),
    );

  const app = useApp();
  const fake = useResource(() => startFakeWith(3));
  before(async () => {
    const companyId = await makeCompany(app.db);
    const settings = { encryption, origins: { personio: fake.origin }, allowsPrivateHosts: true, hasDemo: false };
    deps = {
      db: app.serviceDb,
      queue: app.deps.queue,
      notices: app.deps.notices,
      clock,
      signal: new AbortController().signal,
      report: {
        read() {},
        failed: (_pull, { code, isInvalid, willRetry }) => failures.push({ code, isInvalid, willRetry }),
      },
      ...settings,
      maxEntries: 1_000,
      retryDelayMillis: 0,
    };
    const hrIntegrationId = await writeCompany(app.serviceDb, companyId, (tx) =>
      insertHrIntegration(tx, companyId, { name: 'Personio', type: 'hr-integration' }),
    );
    target = { companyId, hrIntegrationId };
    await connect();
  });

  /** Lets three workers look for due pulls and read them at the same time. Returns how many pulls they added. */
  async function runWorkers(): Promise<number> {
    const added = await Promise.all([1, 2, 3].map(() => schedulePulls({ ...deps, queue: app.deps.queue })));
    await Promise.all([1, 2].map(() => runPulls(deps, target)));
    return added.reduce((sum, { pulls }) => sum + pulls, 0);
  }
  const nextPull = async () =>
    (await app.db.selectFrom('hr_connectors').select('next_pull_at').executeTakeFirstOrThrow()).next_pull_at;
  const minutesUntilNext = async () => now.until((await nextPull()) ?? now).total('minutes');
  const listPulls = () =>
    app.db.selectFrom('pulls').select(['night', 'attempt', 'state', 'people_read as people']).orderBy('id').execute();
  const integration = () =>
    app.db.selectFrom('hr_integrations').select(['status', 'last_sync_status as sync']).executeTakeFirstOrThrow();

  it('pulls once at the nightly time, however many workers there are', async () => {
    assert.equal(await nextPull(), '2026-11-17T01:00:00Z');
    assert.equal(await runWorkers(), 0);
    now = Temporal.Instant.from('2026-11-17T01:00:30Z');
    assert.equal(await runWorkers(), 1);
    assert.equal(await runWorkers(), 0);
    assert.deepEqual(await listPulls(), [{ night: '2026-11-17', attempt: 0, state: 'read', people: 3 }]);
    const syncs = await app.db.selectFrom('syncs').select(['sync_id', 'pushed_by', 'state']).execute();
    assert.deepEqual(syncs, [
      { sync_id: 'pull-2026-11-17T01:00:30.000Z', pushed_by: 'connector personio', state: 'accepted' },
    ]);
    assert.equal(await nextPull(), '2026-11-18T01:00:00Z');
  });

  it('catches up once after nights without a worker', async () => {
    now = Temporal.Instant.from('2026-11-21T09:00:00Z');
    assert.equal(await runWorkers(), 1);
    assert.equal(await runWorkers(), 0);
    assert.equal((await listPulls()).at(-1)?.night, '2026-11-21');
    assert.equal(await nextPull(), '2026-11-22T01:00:00Z');
  });

  it('repeats a failed pull with growing delays, and says why', async () => {
    now = Temporal.Instant.from('2026-11-22T01:00:00Z');
    fake.account.withheld = ['email'];
    for (const minutes of [5, 10, 20]) {
      assert.equal(await runWorkers(), 1);
      assert.equal(await minutesUntilNext(), minutes);
      assert.deepEqual(failures.at(-1), { code: 'attribute-withheld', isInvalid: false, willRetry: true });
      now = now.add({ minutes });
    }
    assert.deepEqual(await integration(), { status: 'active', sync: 'failed' });
    const { reason } = await app.db
      .selectFrom('syncs')
      .select('reason')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    assert.match(reason ?? '', /^Personio does not release `email`\. Grant the credentials access/);
    fake.account.withheld = [];
    assert.equal(await runWorkers(), 1);
    assert.equal(await nextPull(), '2026-11-23T01:00:00Z');
    assert.deepEqual(pluck((await listPulls()).slice(2), 'attempt', 'state'), [
      [0, 'failed'],
      [1, 'failed'],
      [2, 'failed'],
      [3, 'read'],
    ]);
  });

  it('takes over a pull whose worker has died', async () => {
    now = Temporal.Instant.from('2026-11-23T01:00:00Z');
    await schedulePulls({ ...deps, queue: app.deps.queue });
    await app.db.updateTable('pulls').set({ state: 'reading' }).where('state', '=', 'waiting').execute();
    await runPulls(deps, target);
    assert.equal((await listPulls()).at(-1)?.state, 'read');
  });

  it('refuses an empty answer where there were people', async () => {
    now = Temporal.Instant.from('2026-11-24T01:00:00Z');
    const people = fake.account.people.splice(0);
    await runWorkers();
    assert.equal(failures.at(-1)?.code, 'incomplete');
    fake.account.people.push(...people);
  });

  it('stops when credentials are refused again an hour later, and starts when somebody reconnects', async () => {
    now = Temporal.Instant.from('2026-11-25T01:00:00Z');
    fake.account.clientSecret = 'changed';
    fake.expireTokens();
    await runWorkers();
    assert.deepEqual(
      [await integration(), await minutesUntilNext()],
      [{ status: 'active', sync: 'authentication-failed' }, 60],
    );
    now = now.add({ minutes: 60 });
    await runWorkers();
    assert.deepEqual(failures.at(-1), { code: 'credentials-refused', isInvalid: true, willRetry: false });
    assert.equal((await integration()).status, 'invalid');
    assert.equal(await nextPull(), null);
    now = now.add({ hours: 48 });
    assert.equal(await runWorkers(), 0);
    await app.db.updateTable('hr_integrations').set({ initial_connection_status: 'completed' }).execute();
    await connect({ ...right, clientSecret: 'changed' });
    assert.equal((await integration()).status, 'active');
    assert.equal(await runWorkers(), 1, 'the missed nights are caught up at once');
    assert.equal((await listPulls()).at(-1)?.state, 'read');
    const events = await rowsOf(app.db, 'events', { type: 'hr-integration-status-changed' }, ['type', 'payload']);
    assert.deepEqual(
      events.map(({ payload }) => (payload as { reason: string }).reason),
      ['credentials-refused', 'reconnected'],
    );
  });

  it('does not pull for an integration that is disabled', async () => {
    await writeCompany(app.serviceDb, target.companyId, (tx) =>
      updateHrIntegration(tx, target.companyId, { id: target.hrIntegrationId, status: 'inactive' }),
    );
    now = now.add({ hours: 48 });
    assert.equal(await runWorkers(), 0);
  });
});
