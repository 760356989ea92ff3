import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../../harness/scenario.ts';
import type { Random } from '../../src/operator/demo/random.ts';
import type { Db } from '../../src/platform/db/database.ts';
import type { Fixture } from '../support/fixture.ts';
import { findWork, type Interruptions, type Kind } from './interruptions.ts';

export interface KillPlan {
  workers: number;
  /** How many workers to kill at least. */
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
export async function startWorkers({ db, urls, startWorker }: Fixture, count: number) {
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

/** Returns a worker that is doing this kind of work. Returns a random worker if there is none in time. */
async function pickVictim({ db, random, slots }: KillContext, aim: Kind | undefined): Promise<WorkerSlot> {
  for (const deadline = Date.now() + 60_000; aim !== undefined && Date.now() < deadline; await sleep(10)) {
    const work = await findWork(db);
    const victim = slots.find((slot) => work.some(({ user, kind }) => user === slot.user && kind === aim));
    if (victim !== undefined) return victim;
  }
  return random.pick(slots);
}

/** Kills one worker. Usually another soon replaces it. Sometimes the remaining workers have to do all the work. */
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

/** Kills workers at random moments. Returns how many were killed. */
export async function killWorkers(context: KillContext, plan: KillPlan): Promise<number> {
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
