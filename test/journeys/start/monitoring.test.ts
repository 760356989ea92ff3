import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { basic, type Credentials } from '../../support/app.ts';
import { connectAs, createTestDatabase, serverUrl, type TestDatabase } from '../../support/database.ts';
import { makeCompany, makeIntegration, makeKey } from '../../support/factories.ts';
import { freePort, type ProgramProcess, type Serving, serve, startProgram, withFolder } from '../../support/process.ts';
import { probe, scrape } from '../../support/scrape.ts';
import { entries } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const perMinute = 20;
const stopDelayMillis = 5_000;

describe('An API and a worker with the same settings', () => {
  let database: TestDatabase;
  let key: Credentials;
  let integrationId: number;
  let service: Serving;
  let worker: ProgramProcess;
  let [api, work, folder] = ['', '', ''];

  before(async () => {
    database = await createTestDatabase();
    const companyId = await makeCompany(database.db);
    integrationId = await makeIntegration(database.db, companyId);
    key = await makeKey(database.db, companyId);
    const yesterday = Temporal.Now.plainDateISO('Europe/Berlin').subtract({ days: 1 });
    await sql`update companies set processed_through = ${yesterday.toString()}::date`.execute(database.db);
    const ports = [await freePort(), await freePort()];
    [api, work] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string];
    folder = await mkdtemp(join(tmpdir(), 'transit-'));
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      DEMO: 'off',
      WORKER: 'off',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: String(perMinute),
      STOP_DELAY_MS: String(stopDelayMillis),
      METRICS_PORT: String(ports[0]),
      WORKER_METRICS_PORT: String(ports[1]),
    };
    service = await serve({ env });
    worker = startProgram(['worker'], { env });
    await until('the worker is ready', () =>
      probe(work, '/ready').then(
        ({ code }) => code === 200,
        () => false,
      ),
    );
  });
  after(async () => {
    service.signal('SIGKILL');
    worker.signal('SIGKILL');
    await Promise.all([service.exited, worker.finished]);
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const request = (path: string, options: { method?: string; body?: string } = {}) =>
    fetch(`${service.url}${path}`, {
      ...options,
      headers: { authorization: basic(key), 'content-type': 'application/json' },
    });
  const untilValue = (metricsUrl: string, series: string, isWanted: (value: number) => boolean) =>
    until(`${series} is as expected`, async () => isWanted((await scrape(metricsUrl)).value(series) ?? Number.NaN));

  it('count the syncs, entries, jobs, daily runs and documents of real work', async () => {
    const body = JSON.stringify({ syncId: 'first', employees: entries(3, { autoSyncEmployee: true }) });
    assert.equal((await request(`/hr-integrations/${integrationId}/sync`, { method: 'POST', body })).status, 204);
    await untilValue(work, 'transit_sync_duration_seconds_count{outcome="succeeded"}', (value) => value === 1);
    await untilValue(work, 'transit_documents_total{outcome="written"}', (value) => value > 0);
    await untilValue(work, 'transit_documents_waiting', (value) => value === 0);
    const [ofApi, ofWorker] = [await scrape(api), await scrape(work)];
    assert.equal(ofApi.value('transit_syncs_accepted_total'), 1);
    assert.equal(ofWorker.value('transit_syncs_accepted_total'), 0);
    assert.equal(ofWorker.value('transit_sync_entries_total'), 3);
    assert.equal(ofWorker.value('transit_daily_run_duration_seconds_count'), 1);
    assert((ofWorker.value('transit_job_duration_seconds_count{queue="apply-syncs",outcome="completed"}') ?? 0) > 0);
    assert.equal(ofWorker.value('transit_documents_total{outcome="failed"}'), 0);
  });

  it('report the same state of the whole environment', async () => {
    for (const metricsUrl of [api, work]) {
      await untilValue(metricsUrl, 'transit_syncs_waiting', (value) => value === 0);
      await untilValue(metricsUrl, 'transit_daily_run_lag_days', (value) => value === 0);
      await untilValue(metricsUrl, 'transit_ready', (value) => value === 1);
      await untilValue(metricsUrl, 'transit_queue_jobs{queue="apply-syncs",state="waiting"}', (value) => value === 0);
      const metrics = await scrape(metricsUrl);
      assert((metrics.value('nodejs_eventloop_lag_p99_seconds') ?? -1) >= 0);
      assert.doesNotMatch(metrics.text.replaceAll(/^#.*$/gm, ''), /company|anna|muster/i);
    }
  });

  it('report work that waits', async () => {
    await sql`update syncs set state = 'accepted', accepted_at = now() - interval '1 hour'`.execute(database.db);
    await sql`update companies set processed_through = processed_through - 3`.execute(database.db);
    try {
      await untilValue(api, 'transit_syncs_waiting_oldest_seconds', (value) => value >= 3600);
      await untilValue(api, 'transit_daily_run_lag_days', (value) => value === 3);
      assert.equal((await scrape(api)).value('transit_syncs_waiting'), 1);
      assert.equal((await scrape(api)).value('transit_daily_run_lag_companies'), 1);
    } finally {
      await sql`update syncs set state = 'succeeded'`.execute(database.db);
      await sql`update companies set processed_through = processed_through + 3`.execute(database.db);
    }
  });

  it('count requests that exceed a limit', async () => {
    const refused: number[] = [];
    for (let count = 0; count <= 2 * perMinute; count++) refused.push((await request('/me')).status);
    const expected = refused.filter((status) => status === 429).length;
    assert(expected > 0);
    assert.equal((await scrape(api)).value('transit_http_rate_limited_total'), expected);
  });

  it('log the push and its outcome with the same request id', async () => {
    const find = (text: string, message: string) => {
      const line = text.split('\n').find((one) => one.includes(`"${message}"`));
      return line === undefined ? undefined : JSON.parse(line);
    };
    await until('both lines are written', () =>
      Boolean(find(service.output.stderr, 'sync accepted') && find(worker.output.stderr, 'sync applied')),
    );
    const accepted = find(service.output.stderr, 'sync accepted');
    const applied = find(worker.output.stderr, 'sync applied');
    assert.equal(applied.requestId, accepted.requestId);
    assert.deepEqual([applied.syncId, applied.entries, applied.outcome], ['first', 3, 'succeeded']);
    assert(find(worker.output.stderr, 'daily run finished'));
    assert(find(worker.output.stderr, 'documents written'));
  });

  it('are alive and not ready while the database refuses connections', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const admin = await connectAs(serverUrl());
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    for (const metricsUrl of [api, work]) {
      await until('it is not ready', async () => (await probe(metricsUrl, '/ready')).code === 503);
      assert.deepEqual((await probe(metricsUrl, '/ready')).problems, ['the database does not respond']);
      assert.equal((await probe(metricsUrl, '/live')).code, 200);
      assert.equal((await scrape(metricsUrl)).value('transit_ready'), 0);
    }
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
    for (const metricsUrl of [api, work]) {
      await until('it is ready again', async () => (await probe(metricsUrl, '/ready')).code === 200);
    }
  });

  it('stop without a request that fails before the load balancer can know', async () => {
    service.signal('SIGTERM');
    const seen: string[] = [];
    const isUp = () =>
      fetch(`${service.url}/health`, { headers: { connection: 'close' } }).then(
        ({ status }) => status === 204,
        () => false,
      );
    await until('the service stops', async () => {
      // Asked first: whatever it returns was true before the request.
      const ready = await probe(api, '/ready').then(
        ({ code }) => code,
        () => 0,
      );
      const up = await isUp();
      seen.push(`${ready === 200 ? 'ready' : 'not ready'}, ${up ? 'up' : 'down'}`);
      return !up;
    });
    assert(seen.includes('not ready, up'), seen.join('; '));
    assert(!seen.includes('ready, down'), seen.join('; '));
    assert.equal((await service.exited).code, 0);
    worker.signal('SIGTERM');
    const { code, stderr } = await worker.finished;
    assert.equal(code, 0);
    assert.match(stderr, /"worker started"[\s\S]*"stopping"[\s\S]*"stopped"/);
  });
});

describe('Metrics', () => {
  it('are served on a separate port, by route pattern, and never on the port of the API', () =>
    withFolder(async (folder) => {
      const metricsPort = await freePort();
      const metricsUrl = `http://127.0.0.1:${metricsPort}`;
      const env = { DATA_DIR: join(folder, 'data'), DEMO: 'off', HOST: '0.0.0.0' };
      const service = await serve({ env: { ...env, METRICS_PORT: String(metricsPort) } });
      try {
        assert.equal((await fetch(`${service.url}/health`)).status, 204);
        assert.equal((await fetch(`${service.url}/employees/123?search=secret`)).status, 401);
        const response = await fetch(`${metricsUrl}/metrics`);
        assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
        const text = await response.text();
        assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/v1\/health",status="204"\} 1/);
        assert.match(text, /route="\/v1\/employees\/:id",status="401"/);
        assert.match(text, /^process_resident_memory_bytes \d+/m);
        assert.doesNotMatch(text, /secret/);
        // The worker of the same process is reported on the same port.
        const idle = /^transit_database_pool_waiting\{pool="jobs"\} 0$/m;
        const scrape = async () => (await fetch(`${metricsUrl}/metrics`)).text();
        await until('no job waits for a connection', async () => idle.test(await scrape()));
        await until('it is ready', async () => (await probe(metricsUrl, '/ready')).code === 200);
        assert.equal((await fetch(`${metricsUrl}/v1/health`)).status, 404);
        assert.equal((await fetch(new URL('/metrics', service.url))).status, 404);
        // The API listens on every address of the machine, the metrics on one.
        await assert.rejects(fetch(`http://127.0.0.2:${metricsPort}/metrics`));
      } finally {
        service.signal('SIGTERM');
      }
      assert.equal((await service.exited).code, 0);
    }));
});
