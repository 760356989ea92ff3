import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, info, type Metric, none } from '../harness/metrics.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import { createRandom } from '../src/demo/random.ts';
import { holdsWithin } from '../test/support/until.ts';
import { countResults, type Outage, runUnderLoad, withOutage } from './support/outage.ts';
import { kinds, type OutageLoad } from './support/outage-load.ts';
import { expectAfter, findWrongCompanies, listSyncIds, untilApplied } from './support/verify.ts';

interface StopPlan {
  stops: number;
  /** The longest time the database stays stopped. */
  awayMs: number;
  charges: number;
  healthyWithinSeconds: number;
  /** How long the worker may take, after the last stop, to apply everything that was accepted. */
  settleMs: number;
}

/** One stop of the database, from the crash until the service is healthy again. */
interface Stop {
  crashedAt: number;
  stoppedAt: number;
  awayMs: number;
  responsesSeconds: number;
  jobsSeconds: number;
  healthyAt: number;
}

const timeoutSeconds = 60;

/**
 * Returns the seconds from the start of the database until the last refusal has ended and a request of every kind has
 * begun that succeeds. How long a large export takes after that is not counted, because it depends on its reader.
 */
async function untilRequestsSucceed({ outcomes }: OutageLoad, startedAt: number): Promise<number> {
  const since = () => outcomes.filter(({ begunAt }) => begunAt >= startedAt);
  const firstDone = () => kinds.map((kind) => since().find((one) => one.kind === kind && one.result === 'done'));
  await holdsWithin(timeoutSeconds * 1_000, () => firstDone().every((outcome) => outcome !== undefined));
  const done = firstDone().map((outcome) => outcome?.begunAt ?? Infinity);
  const failed = since().flatMap(({ result, endedAt }) => (result === 'done' ? [] : [endedAt]));
  return (Math.max(...done, ...failed) - startedAt) / 1_000;
}

async function stopOnce({ fixture: { postgres }, load, measureJobs }: Outage, awayMs: number): Promise<Stop> {
  const crashedAt = Date.now();
  await postgres.crash();
  const stoppedAt = Date.now();
  await sleep(awayMs);
  await postgres.start();
  const startedAt = Date.now();
  const [responsesSeconds, jobsSeconds] = await Promise.all([
    untilRequestsSucceed(load, startedAt),
    measureJobs(startedAt, timeoutSeconds),
  ]);
  return { crashedAt, stoppedAt, awayMs, responsesSeconds, jobsSeconds, healthyAt: Date.now() };
}

/** Returns the requests that began after the service was healthy again and failed although the database was running. */
const failedInHealth = ({ outcomes }: OutageLoad, stops: Stop[]) =>
  stops.flatMap(({ healthyAt }, index) => {
    const end = stops[index + 1]?.crashedAt ?? Infinity;
    return outcomes.filter(({ begunAt, endedAt, result }) => begunAt > healthyAt && endedAt < end && result !== 'done');
  });

/** Returns the requests that got anything but 503 while no server was running. None can succeed in that time. */
const notRefusedWhileAway = ({ outcomes }: OutageLoad, stops: Stop[]) =>
  stops.flatMap(({ stoppedAt, awayMs }) =>
    outcomes.filter(
      (one) => one.begunAt > stoppedAt && one.endedAt < stoppedAt + awayMs && one.result !== 'unavailable',
    ),
  );

async function causeStops(outage: Outage, plan: StopPlan, { seed, log }: Context): Promise<Stop[]> {
  const random = createRandom(seed);
  const stops: Stop[] = [];
  for (let number = 1; number <= plan.stops; number++) {
    await sleep(random.int(300, 2_000));
    const stop = await stopOnce(outage, random.int(100, plan.awayMs));
    stops.push(stop);
    const { responsesSeconds, jobsSeconds } = stop;
    log(`stop ${number}: requests after ${responsesSeconds.toFixed(1)} s, jobs after ${jobsSeconds.toFixed(1)} s`);
  }
  return stops;
}

async function measure(outage: Outage, plan: StopPlan, context: Context): Promise<Metric[]> {
  const { fixture, load, worker } = outage;
  const { db } = fixture;
  const stops = await runUnderLoad(load, 1, () => causeStops(outage, plan, context));
  const expected = expectAfter(load.pusher, await listSyncIds(db, load.pusher.company.companyId));
  await untilApplied(db, plan.settleMs, () => !worker.isRunning());
  const wrong = await findWrongCompanies(db, [expected]);
  const lost = await load.findLostWrites(db);
  const unexpected = load.outcomes.filter(({ result }) => result === 'unexpected');
  for (const { kind, detail } of unexpected.slice(0, 20)) context.log(`${kind}: ${detail}`);
  for (const line of [...wrong, ...lost].slice(0, 20)) context.log(line);
  const slowest = (seconds: (stop: Stop) => number) => Math.max(...stops.map(seconds));
  const { healthyWithinSeconds } = plan;
  return [
    info('stops', plan.stops),
    info('requests that succeeded', countResults(load.outcomes, 'done')),
    info('requests refused with 503', countResults(load.outcomes, 'unavailable')),
    info('exports broken off in the middle', countResults(load.outcomes, 'cut')),
    none('other responses and broken connections', unexpected.length),
    none('responses other than 503 while the database was stopped', notRefusedWhileAway(load, stops).length),
    none('requests that failed while the database was running', failedInHealth(load, stops).length),
    atMost(
      'requests succeed after the start, s',
      slowest((stop) => stop.responsesSeconds),
      healthyWithinSeconds,
    ),
    atMost(
      'jobs are done after the start, s',
      slowest((stop) => stop.jobsSeconds),
      healthyWithinSeconds,
    ),
    info('writes acknowledged', load.pusher.acknowledged.size + load.acknowledgedKeys.size),
    none('acknowledged writes lost', lost.length),
    none('companies that differ from their rosters', wrong.length),
    none('processes that ended', outage.countEndedProcesses()),
  ];
}

export const postgresStopped: Scenario<StopPlan> = {
  name: 'postgres-stopped',
  title: 'PostgreSQL stopped immediately and started again under reads and writes',
  plans: {
    full: { stops: 20, awayMs: 3_000, charges: 5_000, healthyWithinSeconds: 10, settleMs: 300_000 },
    quick: { stops: 1, awayMs: 300, charges: 2_000, healthyWithinSeconds: 45, settleMs: 45_000 },
  },
  run: (plan, context) =>
    withOutage(
      { charges: plan.charges, seed: context.seed },
      async ({ urls }) => ({ url: urls.url, close: async () => {} }),
      (outage) => measure(outage, plan, context),
    ),
};
