import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, info, type Metric, none } from '../harness/metrics.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import { createRandom } from '../src/demo/random.ts';
import { countResults, type Outage, runUnderLoad, withOutage } from './support/outage.ts';
import { untilRequestsSucceed } from './support/recovery.ts';
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

const timeoutSeconds = 60;

/** Stops the database once. Returns when, and how long the service took to be healthy again. */
async function stopOnce({ fixture: { postgres }, load, measureJobs }: Outage, awayMs: number) {
  const crashedAt = Date.now();
  await postgres.crash();
  const stoppedAt = Date.now();
  await sleep(awayMs);
  const startingAt = Date.now();
  await postgres.start();
  const startedAt = Date.now();
  const [requests, jobs] = await Promise.all([
    untilRequestsSucceed(load, startedAt, { steadyMs: 0, timeoutSeconds }),
    measureJobs(startedAt, timeoutSeconds),
  ]);
  return { crashedAt, stoppedAt, startingAt, requests, jobs, healthyAt: Date.now() };
}

async function measure(outage: Outage, plan: StopPlan, { seed, log }: Context): Promise<Metric[]> {
  const { load, worker } = outage;
  const { db } = outage.fixture;
  const { outcomes, pusher } = load;
  const random = createRandom(seed);
  const stops: Awaited<ReturnType<typeof stopOnce>>[] = [];
  await runUnderLoad(load, 1, async () => {
    while (stops.length < plan.stops) {
      await sleep(random.int(300, 2_000));
      const stop = await stopOnce(outage, random.int(100, plan.awayMs));
      stops.push(stop);
      log(`stop ${stops.length}: requests after ${stop.requests.toFixed(1)} s, jobs after ${stop.jobs.toFixed(1)} s`);
    }
  });
  const expected = expectAfter(pusher, await listSyncIds(db, pusher.company.companyId));
  await untilApplied(db, plan.settleMs, () => !worker.isRunning());
  const wrong = await findWrongCompanies(db, [expected]);
  const lost = await load.findLostWrites(db);
  const unexpected = outcomes.filter(({ result }) => result === 'unexpected');
  for (const { kind, detail } of unexpected.slice(0, 20)) log(`${kind}: ${detail}`);
  for (const line of [...wrong, ...lost].slice(0, 20)) log(line);
  const between = (from: number, to: number) => outcomes.filter((one) => one.begunAt > from && one.endedAt < to);
  // No request can succeed while no server is running.
  const whileAway = stops.flatMap(({ stoppedAt, startingAt }) => between(stoppedAt, startingAt));
  const inHealth = stops.flatMap(({ healthyAt }, index) => between(healthyAt, stops[index + 1]?.crashedAt ?? Infinity));
  const slowestRequests = Math.max(...stops.map(({ requests }) => requests));
  const slowestJobs = Math.max(...stops.map(({ jobs }) => jobs));
  return [
    info('stops', plan.stops),
    info('requests that succeeded', countResults(outcomes, 'done')),
    info('requests refused with 503', countResults(outcomes, 'unavailable')),
    info('exports broken off in the middle', countResults(outcomes, 'cut')),
    none('other responses and broken connections', unexpected.length),
    none(
      'responses other than 503 while the database was stopped',
      whileAway.length - countResults(whileAway, 'unavailable'),
    ),
    none('requests that failed while the database was running', inHealth.length - countResults(inHealth, 'done')),
    atMost('requests succeed after the start, s', slowestRequests, plan.healthyWithinSeconds),
    atMost('jobs are done after the start, s', slowestJobs, plan.healthyWithinSeconds),
    info('writes acknowledged', pusher.acknowledged.size + load.acknowledgedKeys.size),
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
