import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { unmoved } from '../../src/platform/clock/clock.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { connectDatabase, type Database } from '../../src/platform/db/database.ts';
import { type Monitoring, startMonitoring } from '../../src/processes/monitoring/monitoring.ts';
import { testClock } from '../support/app.ts';
import { connectAs, createTestDatabase, serverUrl, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/process.ts';
import { findUnknown } from '../support/promql.ts';
import { probe, scrape } from '../support/scrape.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '../..');

interface Dashboard {
  panels: { targets?: { expr: string }[] }[];
}

async function readDashboardQueries(): Promise<string[]> {
  const text = await readFile(join(root, 'deploy/grafana/transit.json'), 'utf8');
  const { panels } = JSON.parse(text) as Dashboard;
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

async function readRuleQueries(): Promise<string[]> {
  const text = await readFile(join(root, 'deploy/prometheus/rules.yml'), 'utf8');
  return [...text.matchAll(/expr: (?:>-\n)?([\s\S]*?)\n {8}for:/g)].map(([, query = '']) => query);
}

const starting = { code: 503, status: 'not ready', problems: ['starting'] };
const alive = { code: 200, status: 'alive', problems: undefined };
const notReady = (problem: string) => ({ code: 503, status: 'not ready', problems: [problem] });

describe('Monitoring', () => {
  let database: TestDatabase;
  let requests: Database;
  let monitoring: Monitoring;
  let url: string;
  let closeReports = async () => {};
  let isConsuming = true;
  let clockDifference = 0.5;
  const logs: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logs.push(line) });

  before(async () => {
    database = await createTestDatabase();
    requests = connectDatabase({ url: database.url, max: 1, applicationName: 'requests' });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    monitoring = await startMonitoring(readConfig({}), { port, setting: 'METRICS_PORT' }, log);
  });
  after(async () => {
    await closeReports();
    await monitoring.stop();
    await requests.close();
    await database.drop();
  });

  const begin = async () => {
    closeReports = await monitoring.begin({
      version: '1.2.3',
      connect: () => connectDatabase({ url: database.url, max: 2, applicationName: 'reports' }),
      clock: { ...unmoved(testClock), readDifference: async () => clockDifference },
      pools: { requests: requests.usage },
      certificates: { apple: Temporal.Instant.from('2027-01-01T00:00:00Z') },
      folders: { data: import.meta.dirname, absent: '/nowhere' },
      isConsuming: () => isConsuming,
    });
  };
  const assertNotReady = async (problem: string) => {
    await until(`not ready: ${problem}`, async () => {
      const { code, problems } = await probe(url, '/ready');
      return code === 503 && Boolean(problems?.includes(problem));
    });
    assert.deepEqual(await probe(url, '/live'), alive);
  };
  // A busy machine may miss the time limit of a check or of a reading.
  const readyAgain = () => until('it is ready', async () => (await probe(url, '/ready')).code === 200);
  const untilComplete = () =>
    until('all readings are complete', async () => {
      const metrics = await scrape(url);
      return ['clock', 'queue', 'syncs', 'daily-run', 'documents', 'webhooks', 'mails'].every(
        (reading) => metrics.value(`transit_database_reading_complete{reading="${reading}"}`) === 1,
      );
    });

  async function allowConnections(allowed: boolean): Promise<void> {
    const name = new URL(database.url).pathname.slice(1);
    const admin = await connectAs(serverUrl());
    await admin.query(`alter database ${name} allow_connections ${allowed}`);
    if (!allowed) {
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    }
    await admin.end();
  }

  it('is alive and not ready while the process starts', async () => {
    assert.deepEqual(await probe(url, '/ready'), starting);
    assert.deepEqual(await probe(url, '/live'), alive);
    assert.equal((await scrape(url)).value('transit_syncs_accepted_total'), 0);
  });

  it('serves three paths only, and only reads', async () => {
    const status = async (path: string, method = 'GET') => (await fetch(`${url}${path}`, { method })).status;
    assert.deepEqual(
      [await status('/'), await status('/metrics?x=1'), await status('/constructor'), await status('/v1/health')],
      [404, 404, 404, 404],
    );
    assert.deepEqual([await status('/metrics', 'POST'), await status('/ready', 'DELETE')], [405, 405]);
    assert.deepEqual([await status('/metrics', 'HEAD'), await status('/live', 'HEAD')], [200, 200]);
  });

  it('refuses an address that is in use with the setting to change', async () => {
    const port = Number(new URL(url).port);
    await assert.rejects(startMonitoring(readConfig({}), { port, setting: 'WORKER_METRICS_PORT' }, log), {
      message: /Set METRICS_HOST and WORKER_METRICS_PORT to a free address/,
    });
  });

  it('is ready once the process has started', async () => {
    await begin();
    await readyAgain();
    await untilComplete();
    await until('the metric says so', async () => (await scrape(url)).value('transit_ready') === 1);
    const metrics = await scrape(url);
    assert.equal(metrics.value('transit_info{version="1.2.3"}'), 1);
    assert.equal(metrics.value('transit_wallet_certificate_expiry_timestamp_seconds{wallet="apple"}'), 1_798_761_600);
    const free = metrics.value('transit_disk_free_bytes{folder="data"}') ?? 0;
    const size = metrics.value('transit_disk_size_bytes{folder="data"}') ?? 0;
    assert(free > 0 && free <= size, `${free} of ${size}`);
    assert.equal(metrics.value('transit_disk_free_bytes{folder="absent"}'), undefined);
    assert.equal(metrics.value('transit_queue_jobs{queue="apply-syncs",state="waiting"}'), 0);
    assert.equal(metrics.value('transit_queue_oldest_job_seconds{queue="write-documents"}'), 0);
  });

  it('has every metric and label that the dashboard and the alert rules read', async () => {
    monitoring.metrics.recordResponse({ method: 'GET', route: '/v1/health', status: 204 }, 1);
    monitoring.metrics.recordJob('apply-syncs', true, 1);
    const metrics = await scrape(url);
    for (const query of [...(await readDashboardQueries()), ...(await readRuleQueries())]) {
      assert.deepEqual(findUnknown(query, metrics), [], query);
    }
  });

  it('has only metrics that are documented', async () => {
    const page = await readFile(join(root, 'docs/operate/monitor.md'), 'utf8');
    const { text } = await scrape(url);
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    const own = names.filter((name) => !/^(nodejs|process)_/.test(name));
    assert(own.length > 20);
    for (const name of own) assert(page.includes(`\`${name}\``), `${name} is not documented`);
  });

  it('has only metrics that the dashboard or an alert uses', async () => {
    const queries = [...(await readDashboardQueries()), ...(await readRuleQueries())].join('\n');
    const { text } = await scrape(url);
    const names = [...text.matchAll(/^# TYPE (transit_\S+)/gm)].map(([, name = '']) => name);
    assert(names.length > 20);
    for (const name of names) assert(queries.includes(name), `${name} is on no panel and in no alert`);
  });

  it('counts the statements that wait for a connection, also while all connections are in use', async () => {
    const leave = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const busy = requests.db.connection().execute(async (connection) => {
      // A connection is taken by its first statement.
      await sql`select 1`.execute(connection);
      entered.resolve();
      await leave.promise;
    });
    await entered.promise;
    const waiting = sql`select 1`.execute(requests.db);
    const metrics = await scrape(url);
    assert.equal(metrics.value('transit_database_pool_waiting{pool="requests"}'), 1);
    assert.equal(metrics.value('transit_database_pool_connections{pool="requests",state="busy"}'), 1);
    assert.equal(metrics.value('transit_database_pool_connections{pool="requests",state="idle"}'), 0);
    await readyAgain();
    leave.resolve();
    await Promise.all([busy, waiting]);
  });

  it('is not ready while the worker does not process jobs', async () => {
    isConsuming = false;
    await assertNotReady('the worker does not process jobs');
    isConsuming = true;
    await readyAgain();
  });

  it('is not ready while its clock differs from that of the database', async () => {
    clockDifference = 20 * 86_400;
    await assertNotReady('the clock of this machine differs from that of the database by more than 60 s');
    await until(
      'the metric says so',
      async () => (await scrape(url)).value('transit_clock_difference_seconds') === 1_728_000,
    );
    clockDifference = 0.5;
    await readyAgain();
  });

  it('is not ready if a newer version has removed what this one reads', async () => {
    await sql`insert into schema_migrations (name, checksum, unread_since) values ('9999_newer.sql', '', '999.0.0')`.execute(
      database.db,
    );
    await assertNotReady('the migrations of the database do not fit this version');
    await sql`update schema_migrations set unread_since = null where name = '9999_newer.sql'`.execute(database.db);
    await readyAgain();
  });

  it('is not ready while a migration is missing', async () => {
    await sql`update schema_migrations set name = 'x' || name, unread_since = null where name like '0001%'`.execute(
      database.db,
    );
    await assertNotReady('the database lacks migrations');
    await sql`update schema_migrations set name = substr(name, 2) where name like 'x%'`.execute(database.db);
    await readyAgain();
  });

  it('is alive and not ready while the database refuses connections, and reports no old values', async () => {
    await allowConnections(false);
    await assertNotReady('the database does not respond');
    await until('the readings fail', async () => {
      const metrics = await scrape(url);
      return metrics.value('transit_database_reading_complete{reading="syncs"}') === 0;
    });
    const metrics = await scrape(url);
    assert.equal(metrics.value('transit_ready'), 0);
    assert.equal(metrics.value('transit_syncs_waiting'), undefined);
    assert(logs.some((line) => line.includes('metrics could not be read from the database')));
    await allowConnections(true);
    await readyAgain();
    await until('the readings are back', async () => (await scrape(url)).value('transit_syncs_waiting') === 0);
  });

  it('is not ready from the beginning of a stop, and then reads nothing from the database', async () => {
    monitoring.end();
    assert.deepEqual(await probe(url, '/ready'), notReady('stopping'));
    assert.deepEqual(await probe(url, '/live'), alive);
    await closeReports();
    closeReports = async () => {};
    const before = logs.length;
    assert.equal((await scrape(url)).value('transit_ready'), 0);
    assert.equal(logs.length, before);
  });
});
