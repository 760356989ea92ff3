import { sql } from 'kysely';
import { atLeast, atMost, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { basic } from '../../test/support/app.ts';
import { anEmployee, makeCompany, makeEmployees, makeKey } from '../../test/support/factories.ts';
import type { Env, Serving } from '../../test/support/process.ts';
import { type Answered, type Arrivals, type LoadProcess, percentile, startLoadProcess } from '../support/load.ts';
import { type Stage, withStage } from '../support/stage.ts';
import { watchHealth } from './health.ts';

interface OverloadPlan {
  /** The numbers of concurrent requests tried to find the peak. Each runs for `stepSeconds`. */
  concurrencies: number[];
  stepSeconds: number;
  seconds: number;
  calmSeconds: number;
  /** How requests arrive during the overload, given the peak. `calm` is used before and after it. */
  flood(peak: number): Arrivals;
  calm(peak: number): Arrivals;
  /** The limits for the measured times. Absent if the machine also does other work. */
  limits?: { goodputPercent: number; recoverySeconds: number };
  env: Env;
}

/** A page of employees that takes longer than this is useless to its client, so it does not count as good. */
const goodWithinMs = 2_000;
const patienceMs = 10_000;
const maxConnections = 2_000;

const isOk = ({ status }: Answered) => status === 200;
const isGood = (answered: Answered) => isOk(answered) && answered.tookMs <= goodWithinMs;
const p99 = (answers: Answered[]) =>
  percentile(
    answers.map(({ tookMs }) => tookMs),
    0.99,
  );

type Put = (seconds: number, arrivals: Arrivals) => ReturnType<LoadProcess['put']>;

async function findPeak(put: Put, { concurrencies, stepSeconds }: OverloadPlan, log: Context['log']): Promise<number> {
  let peak = 0;
  for (const concurrency of concurrencies) {
    const { answers } = await put(stepSeconds, { concurrency });
    const perSecond = answers.filter(isGood).length / stepSeconds;
    log(`${concurrency} at once: ${Math.round(perSecond)} a second, p99 ${Math.round(p99(answers))} ms`);
    peak = Math.max(peak, perSecond);
  }
  return peak;
}

/**
 * Returns the seconds until the p99 of one whole second is at most twice the p99 before the overload, with no refusal.
 */
function recoveryOf(answers: Answered[], seconds: number, p99Before: number): number {
  for (let second = 0; second < seconds; second++) {
    const within = answers.filter(({ dueMs }) => Math.floor(dueMs / 1_000) === second);
    if (within.length > 0 && within.every(isOk) && p99(within) <= 2 * p99Before) return second + 1;
  }
  return Number.POSITIVE_INFINITY;
}

const percent = (part: number, whole: number) => (100 * part) / whole;

async function overload(plan: OverloadPlan, put: Put, api: Serving, log: Context['log']): Promise<Metric[]> {
  const { seconds, calmSeconds, limits } = plan;
  // Warms up: the first requests run code that is still being compiled.
  await put(plan.stepSeconds, { concurrency: 8 });
  const peak = await findPeak(put, plan, log);
  const calm = plan.calm(peak);
  const p99Before = p99((await put(calmSeconds, calm)).answers);
  const health = watchHealth(api.url);
  const { answers, unsent } = await put(seconds, plan.flood(peak));
  const unhealthy = await health.end();
  const after = await put(calmSeconds, calm);
  const recovery = recoveryOf(after.answers, calmSeconds, p99Before);
  const refused = answers.filter(({ status }) => status === 503);
  const goodput = percent(answers.filter(isGood).length / seconds, peak);
  return [
    info('peak, requests a second', Math.round(peak)),
    info('load, requests a second', Math.round((answers.length + unsent) / seconds)),
    info('due while all 2,000 connections were taken, %', percent(unsent, answers.length + unsent)),
    atLeast('refused with 503', refused.length, 1),
    none('503 without Retry-After', refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length),
    none('neither 200 nor 503', answers.filter((answer) => !isOk(answer) && answer.status !== 503).length),
    (limits ? none : info)('health checks that failed', unhealthy),
    limits
      ? atLeast('goodput, % of the peak', goodput, limits.goodputPercent)
      : info('goodput, % of the peak', goodput),
    info('p99 of a 200, ms', p99(answers.filter(isOk))),
    info('p99 of a 503, ms', p99(refused)),
    info('p99 before, ms', p99Before),
    info('p99 after, ms', p99(after.answers)),
    limits
      ? atMost('recovery, s', recovery, limits.recoverySeconds)
      : none('refused after it', after.answers.filter((answer) => !isOk(answer)).length),
  ];
}

async function makeMessage({ db }: Stage): Promise<string> {
  const companyId = await makeCompany(db);
  await makeEmployees(
    db,
    companyId,
    Array.from({ length: 1_000 }, () => anEmployee()),
  );
  await sql`analyze`.execute(db);
  const key = await makeKey(db, companyId);
  return `GET /v1/employees HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(key)}\r\n\r\n`;
}

export const overloaded: Scenario<OverloadPlan> = {
  name: 'overload',
  title: 'Four times the load that the service can bear',
  plans: {
    full: {
      concurrencies: [1, 2, 4, 8, 16, 32, 64],
      stepSeconds: 4,
      seconds: 60,
      calmSeconds: 10,
      flood: (peak) => ({ perSecond: 4 * peak, maxConnections }),
      calm: (peak) => ({ perSecond: 0.3 * peak, maxConnections }),
      limits: { goodputPercent: 80, recoverySeconds: 5 },
      env: {},
    },
    // More concurrent requests than may wait, so that some are refused however slow the machine is.
    quick: {
      concurrencies: [4],
      stepSeconds: 0.5,
      seconds: 1,
      calmSeconds: 0.5,
      flood: () => ({ concurrency: 64 }),
      calm: () => ({ concurrency: 1 }),
      env: { DATABASE_POOL_SIZE: '1', OVERLOAD_QUEUE: '5' },
    },
  },
  run: (plan, { log }) =>
    withStage(async (stage) => {
      const api = await stage.startApi(plan.env);
      const message = await makeMessage(stage);
      const load = await startLoadProcess();
      try {
        const port = Number(new URL(api.url).port);
        const put: Put = (seconds, arrivals) => load.put({ port, message, seconds, arrivals, patienceMs });
        return await overload(plan, put, api, log);
      } finally {
        await load.end();
      }
    }),
};
