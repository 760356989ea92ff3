import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, info, type Metric, none } from '../../harness/metrics.ts';
import { startWorkerProcess, type WorkerProcess } from '../../harness/processes.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom, type Random } from '../../src/demo/random.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { JobProbe } from '../support/job-probe.ts';
import { kinds, OutageLoad, type Outcome } from '../support/outage-load.ts';
import { type Stage, withStage } from '../support/stage.ts';
import { findLostWrites } from '../support/stored-rosters.ts';
import { DatabaseWire } from './proxy.ts';

interface Fault {
  name: string;
  /** Causes the fault. The fault lasts until the promise resolves. */
  cause(proxy: DatabaseWire, random: Random): Promise<void>;
  /** How many seconds after the fault every request must succeed again and jobs must be done. */
  recoverySeconds: number;
}

interface FaultPlan {
  faults: Fault[];
  /** The number of clients of each kind. */
  width: number;
  charges: number;
  /** How long no request may fail before the fault counts as over. */
  steadyMs: number;
  /** The longest time a request may take, whatever the connection does. */
  requestSeconds: number;
  healthSeconds: number;
  /** The limit for syncs whose job was interrupted. They also wait for the queue's supervision. */
  interruptedSeconds: number;
}

const resets = (times: number, recoverySeconds: number): Fault => ({
  name: 'reset',
  recoverySeconds,
  async cause(proxy, random) {
    for (let number = 0; number < times; number++) {
      proxy.reset();
      await sleep(random.int(50, 400));
    }
  },
});

const during = (mode: 'slow' | 'refuse' | 'black hole', seconds: number, recoverySeconds: number): Fault => ({
  name: `${mode} for ${seconds} s`,
  recoverySeconds,
  async cause(proxy) {
    await proxy.set(mode);
    await sleep(seconds * 1_000);
    await proxy.set('pass');
  },
});

const halfOpen = (ended: 'service' | 'database', which: 'all' | 'idle', recoverySeconds: number): Fault => ({
  name: `half open (${which} ended towards the ${ended})`,
  recoverySeconds,
  cause: async (proxy) => proxy.halfOpen(ended, which),
});

interface Cast {
  stage: Stage;
  proxy: DatabaseWire;
  load: OutageLoad;
  probe: JobProbe;
  worker: WorkerProcess;
  hasApiEnded(): boolean;
  plan: FaultPlan;
}

const patienceSeconds = 150;

/**
 * Returns the seconds until nothing fails any more. This is the last failure or, if later, the start of the first
 * successful request of the slowest kind.
 */
async function untilSteady({ load, plan }: Cast, liftedAt: number): Promise<number> {
  const after = () => load.outcomes.filter(({ endedAt }) => endedAt >= liftedAt);
  const lastBad = () => Math.max(liftedAt, ...after().flatMap((one) => (one.result === 'done' ? [] : [one.endedAt])));
  const firstWell = () =>
    kinds.map((kind) => after().find((one) => one.kind === kind && one.begunAt >= liftedAt && one.result === 'done'));
  const isSteady = () =>
    Date.now() - lastBad() >= plan.steadyMs &&
    firstWell().every((outcome) => outcome !== undefined) &&
    [...load.underway].every(({ begunAt }) => begunAt >= liftedAt);
  if (!(await holdsWithin(patienceSeconds * 1_000, isSteady))) return Infinity;
  return (Math.max(lastBad(), ...firstWell().map((outcome) => outcome?.begunAt ?? Infinity)) - liftedAt) / 1_000;
}

/** Returns the seconds until every sync that was being applied at the end of the fault has its outcome. */
async function untilApplied({ stage: { db } }: Cast, liftedAt: number): Promise<number> {
  const listProcessing = async () => {
    const { rows } = await sql<{ id: number }>`select s.id from syncs s where s.state = 'processing'`.execute(db);
    return new Set(rows.map(({ id }) => id));
  };
  const interrupted = await listProcessing();
  const deadline = liftedAt + patienceSeconds * 1_000;
  while (Date.now() < deadline) {
    if (interrupted.isDisjointFrom(await listProcessing())) return (Date.now() - liftedAt) / 1_000;
    await sleep(50);
  }
  return Infinity;
}

/** Returns the request that took longest since the fault. The time an export took before the fault is not counted. */
const slowestOf = (outcomes: Outcome[], faultAt: number) =>
  outcomes
    .map((outcome) => ({ ...outcome, seconds: (outcome.endedAt - Math.max(faultAt, outcome.begunAt)) / 1_000 }))
    .reduce((slowest, outcome) => (outcome.seconds > slowest.seconds ? outcome : slowest));

async function suffer(cast: Cast, fault: Fault, random: Random, log: Context['log']): Promise<Metric[]> {
  const { load, proxy, probe, plan } = cast;
  await sleep(random.int(200, 600));
  const from = load.outcomes.length;
  const faultAt = Date.now();
  await fault.cause(proxy, random);
  const liftedAt = Date.now();
  const [answers, jobs, interrupted] = await Promise.all([
    untilSteady(cast, liftedAt),
    probe.measure(liftedAt, patienceSeconds),
    untilApplied(cast, liftedAt),
  ]);
  const outcomes = load.outcomes.slice(from);
  const count = (result: string) => outcomes.filter((outcome) => outcome.result === result).length;
  const slowest = slowestOf(
    outcomes.filter(({ kind }) => kind !== 'health'),
    faultAt,
  );
  const slowestHealth = slowestOf(
    outcomes.filter(({ kind }) => kind === 'health'),
    faultAt,
  );
  log(`${fault.name}: ${count('done')} well, ${count('unavailable')} refused, ${count('cut')} exports broken off`);
  log(`slowest: ${slowest.kind} for ${slowest.seconds} s (${slowest.result} ${slowest.detail})`);
  const name = (text: string) => `${fault.name}: ${text}`;
  return [
    atMost(name('slowest request, s'), slowest.seconds, plan.requestSeconds),
    atMost(name('slowest health check, s'), slowestHealth.seconds, plan.healthSeconds),
    atMost(name('requests well again, s'), answers, fault.recoverySeconds),
    atMost(name('jobs done again, s'), jobs, fault.recoverySeconds),
    atMost(name('interrupted syncs applied, s'), interrupted, plan.interruptedSeconds),
  ];
}

async function play(cast: Cast, { seed, log }: Context): Promise<Metric[]> {
  const { load, plan, stage, worker } = cast;
  const random = createRandom(seed);
  let isOver = false;
  const running = load.run(() => isOver, plan.width);
  const figures: Metric[] = [];
  try {
    for (const fault of plan.faults) figures.push(...(await suffer(cast, fault, random, log)));
  } finally {
    isOver = true;
  }
  await running;
  const odd = load.outcomes.filter(({ result }) => result === 'odd');
  for (const { kind, detail } of odd.slice(0, 20)) log(`${kind}: ${detail}`);
  return [
    ...figures,
    info('requests', load.outcomes.length),
    none('answers other than 2xx and a proper 503, and broken connections', odd.length),
    none('acknowledged writes lost', (await findLostWrites(stage.db, load)).length),
    none('processes that ended', Number(!worker.isRunning()) + Number(cast.hasApiEnded())),
  ];
}

const run = (plan: FaultPlan, scene: Context): Promise<Metric[]> =>
  withStage(async (stage) => {
    const proxy = await DatabaseWire.open(stage.databaseUrl);
    try {
      const api = await stage.startApi({ DATABASE_URL: proxy.url });
      let hasEnded = false;
      api.exited.then(() => {
        hasEnded = true;
      });
      const worker = await startWorkerProcess(proxy.url, stage.folder);
      try {
        const load = await OutageLoad.open(stage.db, api.url, plan.charges, createRandom(scene.seed + 1));
        const probe = await JobProbe.open(stage.db, api.url);
        return await play({ stage, proxy, load, probe, worker, hasApiEnded: () => hasEnded, plan }, scene);
      } finally {
        if (worker.isRunning()) await worker.end('SIGKILL');
      }
    } finally {
      await proxy.close();
    }
  });

export const connectionFaults: Scenario<FaultPlan> = {
  name: 'connection-faults',
  title: 'Connections to the database slow, reset, half open and swallowed',
  plans: {
    full: {
      faults: [
        resets(10, 10),
        during('refuse', 6, 10),
        during('slow', 10, 10),
        halfOpen('service', 'idle', 10),
        halfOpen('service', 'all', 35),
        halfOpen('database', 'all', 25),
        during('black hole', 6, 25),
        during('black hole', 40, 25),
      ],
      width: 2,
      charges: 20_000,
      steadyMs: 3_000,
      // Five seconds for a connection, twenty for a response, and one to detect the failure.
      requestSeconds: 26,
      healthSeconds: 2,
      interruptedSeconds: 60,
    },
    quick: {
      faults: [resets(2, 45), during('slow', 0.5, 45), halfOpen('service', 'idle', 45)],
      width: 1,
      charges: 2_000,
      steadyMs: 200,
      requestSeconds: 45,
      healthSeconds: 45,
      interruptedSeconds: 90,
    },
  },
  run,
};
