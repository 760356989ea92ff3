import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Integration } from '../../../src/features/companies/companies.ts';
import { personio } from '../../../src/features/connectors/providers/personio.ts';
import { connectIntegration } from '../../../src/features/connectors/pull/connect.ts';
import { requestPull } from '../../../src/features/connectors/pull/schedule.ts';
import { insertHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { readEncryption } from '../../../src/platform/crypto/open-encryption.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { listQueueBacklogs } from '../../../src/processes/monitoring/backlog.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { commandsIn } from '../../support/commands.ts';
import { makeCompany } from '../../support/factories.ts';
import { type FakePersonio, startFakeWith } from '../../support/fake-hr/personio.ts';
import { type Serving, work } from '../../support/process.ts';
import { until } from '../../support/until.ts';

const people = 2_000;
const heldOffset = 1_000;

describe('a pull whose worker is killed', () => {
  let app: TestApp;
  let fake: FakePersonio;
  let folder: string;
  let target: Integration;
  const env: Record<string, string> = { SECRET: randomBytes(16).toString('hex') };
  const workers: Serving[] = [];
  /** A request for a page in the middle of the roster waits for its gate. Each worker has one. */
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  let arrived = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-killed-pull-'));
    app = await startTestApp({ env });
    fake = await startFakeWith(people, async ({ path, query }) => {
      if (path === '/v1/company/employees' && query.get('offset') === String(heldOffset))
        await gates[arrived++]?.promise;
      return undefined;
    });
    Object.assign(env, { DATABASE_URL: app.databaseUrl, DATA_DIR: folder, PERSONIO_URL: fake.origin, DEMO: 'off' });
    const companyId = await makeCompany(app.db);
    const encryption = await readEncryption(app.config);
    const now = Temporal.Now.instant();
    target = await writeCompany(app.serviceDb, companyId, async (tx) => {
      const hrIntegrationId = await insertHrIntegration(tx, companyId, { name: 'Personio', type: 'hr-integration' });
      const connected = { companyId, hrIntegrationId };
      const credentials = { clientId: 'papi-client', clientSecret: 'papi-secret' };
      const context = { target: connected, encryption, now, by: {} };
      await connectIntegration(tx, context, { connector: personio, credentials, isReady: true });
      await requestPull(tx, app.deps.queue, connected, { kind: 'manual', requestedBy: 'Ada', now });
      return connected;
    });
  });
  after(async () => {
    for (const gate of gates) gate.resolve();
    for (const worker of workers) {
      await worker.end('SIGKILL');
    }
    await fake.close();
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  const startWorker = async () => {
    const worker = await work({ env });
    workers.push(worker);
    return worker;
  };
  const listPulls = () =>
    app.db
      .selectFrom('pulls')
      .select(['id', 'state', 'sync_id', 'pages_read', 'people_read', 'people_total'])
      .where('company_id', '=', target.companyId)
      .execute();
  const countEmployees = async () =>
    (await app.db.selectFrom('employees').select('id').where('company_id', '=', target.companyId).execute()).length;
  const listSyncs = () =>
    app.db
      .selectFrom('syncs')
      .select(['sync_id', 'state', 'created_count as created', 'failed_count as failed'])
      .where('company_id', '=', target.companyId)
      .execute();

  /** Waits until a worker has asked for the held page and its progress shows. */
  async function untilHeld(count: number) {
    await until(`worker ${count} is in the middle of the roster`, () => arrived === count);
    await until('its progress shows', async () => ((await listPulls())[0]?.pages_read ?? 0) > 0);
    const [pull, ...others] = await listPulls();
    assert.deepEqual(others, []);
    assert.deepEqual([pull?.state, pull?.people_total], ['reading', people]);
    assert((pull?.people_read ?? 0) < people, 'it has not read everybody');
    assert.deepEqual([await countEmployees(), await listSyncs()], [0, []], 'half a roster changes nobody');
    return pull;
  }

  it('is read again by the next worker: once, whole, and as the same pull', async () => {
    const first = await startWorker();
    const interrupted = await untilHeld(1);
    await first.end('SIGKILL');
    gates[0]?.resolve();
    const [left] = await listPulls();
    assert.deepEqual(
      [left?.state, left?.pages_read],
      ['reading', interrupted?.pages_read],
      'the page shows how far it got',
    );

    await startWorker();
    const resumed = await untilHeld(2);
    assert.deepEqual([resumed?.id, resumed?.sync_id], [interrupted?.id, interrupted?.sync_id]);
    gates[1]?.resolve();
    await until('the sync has its outcome', async () => {
      const [sync] = await listSyncs();
      return sync !== undefined && sync.state !== 'accepted' && sync.state !== 'processing';
    });
    const [pull, ...others] = await listPulls();
    assert.deepEqual(others, []);
    assert.deepEqual([pull?.state, pull?.people_read], ['read', people]);
    assert.deepEqual(await listSyncs(), [{ sync_id: pull?.sync_id, state: 'succeeded', created: people, failed: 0 }]);
    assert.equal(await countEmployees(), people);
    assert.equal(arrived, 2, 'nobody has read it a third time');
    await workers[1]?.end('SIGTERM');
  });

  it('is set aside when it has ended its process twice, until an operator releases it', async () => {
    const { companyId } = target;
    const request = () =>
      writeCompany(app.serviceDb, companyId, (tx) =>
        requestPull(tx, app.deps.queue, target, { kind: 'manual', requestedBy: 'Ada', now: Temporal.Now.instant() }),
      );
    const newestPull = () =>
      app.db
        .selectFrom('pulls')
        .select(['state', 'reason'])
        .where('company_id', '=', companyId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
    await request();
    for (const count of [3, 4]) {
      const worker = await startWorker();
      await until(`worker ${count} reads the roster`, () => arrived === count);
      await worker.end('SIGKILL');
      gates[count - 1]?.resolve();
    }
    await startWorker();
    await until('the pull has an outcome', async () => (await newestPull()).state === 'failed');
    assert.match((await newestPull()).reason ?? '', /^Pulls of this integration were stopped/);
    assert.equal(arrived, 4, 'nobody has read it a third time');
    const commands = commandsIn(env);
    const [job, ...others] = await commands.succeed('job', 'list');
    assert.deepEqual(others, []);
    assert.deepEqual(
      [job.queue, job.companyId, job.hrIntegrationId, job.reason],
      ['pull-rosters', companyId, target.hrIntegrationId, 'It ended its process 2 times.'],
    );
    const backlog = (await listQueueBacklogs(app.db)).find(({ queue }) => queue === 'pull-rosters');
    assert.deepEqual([backlog?.setAside, backlog?.oldestSeconds], [1, 0]);

    await request();
    await until('another job of the same work is refused', async () => {
      const { rows } = await sql<{ state: string }>`select state from pulls order by id desc limit 1`.execute(app.db);
      return rows[0]?.state === 'failed';
    });
    await commands.succeed('job', 'release', job.id);
    await commands.fail('job', 'release', job.id);
    await request();
    await until('it is read again', async () => (await newestPull()).state === 'read');
  });
});
