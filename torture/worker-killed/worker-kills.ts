import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import type { Interruptions } from './interruptions.ts';
import { findDocumentJobs, findWork, type Work } from './work-in-progress.ts';
import type { WorkerSlot } from './worker-slots.ts';

interface KillContext {
  db: Db;
  random: Random;
  slots: WorkerSlot[];
  interruptions: Interruptions;
  log: (line: string) => void;
}

/** What a worker should be doing when it is killed. */
type Aim = 'sync' | 'first of a month' | 'anything';

const isAt = (aim: Aim, work: Work | undefined) =>
  aim === 'sync' ? work?.syncs.length : work?.days.some(({ day }) => day.endsWith('-01'));

/** Returns a worker that is doing what the kill aims at. Returns a random worker if there is none in time. */
async function pickVictim({ db, random, slots }: KillContext, aim: Aim, withinMs: number): Promise<WorkerSlot> {
  const deadline = Date.now() + withinMs;
  while (aim !== 'anything' && Date.now() < deadline) {
    const work = await findWork(db);
    const victim = slots.find(({ user }) => isAt(aim, work.get(user)));
    if (victim !== undefined) return victim;
    await sleep(10);
  }
  return random.pick(slots);
}

async function kill({ db, interruptions, log }: KillContext, slot: WorkerSlot): Promise<void> {
  const work = (await findWork(db)).get(slot.user);
  const jobs = await findDocumentJobs(db);
  const atMs = Date.now();
  await slot.process.end('SIGKILL');
  const interrupted = await interruptions.note(work, jobs, atMs);
  log(`${new Date(atMs).toISOString()} killed ${slot.user} in the middle of: ${interrupted.join(', ') || 'nothing'}`);
}

/**
 * Kills one worker at a random moment. Usually another worker soon replaces it. Sometimes the remaining workers have to
 * do all the work.
 */
async function killOne(context: KillContext, aim: Aim, waitChance: number): Promise<void> {
  const { random, interruptions } = context;
  await sleep(random.int(0, 900));
  const slot = await pickVictim(context, aim, 20_000);
  await sleep(random.int(0, aim === 'sync' ? 400 : 100));
  await kill(context, slot);
  if (random.chance(0.1)) await interruptions.untilAllDone();
  else if (random.chance(0.5)) await sleep(random.int(0, 2_000));
  await slot.restart();
  if (random.chance(waitChance)) await interruptions.untilAllDone();
}

/**
 * Kills all workers, starting with one that is doing what the kill aims at, so that every active job belongs to a dead
 * worker. Ages the heartbeats of the jobs as if the queue's heartbeat timeout had passed.
 */
async function killAll(context: KillContext, aim: Aim): Promise<void> {
  const { db, slots, interruptions } = context;
  const first = await pickVictim(context, aim, 60_000);
  for (const slot of [first, ...slots.filter((other) => other !== first)]) await kill(context, slot);
  await sql`
    update queue.job set heartbeat_on = heartbeat_on - heartbeat_seconds * interval '1 s'
    where state = 'active'`.execute(db);
  await Promise.all(slots.map((slot) => slot.restart()));
  await interruptions.untilAllDone();
}

export interface Kills {
  count: number;
  /**
   * How many kills must interrupt a sync, and how many must interrupt a first of a month. More kills follow until both
   * are reached.
   */
  interrupted: number;
  /** The probability that the next kill waits until everything interrupted is done. Otherwise kills pile up. */
  waitChance: number;
  /** Kills all workers at once and skips the queue's heartbeat timeout. */
  killsAll: boolean;
}

/** Returns how many workers were killed. */
export async function causeKills(
  context: KillContext,
  { count, interrupted, waitChance, killsAll }: Kills,
): Promise<number> {
  const { random, slots, interruptions } = context;
  const missed = () =>
    (['sync', 'first of a month'] as const).filter((kind) => interruptions.count[kind] < interrupted);
  let killed = 0;
  while (killed < count || (missed().length > 0 && killed < count + 20)) {
    if (killsAll) {
      await killAll(context, missed().at(-1) ?? 'anything');
      killed += slots.length;
    } else {
      await killOne(
        context,
        random.pick(['sync', 'sync', 'first of a month', 'first of a month', 'anything']),
        waitChance,
      );
      killed += 1;
    }
  }
  return killed;
}
