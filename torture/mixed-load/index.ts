import { sql } from 'kysely';
import { atMost, info, type Metric, none } from '../../harness/metrics.ts';
import { type Samples, type Span, startSampling, watchProcess } from '../../harness/samples.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { Db } from '../../src/db/database.ts';
import { createRandom } from '../../src/demo/random.ts';
import { firstOfNextMonth } from '../../src/domain/calendar.ts';
import type { Serving } from '../../test/support/process.ts';
import { untilSettled } from '../support/busy-service.ts';
import { CheckingClient, type Pace, repeat } from '../support/checking-client.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { PortalClient, visitPortal } from '../support/portal-client.ts';
import { sendReadRequest } from '../support/read-requests.ts';
import { makeTestCompany } from '../support/test-company.ts';
import { type Pair, type Rest, readConnections, rest } from './connections.ts';
import { type Customer, pushNightly, pushRoster } from './nightly-rosters.ts';

interface Plan {
  seconds: number;
  /** The number of employees in the rosters of each company. */
  sizes: number[];
  readers: number;
  /**
   * The average pauses between two requests of a reader, two rosters of a company, two days, and two visits to the
   * portal.
   */
  pauses: { readMs: number; pushMs: number; dayMs: number; visitMs: number };
  /**
   * The spans that are compared, in seconds from the start. Without them memory and logs are only reported and requests
   * are repeated after 503, because the machine also does other work.
   */
  spans: { first: Span; last: Span } | undefined;
  /**
   * How long no requests are sent before and after the load, so that unused connections are closed. HTTP connections
   * close after 72 s.
   */
  restMs: number;
}

interface LoadedService {
  db: Db;
  processes: Pair;
  customers: Customer[];
  client: CheckingClient;
  /** The month that is billed before the load begins. */
  period: string;
}

const settleMs = 300_000;

/**
 * Prepares the companies: applies their first roster, and bills and documents their first month. Returns that month.
 */
async function settle(db: Db, whole: Serving, client: CheckingClient, customers: Customer[]): Promise<string> {
  const roster = { syncId: 'first', version: 0 };
  await Promise.all(customers.map((customer) => pushRoster(client, whole.url, customer, roster)));
  const [first] = customers;
  if (first === undefined) throw new Error('The plan has no company.');
  const portal = new PortalClient(client, whole.url, first.user);
  await portal.signIn();
  const month = firstOfNextMonth(await portal.today());
  await portal.travelTo(month);
  await untilSettled(db, settleMs);
  return month.toString();
}

interface Done {
  syncs: number;
  days: number;
  visits: number;
}

/** Runs integrations that read, HR systems that push, portal users, and daily runs, all concurrently. */
async function putLoad(
  service: LoadedService,
  { readers, pauses }: Plan,
  seed: number,
  signal: AbortSignal,
): Promise<Done> {
  const { processes, customers, client, period } = service;
  const apis = [processes.whole.url, processes.api.url];
  const done = { syncs: 0, days: 0, visits: 0 };
  let seeds = seed;
  const pace = (pauseMs: number): Pace => ({ random: createRandom(++seeds), pauseMs, signal });
  const reading = Array.from({ length: readers }, () => {
    const own = pace(pauses.readMs);
    const { random } = own;
    return repeat(own, () => {
      const { authorization } = random.pick(customers);
      return sendReadRequest({ client, random, api: random.pick(apis), authorization, period });
    });
  });
  const pushing = customers.map(async (customer) => {
    done.syncs += await pushNightly(client, apis, customer, pace(pauses.pushMs));
  });
  const visits = pace(pauses.visitMs);
  const visiting = repeat(visits, async () => {
    const { random } = visits;
    const { user, integrationId } = random.pick(customers);
    await visitPortal(new PortalClient(client, random.pick(apis), user), integrationId, period, random);
    done.visits += 1;
  });
  const days = pace(pauses.dayMs);
  const traveller = new PortalClient(client, processes.api.url, days.random.pick(customers).user);
  await traveller.signIn();
  const travelling = repeat(days, async () => {
    await traveller.travelTo((await traveller.today()).add({ days: 1 }));
    done.days += 1;
  });
  await Promise.all([...reading, ...pushing, visiting, travelling]);
  return done;
}

interface Watched {
  whole: Samples;
  api: Samples;
  connections: Samples;
}

const sampleMs = 1_000;

async function watch<T>({ db, processes }: LoadedService, work: () => Promise<T>): Promise<[T, Watched]> {
  const whole = watchProcess(processes.whole.pid, sampleMs);
  const api = watchProcess(processes.api.pid, sampleMs);
  const connections = startSampling(sampleMs, () => readConnections(db));
  try {
    const result = await work();
    return [result, { whole: await whole.stop(), api: await api.stop(), connections: await connections.stop() }];
  } finally {
    await Promise.allSettled([whole.stop(), api.stop(), connections.stop()]);
  }
}

/**
 * Per process a pool of 10 for requests, 4 for exports and 4 for the queue. In addition 6 for the worker, and one on
 * which the queue listens.
 */
const poolLimit = 2 * (10 + 4 + 4) + 6 + 1;
const growthLimit = 1.2;
/** The queue holds one connection or a few, depending on how many of its polls coincide. */
const restTolerance = 3;

function memoryMetrics(name: string, samples: Samples, spans: Plan['spans']): Metric[] {
  if (spans === undefined) return [info(`${name}: memory at most, MB`, samples.highest('residentMb'))];
  const { first, last } = spans;
  return [
    info(`${name}: memory in minute 2, MB`, samples.median('residentMb', first)),
    info(`${name}: memory in the last minute, MB`, samples.median('residentMb', last)),
    atMost(`${name}: memory, last / minute 2`, samples.growth('residentMb', first, last), growthLimit),
  ];
}

function connectionMetrics(samples: Samples, spans: Plan['spans']): Metric[] {
  const most = atMost('connections at most', samples.highest('all'), poolLimit);
  if (spans === undefined) return [most];
  const { first, last } = spans;
  return [
    most,
    info('connections in minute 2', samples.median('all', first)),
    info('connections in the last minute', samples.median('all', last)),
    info('largest connection of PostgreSQL in minute 2, MB', samples.median('largestMb', first)),
    info('largest connection of PostgreSQL in the last minute, MB', samples.median('largestMb', last)),
  ];
}

const restMetrics = (before: Rest, after: Rest): Metric[] => [
  info('connections at rest before', before.connections),
  atMost('connections at rest after', after.connections, before.connections + restTolerance),
  info('API and worker: open files at rest before', before.wholeFiles),
  atMost('API and worker: open files at rest after', after.wholeFiles, before.wholeFiles + restTolerance),
  info('second API: open files at rest before', before.apiFiles),
  atMost('second API: open files at rest after', after.apiFiles, before.apiFiles + restTolerance),
];

const linesOf = ({ output }: Serving) => output.stderr.split('\n').filter(Boolean);

async function measure(service: LoadedService, plan: Plan, { seed, log }: Context): Promise<Metric[]> {
  const { db, client, processes } = service;
  const before = await rest(db, processes, plan.restMs);
  const sentBefore = client.sent;
  const [done, { whole, api, connections }] = await watch(service, () =>
    putLoad(service, plan, seed, AbortSignal.timeout(plan.seconds * 1_000)),
  );
  const left = await untilSettled(db, settleMs);
  const after = await rest(db, processes, plan.restMs);
  const { rows } = await sql<{ jobs: number; documents: number }>`
    select (select count(*) from queue.job) as jobs, (select count(*) from documents where content is null) as documents`.execute(
    db,
  );
  const logged = [...linesOf(processes.whole), ...linesOf(processes.api)];
  for (const line of [...client.faults, ...logged].slice(0, 20)) log(line);
  return [
    info('requests', client.sent - sentBefore),
    info('rosters applied', done.syncs),
    info('visits to the portal', done.visits),
    info('daily runs', done.days),
    info('documents written', rows[0]?.documents ?? 0),
    none('unexpected responses', client.faults.length),
    info('requests repeated', client.repeated),
    (plan.spans ? none : info)('warnings and errors in the logs', logged.length),
    ...memoryMetrics('API and worker', whole, plan.spans),
    ...memoryMetrics('second API', api, plan.spans),
    ...connectionMetrics(connections, plan.spans),
    ...(plan.spans === undefined ? [] : restMetrics(before, after)),
    none('jobs, rosters and documents left unfinished', left),
    info('jobs stored, finished ones for an hour', rows[0]?.jobs ?? 0),
  ];
}

const unlimited = '1000000';
const env = {
  LOG_LEVEL: 'warn',
  TIME_TRAVEL: 'portal',
  RATE_LIMIT_PER_MINUTE: unlimited,
  PORTAL_RATE_LIMIT_PER_MINUTE: unlimited,
  WALLET_RATE_LIMIT_PER_MINUTE: unlimited,
  INVITATION_RATE_LIMIT_PER_MINUTE: unlimited,
};

async function prepare({ db, startApi }: Fixture, plan: Plan): Promise<LoadedService> {
  const whole = await startApi({ ...env, WORKER: 'on' });
  const client = new CheckingClient(plan.spans === undefined);
  const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin');
  const today = { created_at: now.toInstant().toString(), processed_through: now.toPlainDate().toString() };
  const customers: Customer[] = [];
  for (const size of plan.sizes) customers.push({ ...(await makeTestCompany(db, today)), size });
  const [api, period] = await Promise.all([startApi(env), settle(db, whole, client, customers)]);
  return { db, processes: { whole, api }, customers, client, period };
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
      spans: undefined,
      restMs: 0,
    },
  },
  run: (plan, context) => withFixture(async (fixture) => measure(await prepare(fixture, plan), plan, context)),
};
