import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, info, type Metric, none } from '../harness/metrics.ts';
import { startWorkerProcess, type WorkerProcess } from '../harness/processes.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import { createRandom } from '../src/demo/random.ts';
import { holdsWithin } from '../test/support/until.ts';
import { JobProbe } from './support/job-probe.ts';
import { kinds, OutageLoad } from './support/outage-load.ts';
import { type Stage, withStage } from './support/stage.ts';
import { findLostWrites, replay, untilApplied } from './support/stored-rosters.ts';
import { verifyCompany } from './support/verify.ts';

interface StopPlan {
  stops: number;
  /** The longest time the database stays stopped. */
  awayMs: number;
  charges: number;
  healthyWithinSeconds: number;
  /** How long the worker may take, after the last outage, to apply everything that was accepted. */
  settleMs: number;
}

/** One stop of the database, from the crash until the service is healthy again. */
interface Outage {
  crashedAt: number;
  stoppedAt: number;
  awayMs: number;
  answersSeconds: number;
  jobsSeconds: number;
  healthyAt: number;
}

const shortOfHealthSeconds = 60;

/**
 * Returns the seconds from the start of the database until the last refusal has ended and a request of every kind has
 * begun that succeeds. How long a large export takes after that is not counted, because it depends on its reader.
 */
async function untilAnswered({ outcomes }: OutageLoad, startedAt: number): Promise<number> {
  const since = () => outcomes.filter(({ begunAt }) => begunAt >= startedAt);
  const firstWell = () => kinds.map((kind) => since().find((one) => one.kind === kind && one.result === 'done'));
  await holdsWithin(shortOfHealthSeconds * 1_000, () => firstWell().every((outcome) => outcome !== undefined));
  const well = firstWell().map((outcome) => outcome?.begunAt ?? Infinity);
  const refused = since().flatMap(({ result, endedAt }) => (result === 'done' ? [] : [endedAt]));
  return (Math.max(...well, ...refused) - startedAt) / 1_000;
}

async function stopOnce({ stage: { postgres }, load, probe }: Cast, awayMs: number): Promise<Outage> {
  const crashedAt = Date.now();
  await postgres.crash();
  const stoppedAt = Date.now();
  await sleep(awayMs);
  await postgres.start();
  const startedAt = Date.now();
  const [answersSeconds, jobsSeconds] = await Promise.all([
    untilAnswered(load, startedAt),
    probe.measure(startedAt, shortOfHealthSeconds),
  ]);
  return { crashedAt, stoppedAt, awayMs, answersSeconds, jobsSeconds, healthyAt: Date.now() };
}

/** Returns the requests that began after the service was healthy again and failed although the database was running. */
const refusedInHealth = ({ outcomes }: OutageLoad, outages: Outage[]) =>
  outages.flatMap(({ healthyAt }, index) => {
    const end = outages[index + 1]?.crashedAt ?? Infinity;
    return outcomes.filter(({ begunAt, endedAt, result }) => begunAt > healthyAt && endedAt < end && result !== 'done');
  });

/**
 * Returns the requests that got anything but 503 between the end of the old server and the start of the new one. No
 * request can succeed in that time.
 */
const wellWhileAway = ({ outcomes }: OutageLoad, outages: Outage[]) =>
  outages.flatMap(({ stoppedAt, awayMs }) =>
    outcomes.filter(
      (one) => one.begunAt > stoppedAt && one.endedAt < stoppedAt + awayMs && one.result !== 'unavailable',
    ),
  );

interface Cast {
  stage: Stage;
  load: OutageLoad;
  probe: JobProbe;
  worker: WorkerProcess;
  hasApiEnded(): boolean;
}

async function causeOutages(cast: Cast, plan: StopPlan, { seed, log }: Context): Promise<Outage[]> {
  const random = createRandom(seed);
  const outages: Outage[] = [];
  for (let number = 1; number <= plan.stops; number++) {
    await sleep(random.int(300, 2_000));
    const outage = await stopOnce(cast, random.int(100, plan.awayMs));
    outages.push(outage);
    const { answersSeconds, jobsSeconds } = outage;
    log(`stop ${number}: answers after ${answersSeconds.toFixed(1)} s, jobs after ${jobsSeconds.toFixed(1)} s`);
  }
  return outages;
}

/** Waits until everything accepted is applied. Returns an error if the company does not match its rosters. */
async function findWrongCompanies({ stage: { db }, load, worker }: Cast, { settleMs }: StopPlan): Promise<string[]> {
  const company = await replay(db, { ...load.customer, sent: load.sent });
  await untilApplied(db, worker, settleMs);
  await sql`analyze`.execute(db);
  return verifyCompany(db, company).then(
    () => [],
    (error) => [error.message],
  );
}

async function play(cast: Cast, plan: StopPlan, scene: Context): Promise<Metric[]> {
  const { stage, load } = cast;
  let isOver = false;
  const running = load.run(() => isOver);
  const outages = await causeOutages(cast, plan, scene).finally(() => {
    isOver = true;
  });
  await running;
  const wrong = await findWrongCompanies(cast, plan);
  const lost = await findLostWrites(stage.db, load);
  const odd = load.outcomes.filter(({ result }) => result === 'odd');
  for (const { kind, detail } of odd.slice(0, 20)) scene.log(`${kind}: ${detail}`);
  for (const line of [...wrong, ...lost].slice(0, 20)) scene.log(line);
  const count = (result: string) => load.outcomes.filter((outcome) => outcome.result === result).length;
  const { healthyWithinSeconds } = plan;
  return [
    info('stops', plan.stops),
    info('requests answered well', count('done')),
    info('requests answered 503', count('unavailable')),
    info('exports broken off in their middle', count('cut')),
    none('other answers and broken connections', odd.length),
    none('answers other than 503 while the database was away', wellWhileAway(load, outages).length),
    none('requests refused while the database was there and well', refusedInHealth(load, outages).length),
    atMost(
      'answers well after the start, s',
      Math.max(...outages.map((one) => one.answersSeconds)),
      healthyWithinSeconds,
    ),
    atMost(
      'jobs done again after the start, s',
      Math.max(...outages.map((one) => one.jobsSeconds)),
      healthyWithinSeconds,
    ),
    info('writes acknowledged', load.acknowledgedSyncs.size + load.acknowledgedKeys.size),
    none('acknowledged writes lost', lost.length),
    none('companies that are not as their rosters say', wrong.length),
    none('processes that ended', Number(!cast.worker.isRunning()) + Number(cast.hasApiEnded())),
  ];
}

const run = (plan: StopPlan, scene: Context): Promise<Metric[]> =>
  withStage(async (stage) => {
    const api = await stage.startApi();
    let hasEnded = false;
    api.exited.then(() => {
      hasEnded = true;
    });
    const worker = await startWorkerProcess(stage.databaseUrl, stage.folder);
    try {
      const load = await OutageLoad.open(stage.db, api.url, plan.charges, createRandom(scene.seed + 1));
      const probe = await JobProbe.open(stage.db, api.url);
      return await play({ stage, load, probe, worker, hasApiEnded: () => hasEnded }, plan, scene);
    } finally {
      if (worker.isRunning()) await worker.end('SIGKILL');
    }
  });

export const postgresStopped: Scenario<StopPlan> = {
  name: 'postgres-stopped',
  title: 'PostgreSQL stopped immediately and started again under reads and writes',
  plans: {
    full: { stops: 20, awayMs: 3_000, charges: 5_000, healthyWithinSeconds: 10, settleMs: 300_000 },
    quick: { stops: 1, awayMs: 300, charges: 2_000, healthyWithinSeconds: 45, settleMs: 45_000 },
  },
  run,
};
