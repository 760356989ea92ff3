import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, type Figure, stated } from '../bench/figures.ts';
import type { Scene, Trial } from '../bench/trial.ts';
import { connectDatabase, type Db } from '../src/db/database.ts';
import { createRandom, type Random } from '../src/demo/random.ts';
import { type Serving, withFolder } from '../test/support/process.ts';
import { makePushingCompany, type PushingCompany } from './support/company.ts';
import { type OwnPostgres, startOwnPostgres } from './support/postgres.ts';
import { startApi, startWorkerProcess, type WorkerProcess } from './support/processes.ts';
import { verifyCompany } from './support/verify.ts';

interface FaultPlan {
  kills: number;
  databaseStops: number;
  /** Entries of the large rosters, in whose middle most faults fall. */
  largeSize: number;
  /** How likely the next fault waits until the last one is got over; without it faults pile up. */
  patience: number;
}

interface Hit {
  kind: 'worker' | 'database';
  atMs: number;
  syncKeys: number[];
}

interface Recovery {
  kind: Hit['kind'];
  seconds: number;
}

interface FaultReport {
  syncs: number;
  kills: number;
  databaseStops: number;
  retriedRequests: number;
  /** Of every sync that was interrupted while it was applied: from the last interruption to its outcome. */
  recoveries: Recovery[];
  seconds: number;
}

const recoveryLimitSeconds = 30;
/**
 * One company waits for each outcome: nothing but the queue's own supervision finds its interrupted sync. The other has
 * several on the way, each with a job that finds what was interrupted before it.
 */
const pendingOf = [0, 3];

/** Workers sign in as different users, so that the database tells who applies what. */
interface Slot {
  user: string;
  url: string;
  process: WorkerProcess | undefined;
}

interface SceneParts {
  postgres: OwnPostgres;
  db: Db;
  folder: string;
  slots: Slot[];
  log: (line: string) => void;
}

class Stage {
  readonly hits: Hit[] = [];
  readonly random: Random;
  readonly #parts: SceneParts;

  constructor(random: Random, parts: SceneParts) {
    this.random = random;
    this.#parts = parts;
  }

  /** Asks the database also while it is away. */
  async #ask<T>(question: (db: Db) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await question(this.#parts.db);
      } catch (error) {
        if (tries > 200) throw error;
        await sleep(100);
      }
    }
  }

  /** The syncs that a worker, or any of them, is just applying. */
  #findApplying(user: string | null): Promise<number[]> {
    return this.#ask(async (db) => {
      const { rows } = await sql<{ id: number }>`
        select s.id from syncs s where s.state = 'processing' and exists (
          select from pg_locks l join pg_stat_activity a using (pid)
          where l.locktype = 'advisory' and l.granted and a.usename = coalesce(${user}, a.usename)
            and (l.classid::bigint << 32 | l.objid::bigint) =
              hashtextextended('sync ' || s.company_id || ' ' || s.hr_integration_id, 0))`.execute(db);
      return rows.map(({ id }) => id);
    });
  }

  async #waitUntilApplying(user: string | null, withinMs: number): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (Date.now() < deadline && (await this.#findApplying(user)).length === 0) await sleep(20);
  }

  async startWorker(slot: Slot): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        slot.process = await startWorkerProcess(slot.url, this.#parts.folder);
        return;
      } catch (error) {
        if (tries > 20) throw error;
        await sleep(250);
      }
    }
  }

  async #pickVictim(): Promise<Slot> {
    const { slots } = this.#parts;
    if (!this.random.chance(0.85)) return this.random.pick(slots);
    await this.#waitUntilApplying(null, 4_000);
    for (const slot of slots) if ((await this.#findApplying(slot.user)).length > 0) return slot;
    return this.random.pick(slots);
  }

  async killWorker(): Promise<void> {
    await sleep(this.random.int(0, 900));
    const slot = await this.#pickVictim();
    await sleep(this.random.int(0, 300));
    const syncKeys = await this.#findApplying(slot.user);
    this.hits.push({ kind: 'worker', atMs: Date.now(), syncKeys });
    await slot.process?.end('SIGKILL');
    this.#parts.log(
      `${new Date().toISOString()} killed ${slot.user} while it applied ${syncKeys.length ? `sync ${syncKeys}` : 'nothing'}`,
    );
    if (this.random.chance(0.5)) await sleep(this.random.int(0, 2_000));
    await this.startWorker(slot);
  }

  async stopDatabase(): Promise<void> {
    await this.#waitUntilApplying(null, 4_000);
    await sleep(this.random.int(0, 900));
    const syncKeys = await this.#findApplying(null);
    await this.#parts.postgres.crash();
    this.#parts.log(`${new Date().toISOString()} stopped the database while sync ${syncKeys} was applied`);
    await sleep(this.random.int(100, 1_500));
    await this.#parts.postgres.start();
    this.hits.push({ kind: 'database', atMs: Date.now(), syncKeys });
  }

  async waitUntilRecovered(): Promise<void> {
    const keys = this.hits.at(-1)?.syncKeys ?? [];
    const deadline = Date.now() + 2 * recoveryLimitSeconds * 1_000;
    while (Date.now() < deadline && (await this.#finishTimes(keys)).size < new Set(keys).size) await sleep(100);
  }

  #finishTimes(syncKeys: number[]): Promise<Map<number, number>> {
    return this.#ask(async (db) => {
      const { rows } = await sql<{ id: number; ms: number }>`
        select s.id, extract(epoch from s.finished_at)::float8 * 1000 as ms from syncs s
        where s.id = any(${syncKeys}) and s.finished_at is not null`.execute(db);
      return new Map(rows.map(({ id, ms }) => [id, ms]));
    });
  }

  async measureRecoveries(): Promise<Recovery[]> {
    const finishedAt = await this.#finishTimes(this.hits.flatMap(({ syncKeys }) => syncKeys));
    const lastHits = new Map<number, Hit>();
    for (const hit of this.hits) {
      for (const key of hit.syncKeys) if (hit.atMs < (finishedAt.get(key) ?? Infinity)) lastHits.set(key, hit);
    }
    return [...lastHits].map(([key, { kind, atMs }]) => ({
      kind,
      seconds: ((finishedAt.get(key) ?? Infinity) - atMs) / 1_000,
    }));
  }
}

/** The faults in a random order, one after another. */
async function causeFaults(stage: Stage, { kills, databaseStops, patience }: FaultPlan): Promise<void> {
  const faults = [...Array(kills).fill('kill'), ...Array(databaseStops).fill('stop')];
  for (const fault of stage.random.shuffle(faults)) {
    await (fault === 'kill' ? stage.killWorker() : stage.stopDatabase());
    if (stage.random.chance(patience)) await stage.waitUntilRecovered();
  }
}

/** Until the faults are over; then all that was accepted is waited for. */
async function pushRosters(
  company: PushingCompany,
  { largeSize, seed }: { largeSize: number; seed: number },
  maxPending: number,
  isOver: () => boolean,
): Promise<void> {
  const random = createRandom(seed * 7 + company.integrationId);
  for (let number = 0; number < 4 || !isOver(); number++) {
    await company.push(number % 3 === 1 ? largeSize : random.int(150, 600));
    await company.waitFor(isOver() ? 0 : maxPending);
  }
  await company.waitFor(0);
}

async function openSlots(db: Db, url: string): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (const user of ['worker_one', 'worker_two']) {
    await sql`create role ${sql.id(user)} superuser login password ${sql.lit(user)}`.execute(db);
    slots.push({ user, url: Object.assign(new URL(url), { username: user, password: user }).href, process: undefined });
  }
  return slots;
}

async function playFaults(
  plan: FaultPlan,
  { seed, log }: Scene,
  folder: string,
  postgres: OwnPostgres,
  api: Serving,
): Promise<FaultReport> {
  const begun = Date.now();
  const { db, close } = connectDatabase({ url: postgres.url, max: 4, applicationName: 'faults' });
  const slots = await openSlots(db, postgres.url);
  try {
    const random = createRandom(seed);
    const stage = new Stage(random, { postgres, db, folder, slots, log });
    for (const slot of slots) await stage.startWorker(slot);
    const companies = [1, 2].map((number) => makePushingCompany(db, api.url, createRandom(seed + number)));
    const pushing = await Promise.all(companies);
    let isOver = false;
    const faults = causeFaults(stage, plan).finally(() => {
      isOver = true;
    });
    await Promise.all([
      faults,
      ...pushing.map((company, index) =>
        pushRosters(company, { largeSize: plan.largeSize, seed }, pendingOf[index] ?? 0, () => isOver),
      ),
    ]);
    for (const company of pushing) await verifyCompany(db, company);
    for (const { process } of slots) assert.ok(process?.isRunning(), `a worker ended by itself: ${process?.errors()}`);
    const recoveries = await stage.measureRecoveries();
    const worst = Math.max(0, ...recoveries.map(({ seconds }) => seconds));
    assert.ok(worst <= recoveryLimitSeconds, `an interrupted sync took ${worst} s`);
    return {
      syncs: pushing.reduce((sum, { expected }) => sum + expected.size, 0),
      kills: plan.kills,
      databaseStops: plan.databaseStops,
      retriedRequests: pushing.reduce((sum, { retries }) => sum + retries(), 0),
      recoveries,
      seconds: (Date.now() - begun) / 1_000,
    };
  } finally {
    for (const { process } of slots) if (process?.isRunning()) await process.end('SIGKILL');
    await close();
  }
}

/**
 * Real processes on a real database, of which the workers are killed and the database is crashed while two companies push
 * one roster after another. Rejects unless everything accepted has happened exactly once.
 */
function runFaults(plan: FaultPlan, scene: Scene): Promise<FaultReport> {
  return withFolder(async (folder) => {
    const postgres = await startOwnPostgres(folder);
    try {
      const api = await startApi(postgres.url, folder);
      try {
        return await playFaults(plan, scene, folder, postgres, api);
      } finally {
        api.signal('SIGKILL');
        await api.exited;
      }
    } finally {
      await postgres.stop();
    }
  });
}

const slowest = (recoveries: Recovery[], kind: Recovery['kind']) =>
  Math.max(0, ...recoveries.filter((recovery) => recovery.kind === kind).map(({ seconds }) => seconds));

const tell = (report: FaultReport): Figure[] => [
  stated('syncs accepted, each applied once and in order', report.syncs),
  stated('workers killed', report.kills),
  stated('database crashes', report.databaseStops),
  stated('requests repeated', report.retriedRequests),
  atMost('slowest recovery from a kill, s', slowest(report.recoveries, 'worker'), recoveryLimitSeconds),
  atMost('slowest recovery from a crash, s', slowest(report.recoveries, 'database'), recoveryLimitSeconds),
];

export const workerKilled: Trial<FaultPlan> = {
  name: 'worker-killed',
  title: 'Workers killed with SIGKILL during a stream of syncs',
  plans: {
    full: { kills: 100, databaseStops: 0, largeSize: 20_000, patience: 0.5 },
    quick: { kills: 4, databaseStops: 1, largeSize: 3_000, patience: 0 },
  },
  run: async (plan, scene) => tell(await runFaults(plan, scene)),
};
