import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atLeast, atMost, info, type Metric, none, noneOf } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom, type Random } from '../../src/operator/demo/random.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { compareFiles, expectAfter, findWrongCompanies, verifyPushes } from '../support/verify.ts';
import { findDifferences, listRows, makePopulation, type Population, runStreams, type StreamPlan } from './streams.ts';

export type Kind = 'sync' | 'first of a month' | 'other day' | 'documents';

/** Something a worker is doing: a sync, a day (`of`) of a company, or a try (`of`) of a job that writes documents. */
interface Work {
  kind: Kind;
  id: string;
  of: string;
  /** The database user of the worker. Null for documents: the queue does not record which worker writes them. */
  user: string | null;
}

/** Returns what workers are doing, as far as locks and jobs show. A sync also processes missed days. */
async function findWork(db: Db): Promise<Work[]> {
  const { rows } = await sql<Work>`
    with held as (
      select l.pid, a.usename as user, l.classid::bigint << 32 | l.objid::bigint as key
      from pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.granted
    ), applying as (
      select h.pid, h.user, s.id from held h
      join syncs s on h.key = hashtextextended('sync ' || s.company_id || ' ' || s.hr_integration_id, 0)
      where s.state = 'processing'
    )
    select a.user, 'sync' as kind, a.id::text as id, '' as of from applying a
    union all
    select h.user, case extract(day from c.processed_through + 1) when 1 then 'first of a month' else 'other day' end,
      c.id::text, (c.processed_through + 1)::text
    from held h join companies c on h.key = hashtextextended('company ' || c.id, 0)
    where not exists (select from applying a where a.pid = h.pid) and c.processed_through < (
      select (now() + e.clock_ahead_seconds * interval '1 s') at time zone c.time_zone from environment e)::date
    union all
    select null, 'documents', id::text, retry_count::text from queue.job
    where name = 'write-documents' and state = 'active'`.execute(db);
  return rows;
}

/** `gone`: the kill interrupted nothing, because the worker on this job had finished it. */
type Progress = 'open' | 'done' | 'gone';
type Interruption = Work & { atMs: number };

async function readProgress(db: Db, { kind, id, of, atMs }: Interruption): Promise<Progress> {
  const ofSync = sql<{ progress: Progress }>`
    select case when state in ('accepted', 'processing') then 'open' else 'done' end as progress
    from syncs where id::text = ${id}`;
  const ofDay = sql<{ progress: Progress }>`
    select case when processed_through < ${of}::date then 'open' else 'done' end as progress
    from companies where id::text = ${id}`;
  const ofJob = sql<{ progress: Progress }>`
    select case
      when j.retry_count = ${of}::integer and j.state not in ('active', 'retry') then 'gone'
      when j.retry_count = ${of}::integer and j.state = 'active' then 'open'
      when exists (select from queue.job k where k.name = j.name and k.group_id = j.group_id
        and k.started_on > to_timestamp(${atMs}::float8 / 1000)) then 'done'
      else 'open' end as progress
    from queue.job j where j.name = 'write-documents' and j.id::text = ${id}`;
  const { rows } = await (kind === 'sync' ? ofSync : kind === 'documents' ? ofJob : ofDay).execute(db);
  return rows[0]?.progress ?? 'gone';
}

/** Records what kills interrupted and how long each item took since. From outside: the service's clock travels. */
export function watchInterruptions(db: Db) {
  const open = new Map<string, Interruption>();
  const noted: Kind[] = [];
  const done: { kind: Kind; seconds: number }[] = [];
  const over = new AbortController();
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(50)) {
      for (const [key, item] of open) {
        const progress = await readProgress(db, item);
        // A later kill may have interrupted it again in the meantime.
        if (progress === 'open' || open.get(key) !== item) continue;
        open.delete(key);
        if (progress === 'gone') continue;
        done.push({ kind: item.kind, seconds: (Date.now() - item.atMs) / 1_000 });
        if (item.kind === 'documents') noted.push('documents');
      }
    }
  })();
  return {
    /** Records the work of a worker that has ended. Returns what it had not done. Documents show that when resumed. */
    async note(work: Work[], atMs: number): Promise<Kind[]> {
      const kinds: Kind[] = [];
      for (const item of work.map((one) => ({ ...one, atMs }))) {
        const isOpen = (await readProgress(db, item)) === 'open';
        if (isOpen || item.kind === 'documents') open.set(`${item.kind} ${item.id} ${item.of}`, item);
        if (isOpen && item.kind !== 'documents') kinds.push(item.kind);
      }
      noted.push(...kinds);
      return kinds;
    },
    /** Returns how many kills interrupted this kind of work. For documents, how many of them workers resumed. */
    count: (kind: Kind) => noted.filter((one) => one === kind).length,
    countOpen: () => open.size,
    slowest: (...kinds: Kind[]) =>
      Math.max(0, ...done.flatMap(({ kind, seconds }) => (kinds.includes(kind) ? seconds : []))),
    untilAllDone: () => holdsWithin(60_000, () => open.size === 0),
    async stop() {
      over.abort();
      await watching;
    },
  };
}

export type Interruptions = ReturnType<typeof watchInterruptions>;

interface KillPlan {
  workers: number;
  count: number;
  /** How many kills must interrupt a sync, and how many a first of a month. More kills follow until both are reached. */
  interrupted: number;
  /** The probability that the next kill waits until everything interrupted is done. Otherwise kills pile up. */
  waitChance: number;
  /** Skips the queue's heartbeat timeout. Only for one worker, because then every active job belongs to a dead one. */
  skipsTimeout?: boolean;
  /** The longest time between finding a worker at a sync or at a day, and killing it. */
  delayMs: { sync: number; day: number };
}

/** Starts the workers. Each signs in as its own database user, so that the database shows which worker does what. */
async function startWorkers({ db, urls, startWorker }: Fixture, count: number) {
  const service = new URL(urls.url).username;
  const slots = [];
  for (let number = 1; number <= count; number++) {
    const user = `worker_${number}`;
    await sql`create role ${sql.id(user)} login password ${sql.lit(user)} in role ${sql.id(service)}`.execute(db);
    const { href } = Object.assign(new URL(urls.url), { username: user, password: user });
    const start = () => startWorker(href);
    slots.push({ user, start, process: await start() });
  }
  return slots;
}

type WorkerSlot = Awaited<ReturnType<typeof startWorkers>>[number];

interface KillContext {
  db: Db;
  random: Random;
  slots: WorkerSlot[];
  interruptions: Interruptions;
  log: Context['log'];
}

async function pickVictim({ db, random, slots }: KillContext, aim: Kind | undefined): Promise<WorkerSlot> {
  for (const deadline = Date.now() + 60_000; aim !== undefined && Date.now() < deadline; await sleep(10)) {
    const work = await findWork(db);
    const victim = slots.find((slot) => work.some(({ user, kind }) => user === slot.user && kind === aim));
    if (victim !== undefined) return victim;
  }
  return random.pick(slots);
}

async function killOne(context: KillContext, aim: Kind | undefined, plan: KillPlan): Promise<void> {
  const { db, random, slots, interruptions, log } = context;
  const slot = await pickVictim(context, aim);
  await sleep(random.int(0, aim === 'sync' ? plan.delayMs.sync : plan.delayMs.day));
  const work = (await findWork(db)).filter(({ user }) => user === slot.user || user === null);
  const atMs = Date.now();
  await slot.process.end('SIGKILL');
  const interrupted = await interruptions.note(work, atMs);
  log(`${new Date(atMs).toISOString()} killed ${slot.user} in the middle of: ${interrupted.join(', ') || 'nothing'}`);
  if (plan.skipsTimeout) {
    await sql`
      update queue.job set heartbeat_on = heartbeat_on - heartbeat_seconds * interval '1 s'
      where state = 'active'`.execute(db);
  }
  if (slots.length > 1 && random.chance(0.1)) await interruptions.untilAllDone();
  else if (random.chance(0.5)) await sleep(random.int(0, 2_000));
  slot.process = await slot.start();
  if (random.chance(plan.waitChance)) await interruptions.untilAllDone();
}

async function killWorkers(context: KillContext, plan: KillPlan): Promise<number> {
  const { random, interruptions } = context;
  const missed = () =>
    (['sync', 'first of a month'] as const).filter((kind) => interruptions.count(kind) < plan.interrupted);
  let killed = 0;
  for (; killed < plan.count || (missed().length > 0 && killed < plan.count + 20); killed++) {
    const aims = ['sync', 'sync', 'first of a month', 'first of a month', undefined] as const;
    await sleep(random.int(0, 900));
    await killOne(context, killed < plan.count ? random.pick(aims) : missed().at(-1), plan);
  }
  return killed;
}

interface Plan extends StreamPlan {
  kills: KillPlan;
  limitSeconds: number;
}

async function compare({ db, folder }: Fixture, population: Population, { log }: Context): Promise<Metric[]> {
  const { clock, subscribers, workforce, others } = population;
  const { companyId } = subscribers.company;
  const wrong = await findWrongCompanies(db, others, ({ acknowledged }) => acknowledged);
  // Its employees are compared below, because their state depends on the day.
  const expectedPushes = expectAfter(subscribers, subscribers.acknowledged);
  await verifyPushes(db, expectedPushes).catch((error: Error) => wrong.push(error.message));
  const unexpected = [subscribers, ...others].flatMap((pusher) => pusher.unexpected);
  const expected = workforce.expectedIn(clock.month());
  const { missing, unknown } = await compareFiles(db, join(folder, 'documents'));
  const differences = findDifferences(expected, await listRows(db, companyId));
  const ofKind = (kind: string) => differences.filter((line) => line.startsWith(`${kind} `));
  const differing = (name: string, kind: string) => noneOf(name, ofKind(kind), log);
  return [
    info('months processed, each with its tickets, charges and documents', clock.month()),
    info('tickets issued', expected.filter((line) => line.startsWith('ticket ')).length),
    noneOf('rosters refused', unexpected, log),
    noneOf('companies whose syncs or employees differ from the rosters', wrong, log),
    differing('subscriptions lost, duplicated or wrong', 'subscription'),
    differing('tickets lost or duplicated', 'ticket'),
    differing('charges lost, duplicated or wrong', 'charge'),
    differing('documents lost or duplicated', 'document'),
    none('documents without file, files without document', missing.length + unknown),
    differing('days processed twice', 'day'),
    differing('totals that differ from the sum of their items', 'total'),
    differing('jobs failed for good', 'job'),
  ];
}

function killMetrics(killed: number, interruptions: Interruptions, { kills, limitSeconds }: Plan): Metric[] {
  const slowest = (name: string, ...kinds: Kind[]) =>
    atMost(`slowest ${name}, s`, interruptions.slowest(...kinds), limitSeconds);
  return [
    atLeast('workers killed', killed, kills.count),
    atLeast('in the middle of a sync', interruptions.count('sync'), kills.interrupted),
    atLeast('in the middle of a first of a month', interruptions.count('first of a month'), kills.interrupted),
    info('in the middle of another day', interruptions.count('other day')),
    info('in the middle of documents', interruptions.count('documents')),
    none('interrupted and never resumed', interruptions.countOpen()),
    slowest('sync, from the kill to its outcome', 'sync'),
    slowest('day, from the kill to its end', 'first of a month', 'other day'),
    slowest('documents, from the kill until resumed', 'documents'),
  ];
}

async function run(fixture: Fixture, plan: Plan, context: Context): Promise<Metric[]> {
  const { db } = fixture;
  const { seed, log } = context;
  const population = await makePopulation(fixture, plan, seed);
  const interruptions = watchInterruptions(db);
  try {
    const slots = await startWorkers(fixture, plan.kills.workers);
    const kills = { db, random: createRandom(seed), slots, interruptions, log };
    const { killed, halted } = await runStreams(population, plan, () => killWorkers(kills, plan.kills));
    await interruptions.untilAllDone();
    return [
      ...killMetrics(killed, interruptions, plan),
      noneOf('streams that came to a halt', halted, log),
      none('workers that ended by themselves', slots.filter(({ process }) => !process.isRunning()).length),
      ...(await compare(fixture, population, context)),
    ];
  } finally {
    await interruptions.stop();
    await population.clock.stop();
  }
}

export const workerKilled: Scenario<Plan> = {
  name: 'worker-killed',
  title: 'Workers killed with SIGKILL during a stream of syncs, daily runs and billing runs',
  plans: {
    full: {
      largeSize: 10_000,
      pending: [0, 3],
      subscribers: 1_000,
      kills: { workers: 2, count: 100, interrupted: 10, delayMs: { sync: 400, day: 100 }, waitChance: 0.5 },
      limitSeconds: 30,
    },
    quick: {
      largeSize: 1_000,
      pending: [0],
      subscribers: 60,
      kills: { workers: 1, count: 1, interrupted: 1, delayMs: { sync: 0, day: 0 }, waitChance: 1, skipsTimeout: true },
      limitSeconds: 120,
    },
  },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
