import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, info, type Metric, none } from '../../harness/metrics.ts';
import { type Reading, readProcess, type Samples, type Span, startSampling } from '../../harness/samples.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { Db } from '../../src/db/database.ts';
import { firstOfNextMonth } from '../../src/domain/calendar.ts';
import type { Serving } from '../../test/support/process.ts';
import { untilSettled } from '../support/busy-service.ts';
import { CheckingClient } from '../support/checking-client.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { PortalClient } from '../support/portal-client.ts';
import { makeTestCompany } from '../support/test-company.ts';
import { type Customer, type LoadPlan, pushRoster, putLoad, timeoutMs } from './load.ts';

interface Plan extends LoadPlan {
  seconds: number;
  /** The number of employees in the rosters of each company. */
  sizes: number[];
  /**
   * The spans that are compared, in seconds from the start. Without them memory and logs are only reported and requests
   * are repeated after 503, because the machine also does other work.
   */
  spans?: { first: Span; last: Span };
  /** How long no requests are sent before and after the load. HTTP connections close after 72 s. */
  restMs: number;
}

/** The default process, which runs API and worker together, and a second process with the API only. */
const processNames = ['API and worker', 'second API'] as const;
type Processes = Record<(typeof processNames)[number], Serving>;

const memory = processNames.map((name) => `${name}: memory`);
const files = processNames.map((name) => `${name}: open files`);
const largest = 'largest connection of PostgreSQL';

/** Returns the number of connections, the memory of the largest one in MB, and memory and open files per process. */
async function readService(db: Db, processes: Processes): Promise<Reading> {
  const { rows } = await sql<{ pid: number }>`
    select a.pid from pg_stat_activity a
    where a.datname = current_database() and a.application_name like 'transit %'`.execute(db);
  const reading: Reading = { connections: rows.length };
  const sizes = rows.map(({ pid }) => readProcess(pid).catch(() => ({ ownMb: 0 })));
  reading[largest] = Math.max(0, ...(await Promise.all(sizes)).map(({ ownMb }) => ownMb));
  for (const [name, { pid }] of Object.entries(processes)) {
    const { residentMb, files: open } = await readProcess(pid);
    Object.assign(reading, { [`${name}: memory`]: residentMb, [`${name}: open files`]: open });
  }
  return reading;
}

/** Returns the minimum of several readings at rest, because the clock and the queue poll now and then. */
async function rest(db: Db, processes: Processes, restMs: number): Promise<(name: string) => number> {
  await sleep(restMs);
  const readings: Reading[] = [];
  for (; readings.length < 10; await sleep(restMs / 100)) readings.push(await readService(db, processes));
  return (name) => Math.min(...readings.map((reading) => reading[name] ?? Number.NaN));
}

/**
 * Per process a pool of 10 for requests, 4 for exports and 4 for the queue. In addition 6 for the worker, and one on
 * which the queue listens.
 */
const poolLimit = 2 * (10 + 4 + 4) + 6 + 1;
const growthLimit = 1.2;
/** The queue holds one connection or a few, depending on how many of its polls coincide. */
const restTolerance = 3;

function growthMetrics(samples: Samples, spans: Plan['spans']): Metric[] {
  const most = atMost('connections at most', samples.highest('connections'), poolLimit);
  if (!spans) return [most, ...memory.map((name) => info(`${name} at most, MB`, samples.highest(name)))];
  const { first, last } = spans;
  const both = (name: string, unit = '') => [
    info(`${name} in minute 2${unit}`, samples.median(name, first)),
    info(`${name} in the last minute${unit}`, samples.median(name, last)),
  ];
  const growth = (name: string) => atMost(`${name}, last / minute 2`, samples.growth(name, first, last), growthLimit);
  return [
    ...memory.flatMap((name) => [...both(name, ', MB'), growth(name)]),
    most,
    ...both('connections'),
    ...both(largest, ', MB'),
  ];
}

const restMetrics = (before: (name: string) => number, after: (name: string) => number): Metric[] =>
  ['connections', ...files].flatMap((name) => [
    info(`${name} at rest before`, before(name)),
    atMost(`${name} at rest after`, after(name), before(name) + restTolerance),
  ]);

const unlimited = '1000000';
const env = {
  LOG_LEVEL: 'warn',
  TIME_TRAVEL: 'portal',
  RATE_LIMIT_PER_MINUTE: unlimited,
  PORTAL_RATE_LIMIT_PER_MINUTE: unlimited,
  WALLET_RATE_LIMIT_PER_MINUTE: unlimited,
  INVITATION_RATE_LIMIT_PER_MINUTE: unlimited,
};

/** Starts the processes and the companies. Applies their first roster, and bills and documents their first month. */
async function prepare({ db, startApi }: Fixture, plan: Plan) {
  const whole = await startApi({ ...env, WORKER: 'on' });
  const api = await startApi(env);
  const client = new CheckingClient(plan.spans === undefined);
  const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin');
  const today = { created_at: now.toInstant().toString(), processed_through: now.toPlainDate().toString() };
  const customers: Customer[] = [];
  for (const size of plan.sizes) customers.push({ ...(await makeTestCompany(db, today)), size });
  const roster = { syncId: 'first', version: 0 };
  await Promise.all(customers.map((customer) => pushRoster(client, whole.url, customer, roster)));
  const portal = new PortalClient(client, whole.url, (customers[0] as Customer).user);
  await portal.signIn();
  const month = firstOfNextMonth(await portal.today());
  await portal.travelTo(month);
  await untilSettled(db, timeoutMs);
  const processes = { 'API and worker': whole, 'second API': api };
  return { processes, client, customers, apis: [whole.url, api.url], period: month.toString() };
}

async function run(fixture: Fixture, plan: Plan, { seed, log }: Context): Promise<Metric[]> {
  const { db } = fixture;
  const { spans } = plan;
  const { processes, ...context } = await prepare(fixture, plan);
  const { client } = context;
  const before = await rest(db, processes, plan.restMs);
  const sentBefore = client.sent;
  const sampling = startSampling(1_000, () => readService(db, processes));
  const load = putLoad(context, plan, seed, AbortSignal.timeout(plan.seconds * 1_000));
  const done = await load.finally(() => sampling.stop());
  const samples = await sampling.stop();
  const left = await untilSettled(db, timeoutMs);
  const after = await rest(db, processes, plan.restMs);
  const { rows } = await sql<{ jobs: number; documents: number }>`
    select (select count(*) from queue.job) as jobs,
      (select count(*) from documents where content is null) as documents`.execute(db);
  // Readers send wrong keys on purpose.
  const isExpected = (line: string) => line === '' || line.includes('"msg":"authentication failed"');
  const logged = Object.values(processes).flatMap(({ output }) =>
    output.stderr.split('\n').filter((line) => !isExpected(line)),
  );
  for (const line of [...client.faults, ...logged].slice(0, 20)) log(line);
  return [
    info('requests', client.sent - sentBefore),
    info('rosters applied', done.syncs),
    info('visits to the portal', done.visits),
    info('daily runs', done.days),
    info('documents written', rows[0]?.documents ?? 0),
    none('unexpected responses', client.faults.length),
    info('requests repeated', client.repeated),
    (spans ? none : info)('warnings and errors in the logs', logged.length),
    ...growthMetrics(samples, spans),
    ...(spans ? restMetrics(before, after) : []),
    none('jobs, rosters and documents left unfinished', left),
    info('jobs stored, finished ones for an hour', rows[0]?.jobs ?? 0),
  ];
}

export const mixedLoad: Scenario<Plan> = {
  name: 'mixed-load',
  title: 'Ten minutes of reads, rosters, portal visits and daily runs at once, on two processes',
  plans: {
    full: {
      seconds: 600,
      sizes: [10_000, 8_000, 5_000, 4_000, 2_000, 2_000],
      readers: 12,
      pauses: { readMs: 100, pushMs: 15_000, dayMs: 12_000, visitMs: 8_000 },
      spans: { first: { from: 90, to: 150 }, last: { from: 540, to: 600 } },
      restMs: 80_000,
    },
    quick: {
      seconds: 2,
      sizes: [400, 200],
      readers: 4,
      pauses: { readMs: 20, pushMs: 200, dayMs: 100, visitMs: 400 },
      restMs: 0,
    },
  },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
