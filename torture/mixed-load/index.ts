import { sql } from 'kysely';
import { atMost, info, type Metric, none } from '../../harness/metrics.ts';
import { startApi } from '../../harness/processes.ts';
import { type Samples, type Span, startSampling, watchProcess } from '../../harness/samples.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { connectDatabase, type Db } from '../../src/db/database.ts';
import { openEmbedded } from '../../src/db/embedded/index.ts';
import { createRandom } from '../../src/demo/random.ts';
import { firstOfNextMonth } from '../../src/domain/calendar.ts';
import { type Serving, withFolder } from '../../test/support/process.ts';
import { type Pace, repeat, Tally } from '../support/asking.ts';
import { untilSettled } from '../support/busy-service.ts';
import { type Customer, makeCustomer, pushNightly, pushRoster } from '../support/customers.ts';
import { runErrand } from '../support/errands.ts';
import { Visitor, visitPortal } from '../support/portal-visits.ts';
import { type Pair, type Rest, readConnections, rest } from './connections.ts';

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

interface Stage {
  db: Db;
  processes: Pair;
  customers: Customer[];
  tally: Tally;
  /** The month that is billed before the load begins. */
  period: string;
}

const originOf = ({ url }: Serving) => new URL(url).origin;

const settleMs = 300_000;

/**
 * Prepares the companies: applies their first roster, and bills and documents their first month. Returns that month.
 */
async function settle(db: Db, whole: Serving, tally: Tally, customers: Customer[]): Promise<string> {
  const roster = { syncId: 'first', version: 0 };
  await Promise.all(customers.map((customer) => pushRoster(tally, whole.url, customer, roster)));
  const [first] = customers;
  if (first === undefined) throw new Error('The plan has no company.');
  const visitor = new Visitor(tally, originOf(whole), first.person);
  await visitor.signIn();
  const month = firstOfNextMonth(await visitor.today());
  await visitor.travelTo(month);
  await untilSettled(db, settleMs);
  return month.toString();
}

interface Done {
  syncs: number;
  days: number;
  visits: number;
}

/** Runs integrations that read, HR systems that push, portal users, and daily runs, all concurrently. */
async function putLoad(stage: Stage, { readers, pauses }: Plan, seed: number, signal: AbortSignal): Promise<Done> {
  const { processes, customers, tally, period } = stage;
  const servings = [processes.whole, processes.api];
  const apis = servings.map(({ url }) => url);
  const done = { syncs: 0, days: 0, visits: 0 };
  let seeds = seed;
  const pace = (pauseMs: number): Pace => ({ random: createRandom(++seeds), pauseMs, signal });
  const reading = Array.from({ length: readers }, () => {
    const own = pace(pauses.readMs);
    const { random } = own;
    return repeat(own, () => {
      const { authorization } = random.pick(customers);
      return runErrand({ tally, random, api: random.pick(apis), authorization, period });
    });
  });
  const pushing = customers.map(async (customer) => {
    done.syncs += await pushNightly(tally, apis, customer, pace(pauses.pushMs));
  });
  const visits = pace(pauses.visitMs);
  const visiting = repeat(visits, async () => {
    const { random } = visits;
    const { person, integrationId } = random.pick(customers);
    await visitPortal(new Visitor(tally, originOf(random.pick(servings)), person), integrationId, period, random);
    done.visits += 1;
  });
  const days = pace(pauses.dayMs);
  const traveller = new Visitor(tally, originOf(processes.api), days.random.pick(customers).person);
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

async function watch<T>({ db, processes }: Stage, work: () => Promise<T>): Promise<[T, Watched]> {
  const whole = watchProcess(processes.whole.pid, sampleMs);
  const api = watchProcess(processes.api.pid, sampleMs);
  const connections = startSampling(sampleMs, () => readConnections(db));
  try {
    const answer = await work();
    return [answer, { whole: await whole.stop(), api: await api.stop(), connections: await connections.stop() }];
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

function tellMemory(name: string, samples: Samples, spans: Plan['spans']): Metric[] {
  if (spans === undefined) return [info(`${name}: memory at most, MB`, samples.highest('residentMb'))];
  const { first, last } = spans;
  return [
    info(`${name}: memory in minute 2, MB`, samples.median('residentMb', first)),
    info(`${name}: memory in the last minute, MB`, samples.median('residentMb', last)),
    atMost(`${name}: memory, last / minute 2`, samples.growth('residentMb', first, last), growthLimit),
  ];
}

function tellConnections(samples: Samples, spans: Plan['spans']): Metric[] {
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

const tellRest = (before: Rest, after: Rest): Metric[] => [
  info('connections at rest before', before.connections),
  atMost('connections at rest after', after.connections, before.connections + restTolerance),
  info('API and worker: open files at rest before', before.wholeFiles),
  atMost('API and worker: open files at rest after', after.wholeFiles, before.wholeFiles + restTolerance),
  info('second API: open files at rest before', before.apiFiles),
  atMost('second API: open files at rest after', after.apiFiles, before.apiFiles + restTolerance),
];

const linesOf = ({ output }: Serving) => output.stderr.split('\n').filter(Boolean);

async function measure(stage: Stage, plan: Plan, { seed, log }: Context): Promise<Metric[]> {
  const { db, tally, processes } = stage;
  const before = await rest(db, processes, plan.restMs);
  const askedBefore = tally.asked;
  const [done, { whole, api, connections }] = await watch(stage, () =>
    putLoad(stage, plan, seed, AbortSignal.timeout(plan.seconds * 1_000)),
  );
  const left = await untilSettled(db, settleMs);
  const after = await rest(db, processes, plan.restMs);
  const { rows } = await sql<{ jobs: number; documents: number }>`
    select (select count(*) from queue.job) as jobs, (select count(*) from documents where content is null) as documents`.execute(
    db,
  );
  const told = [...linesOf(processes.whole), ...linesOf(processes.api)];
  for (const line of [...tally.faults, ...told].slice(0, 20)) log(line);
  return [
    info('requests', tally.asked - askedBefore),
    info('rosters applied', done.syncs),
    info('visits of the portal', done.visits),
    info('days passed', done.days),
    info('documents written', rows[0]?.documents ?? 0),
    none('answers other than expected', tally.faults.length),
    info('requests repeated', tally.repeated),
    (plan.spans ? none : info)('warnings and errors in the logs', told.length),
    ...tellMemory('API and worker', whole, plan.spans),
    ...tellMemory('second API', api, plan.spans),
    ...tellConnections(connections, plan.spans),
    ...(plan.spans === undefined ? [] : tellRest(before, after)),
    none('jobs, rosters and documents that stay unfinished', left),
    info('jobs kept, finished ones for an hour', rows[0]?.jobs ?? 0),
  ];
}

interface Parts {
  db: Db;
  start(env: Record<string, string>): Promise<Serving>;
}

async function withDatabase<T>(folder: string, work: (parts: Parts) => Promise<T>): Promise<T> {
  const server = await openEmbedded({ dataDir: folder, role: 'serve' });
  const started: Serving[] = [];
  const start = async (env: Record<string, string>) => {
    const serving = await startApi(server.url, folder, {
      DATABASE_OWNER_URL: server.ownerUrl,
      LOG_LEVEL: 'warn',
      TIME_TRAVEL: 'portal',
      RATE_LIMIT_PER_MINUTE: '1000000',
      PORTAL_RATE_LIMIT_PER_MINUTE: '1000000',
      WALLET_RATE_LIMIT_PER_MINUTE: '1000000',
      INVITATION_RATE_LIMIT_PER_MINUTE: '1000000',
      HEAVY_REQUESTS_PER_KEY: '0',
      ...env,
    });
    started.push(serving);
    return serving;
  };
  const { db, close } = connectDatabase({ url: server.adminUrl, max: 2, applicationName: 'torture' });
  try {
    return await work({ db, start });
  } finally {
    await close();
    for (const serving of started) serving.signal('SIGTERM');
    for (const serving of started) await serving.exited;
    await server.stop();
  }
}

async function prepare({ db, start }: Parts, plan: Plan): Promise<Stage> {
  const whole = await start({ WORKER: 'on' });
  const tally = new Tally(plan.spans === undefined);
  const customers: Customer[] = [];
  for (const size of plan.sizes) customers.push(await makeCustomer(db, size));
  const [api, period] = await Promise.all([start({}), settle(db, whole, tally, customers)]);
  return { db, processes: { whole, api }, customers, tally, period };
}

export const mixedLoad: Scenario<Plan> = {
  name: 'mixed-load',
  title: 'Ten minutes of reads, rosters, portal and passing days at once, on two processes',
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
  run: (plan, scene) =>
    withFolder((folder) => withDatabase(folder, async (parts) => measure(await prepare(parts, plan), plan, scene))),
};
