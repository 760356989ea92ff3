import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Arrivals, type LoadedResponse, type LoadProcess, startLoadProcess } from '../harness/load.ts';
import { atLeast, atMost, info, type Metric, none } from '../harness/metrics.ts';
import { percentile } from '../harness/observe.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import type { Env, Serving } from '../test/support/process.ts';
import { type Fixture, withFixture } from './support/fixture.ts';
import { makeChargedEmployees, makeTestCompany } from './support/test-company.ts';

interface OverloadPlan {
  /** The numbers of concurrent requests tried to find the peak. Each runs for `stepSeconds`. */
  concurrencies: number[];
  stepSeconds: number;
  seconds: number;
  calmSeconds: number;
  /** How requests arrive during the overload, and before and after it, given the peak. */
  flood(peak: number): Arrivals;
  calm(peak: number): Arrivals;
  /** The limits for the measured times. Absent if the machine also does other work. */
  limits?: { goodputPercent: number; recoverySeconds: number };
  env: Env;
}

/** A page of employees that takes longer than this is useless to its client, so it does not count as good. */
const goodWithinMs = 2_000;
const timeoutMs = 10_000;
const maxConnections = 2_000;

const isOk = ({ status }: LoadedResponse) => status === 200;
const isGood = (response: LoadedResponse) => isOk(response) && response.tookMs <= goodWithinMs;
function p99(responses: LoadedResponse[]): number {
  const times = responses.map(({ tookMs }) => tookMs);
  return percentile(times, 0.99);
}

type Put = (seconds: number, arrivals: Arrivals) => ReturnType<LoadProcess['put']>;

/** Returns the seconds until a whole second has no refusal and a p99 of at most twice that before the overload. */
function recoveryOf(responses: LoadedResponse[], seconds: number, p99Before: number): number {
  for (let second = 0; second < seconds; second++) {
    const within = responses.filter(({ dueMs }) => Math.floor(dueMs / 1_000) === second);
    if (within.length > 0 && within.every(isOk) && p99(within) <= 2 * p99Before) return second + 1;
  }
  return Number.POSITIVE_INFINITY;
}

async function overload(plan: OverloadPlan, put: Put, api: Serving, log: Context['log']): Promise<Metric[]> {
  const { stepSeconds, seconds, calmSeconds, limits } = plan;
  // Warms up: the first requests run code that is still being compiled.
  await put(stepSeconds, { concurrency: 8 });
  let peak = 0;
  for (const concurrency of plan.concurrencies) {
    const step = (await put(stepSeconds, { concurrency })).responses;
    const perSecond = step.filter(isGood).length / stepSeconds;
    log(`${concurrency} connections: ${Math.round(perSecond)} per second, p99 ${Math.round(p99(step))} ms`);
    peak = Math.max(peak, perSecond);
  }
  const calm = plan.calm(peak);
  const p99Before = p99((await put(calmSeconds, calm)).responses);
  const over = new AbortController();
  const unhealthy = countUnhealthy(api.url, over.signal);
  const { responses, unsent } = await put(seconds, plan.flood(peak)).finally(() => over.abort());
  const after = await put(calmSeconds, calm);
  const recovery = recoveryOf(after.responses, calmSeconds, p99Before);
  const refused = responses.filter(({ status }) => status === 503);
  const goodput = ((responses.filter(isGood).length / seconds) * 100) / peak;
  return [
    info('peak, requests per second', Math.round(peak)),
    info('load, requests per second', Math.round((responses.length + unsent) / seconds)),
    info('due while all 2,000 connections were busy, %', (100 * unsent) / (responses.length + unsent)),
    atLeast('refused with 503', refused.length, 1),
    none('503 without Retry-After', refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length),
    none('neither 200 nor 503', responses.filter((response) => !isOk(response) && response.status !== 503).length),
    (limits ? none : info)('health checks that failed', await unhealthy),
    limits
      ? atLeast('goodput, % of the peak', goodput, limits.goodputPercent)
      : info('goodput, % of the peak', goodput),
    info('p99 of a 200, ms', p99(responses.filter(isOk))),
    info('p99 of a 503, ms', p99(refused)),
    info('p99 before, ms', p99Before),
    info('p99 after, ms', p99(after.responses)),
    limits
      ? atMost('recovery, s', recovery, limits.recoverySeconds)
      : none('refused after the overload', after.responses.filter((response) => !isOk(response)).length),
  ];
}

async function countUnhealthy(apiUrl: string, over: AbortSignal): Promise<number> {
  let failures = 0;
  while (!over.aborted) {
    const response = await fetch(`${apiUrl}/health`).catch(() => undefined);
    if (response?.status !== 204) failures += 1;
    await sleep(250, undefined, { signal: over }).catch(() => {});
  }
  return failures;
}

async function run({ db, startApi }: Fixture, plan: OverloadPlan, { log }: Context): Promise<Metric[]> {
  const api = await startApi(plan.env);
  const port = Number(new URL(api.url).port);
  const { companyId, authorization } = await makeTestCompany(db);
  await makeChargedEmployees(db, companyId, 1_000);
  await sql`analyze`.execute(db);
  const message = `GET /v1/employees HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`;
  const load = startLoadProcess();
  const put: Put = (seconds, arrivals) => load.put({ port, messages: [message], seconds, arrivals, timeoutMs });
  return overload(plan, put, api, log).finally(() => load.end());
}

/** All requests are equal, so the service would answer them from memory, which costs it next to nothing. */
const rendersEveryPage: Env = { PAGE_CACHE_MB: '0' };

export const overloaded: Scenario<OverloadPlan> = {
  name: 'overload',
  title: 'Four times the load that the service can handle',
  plans: {
    full: {
      concurrencies: [1, 2, 4, 8, 16, 32, 64],
      stepSeconds: 4,
      seconds: 60,
      calmSeconds: 10,
      flood: (peak) => ({ perSecond: 4 * peak, maxConnections }),
      calm: (peak) => ({ perSecond: 0.3 * peak, maxConnections }),
      limits: { goodputPercent: 80, recoverySeconds: 5 },
      env: rendersEveryPage,
    },
    // More concurrent requests than may wait, so that some are refused however slow the machine is.
    quick: {
      concurrencies: [4],
      stepSeconds: 0.5,
      seconds: 1,
      calmSeconds: 0.5,
      flood: () => ({ concurrency: 64 }),
      calm: () => ({ concurrency: 1 }),
      env: { ...rendersEveryPage, DATABASE_POOL_SIZE: '1', OVERLOAD_QUEUE: '5' },
    },
  },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
