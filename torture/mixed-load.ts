import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, info, type Metric, none, noneOf, sum } from '../harness/metrics.ts';
import { type Reading, readProcess, type Samples, type Span, startSampling } from '../harness/observe.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import { firstOfNextMonth } from '../src/domain/calendar.ts';
import { createRandom } from '../src/operator/demo/random.ts';
import type { Db } from '../src/platform/db/database.ts';
import type { Serving } from '../test/support/process.ts';
import { type Fixture, withFixture } from './support/fixture.ts';
import { CheckingClient, PortalVisitor } from './support/http-client.ts';
import { hireForNextMonth, RosterPusher, RosterStream } from './support/roster-pusher.ts';
import { makeTestCompany } from './support/test-company.ts';
import { type BusyService, keepBusy, type Traffic, untilSettled } from './support/traffic.ts';

interface Plan extends Traffic {
  seconds: number;
  /** The spans that are compared, in seconds from the start. Absent on a busy machine: memory and logs are reported only. */
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

/** Per process 10 for requests, 4 for exports and 4 for the queue; 6 for the worker, and one on which the queue listens. */
const poolLimit = 2 * (10 + 4 + 4) + 6 + 1;
const growthLimit = 1.2;
/** The queue holds one connection or a few, depending on how many of its polls coincide. */
const restTolerance = 3;

function growthMetrics(samples: Samples, spans: Plan['spans']): Metric[] {
  const most = atMost('connections at most', samples.highest('connections'), poolLimit);
  if (!spans) return [most, ...memory.map((name) => info(`${name} at most, MB`, samples.highest(name)))];
  const { first, last } = spans;
  const growth = (name: string) => samples.median(name, last) / samples.median(name, first);
  return [
    most,
    ...memory.map((name) => atMost(`${name}, last / minute 2`, growth(name), growthLimit)),
    ...[...memory, largest].map((name) => info(`${name} in the last minute, MB`, samples.median(name, last))),
  ];
}

const restMetrics = (before: (name: string) => number, after: (name: string) => number): Metric[] =>
  ['connections', ...files].flatMap((name) => [
    info(`${name} at rest before`, before(name)),
    atMost(`${name} at rest after`, after(name), before(name) + restTolerance),
  ]);

const env = {
  LOG_LEVEL: 'warn',
  TIME_TRAVEL: 'portal',
  RATE_LIMIT_PER_MINUTE: '0',
};

const settleMs = 300_000;

async function prepare({ db, urls, startApi }: Fixture, plan: Plan, seed: number) {
  const whole = await startApi({ ...env, WORKER: 'on' });
  const api = await startApi(env);
  const client = new CheckingClient(whole.url, plan.spans === undefined);
  const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin');
  const today = { created_at: now.toInstant().toString(), processed_through: now.toPlainDate().toString() };
  const pushers: RosterPusher[] = [];
  for (const _ of plan.sizes) {
    const rosters = new RosterStream(createRandom(seed + pushers.length), hireForNextMonth);
    pushers.push(new RosterPusher(await makeTestCompany(db, today), whole.url, rosters));
  }
  await Promise.all(pushers.map((pusher, index) => pusher.push(plan.sizes[index] ?? 0)));
  for (const pusher of pushers) await pusher.waitFor(0);
  const portal = new PortalVisitor(client, client.origin, (pushers[0] as RosterPusher).company.user);
  await portal.signIn();
  const first = firstOfNextMonth(await portal.today());
  await portal.travelTo(first);
  await untilSettled(db, settleMs);
  const origins = [whole.url, api.url].map((url) => new URL(url).origin);
  const readable = pushers.map(({ company }) => company);
  const service: BusyService = { client, db, databaseUrl: urls.url, origins, first, readable, pushers, joined: [] };
  return { processes: { 'API and worker': whole, 'second API': api }, service };
}

async function run(fixture: Fixture, plan: Plan, { seed, log }: Context): Promise<Metric[]> {
  const { db } = fixture;
  const { spans } = plan;
  const { processes, service } = await prepare(fixture, plan, seed);
  const { client, pushers } = service;
  const before = await rest(db, processes, plan.restMs);
  const sentBefore = client.sent;
  const sampling = startSampling(1_000, () => readService(db, processes));
  const load = keepBusy(service, plan, seed, AbortSignal.timeout(plan.seconds * 1_000));
  const done = await load.finally(() => sampling.stop());
  const samples = await sampling.stop();
  const left = await untilSettled(db, settleMs);
  const after = await rest(db, processes, plan.restMs);
  const { rows } = await sql<{ jobs: number; documents: number }>`
    select (select count(*) from queue.job) as jobs,
      (select count(*) from documents where content is null) as documents`.execute(db);
  // Readers send wrong keys on purpose.
  const isExpected = (line: string) => line === '' || line.includes('"msg":"authentication failed"');
  const logged = Object.values(processes).flatMap(({ output }) =>
    output.stderr.split('\n').filter((line) => !isExpected(line)),
  );
  const faults = [...client.faults, ...pushers.flatMap(({ unexpected }) => unexpected)];
  for (const line of logged.slice(0, 20)) log(line);
  const repeated = client.repeated + sum(pushers.map(({ retries }) => retries));
  return [
    info('requests', client.sent - sentBefore),
    info('rosters applied', done.syncs),
    info('visits to the portal', done.visits),
    info('daily runs', done.days),
    info('documents written', rows[0]?.documents ?? 0),
    noneOf('unexpected responses', faults, log),
    (spans ? none : info)('requests repeated', repeated),
    (spans ? none : info)('warnings and errors in the logs', logged.length),
    ...growthMetrics(samples, spans),
    ...(spans ? restMetrics(before, after) : []),
    none('jobs, rosters and documents left unfinished', left),
    info('jobs stored, finished ones for an hour', rows[0]?.jobs ?? 0),
  ];
}

/** Every roster lacks one percent of the employees at most. Each is applied before the next one is pushed. */
const common = { shrinkTo: 0.99, pending: 0 };

export const mixedLoad: Scenario<Plan> = {
  name: 'mixed-load',
  title: 'Ten minutes of reads, rosters, portal visits and daily runs at once, on two processes',
  plans: {
    full: {
      seconds: 600,
      sizes: [10_000, 8_000, 5_000, 4_000, 2_000, 2_000],
      ...common,
      readers: 12,
      pauses: { readMs: 100, pushMs: 15_000, dayMs: 12_000, visitMs: 8_000 },
      spans: { first: { from: 90, to: 150 }, last: { from: 540, to: 600 } },
      restMs: 80_000,
    },
    quick: {
      seconds: 2,
      sizes: [400, 200],
      ...common,
      readers: 4,
      pauses: { readMs: 20, pushMs: 200, dayMs: 100, visitMs: 400 },
      restMs: 0,
    },
  },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
