import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, info, type Metric, none } from '../harness/metrics.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import { createRandom } from '../src/operator/demo/random.ts';
import { type Fixture, withFixture } from './support/fixture.ts';
import { countResults, type Outage, startOutage } from './support/outage.ts';

const full = { stops: 20, awayMs: 3_000, charges: 5_000, healthyWithinSeconds: 10, settleMs: 300_000 };
type StopPlan = typeof full;

async function stopOnce({ postgres }: Fixture, { measureRecovery }: Outage, awayMs: number) {
  const crashedAt = Date.now();
  await postgres.crash();
  const stoppedAt = Date.now();
  await sleep(awayMs);
  const startingAt = Date.now();
  await postgres.start();
  const recovery = await measureRecovery({ steadyMs: 0, timeoutSeconds: 60 });
  return { crashedAt, stoppedAt, startingAt, ...recovery, healthyAt: Date.now() };
}

async function run(fixture: Fixture, plan: StopPlan, context: Context): Promise<Metric[]> {
  const outage = await startOutage(fixture, fixture.urls.url, plan.charges, context);
  const { load, judge } = outage;
  const random = createRandom(context.seed);
  const stops: Awaited<ReturnType<typeof stopOnce>>[] = [];
  await load.runDuring(1, async () => {
    while (stops.length < plan.stops) {
      await sleep(random.int(300, 2_000));
      const stop = await stopOnce(fixture, outage, random.int(100, plan.awayMs));
      const number = stops.push(stop);
      context.log(`stop ${number}: requests after ${stop.requests} s, jobs after ${stop.jobs} s`);
    }
  });
  const between = (from: number, to: number) => load.outcomes.filter((one) => one.begunAt > from && one.endedAt < to);
  // No request can succeed while no server is running.
  const whileAway = stops.flatMap(({ stoppedAt, startingAt }) => between(stoppedAt, startingAt));
  const inHealth = stops.flatMap(({ healthyAt }, index) => between(healthyAt, stops[index + 1]?.crashedAt ?? Infinity));
  const notRefused = whileAway.length - countResults(whileAway, 'unavailable');
  const slowest = (what: 'requests' | 'jobs') => Math.max(...stops.map((stop) => stop[what]));
  return [
    info('stops', plan.stops),
    none('responses other than 503 while the database was stopped', notRefused),
    none('requests that failed while the database was running', inHealth.length - countResults(inHealth, 'done')),
    atMost('requests succeed after the start, s', slowest('requests'), plan.healthyWithinSeconds),
    atMost('jobs are done after the start, s', slowest('jobs'), plan.healthyWithinSeconds),
    ...(await judge(plan.settleMs)),
  ];
}

export const postgresStopped: Scenario<StopPlan> = {
  name: 'postgres-stopped',
  title: 'PostgreSQL stopped immediately and started again under reads and writes',
  plans: {
    full,
    quick: { stops: 1, awayMs: 300, charges: 2_000, healthyWithinSeconds: 45, settleMs: 45_000 },
  },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
