import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { Db } from '../../src/db/database.ts';
import { createRandom, type Random } from '../../src/demo/random.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { countResults, type Outage, runUnderLoad, withOutage } from '../support/outage.ts';
import type { Outcome } from '../support/outage-load.ts';
import { untilRequestsSucceed } from '../support/recovery.ts';
import { type DatabaseProxy, openProxy } from './proxy.ts';

/** A fault lasts until the promise of `cause` resolves. `seconds` later, requests must succeed and jobs be done again. */
type Fault = [name: string, seconds: number, cause: (proxy: DatabaseProxy, random: Random) => void | Promise<void>];

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

const resets = (times: number) => async (proxy: DatabaseProxy, random: Random) => {
  for (let number = 0; number < times; number++) {
    proxy.reset();
    await sleep(random.int(50, 400));
  }
};

const timeoutSeconds = 150;

/** Returns the seconds until every sync that was being applied at the end of the fault has its outcome. */
async function untilInterruptedApplied(db: Db, liftedAt: number): Promise<number> {
  const listProcessing = async () => {
    const { rows } = await sql<{ id: number }>`select s.id from syncs s where s.state = 'processing'`.execute(db);
    return new Set(rows.map(({ id }) => id));
  };
  const interrupted = await listProcessing();
  const isApplied = async () => interrupted.isDisjointFrom(await listProcessing());
  return (await holdsWithin(timeoutSeconds * 1_000, isApplied)) ? (Date.now() - liftedAt) / 1_000 : Infinity;
}

/** Returns the request that took longest since the fault. The time an export took before the fault is not counted. */
const slowestOf = (outcomes: Outcome[], faultAt: number) =>
  outcomes
    .map((outcome) => ({ ...outcome, seconds: (outcome.endedAt - Math.max(faultAt, outcome.begunAt)) / 1_000 }))
    .reduce((slowest, outcome) => (outcome.seconds > slowest.seconds ? outcome : slowest));

interface FaultyOutage extends Outage {
  proxy: DatabaseProxy;
  plan: FaultPlan;
  random: Random;
  log: Context['log'];
}

async function measureFault(outage: FaultyOutage, [name, seconds, cause]: Fault): Promise<Metric[]> {
  const { fixture, load, proxy, plan, random, log } = outage;
  await sleep(random.int(200, 600));
  const from = load.outcomes.length;
  const faultAt = Date.now();
  await cause(proxy, random);
  const liftedAt = Date.now();
  const [requests, jobs, interrupted] = await Promise.all([
    untilRequestsSucceed(load, liftedAt, { steadyMs: plan.steadyMs, timeoutSeconds }),
    outage.measureJobs(liftedAt, timeoutSeconds),
    untilInterruptedApplied(fixture.db, liftedAt),
  ]);
  const outcomes = load.outcomes.slice(from);
  const { health = [], other = [] } = Object.groupBy(outcomes, ({ kind }) => (kind === 'health' ? kind : 'other'));
  const [slowestCheck, slowest] = [slowestOf(health, faultAt), slowestOf(other, faultAt)];
  const counts = (['done', 'unavailable', 'cut'] as const).map((one) => `${countResults(outcomes, one)} ${one}`);
  log(`${name}: ${counts.join(', ')}`);
  log(`slowest: ${slowest.kind} for ${slowest.seconds} s (${slowest.result} ${slowest.detail})`);
  const limit = (text: string, value: number, most: number) => atMost(`${name}: ${text}, s`, value, most);
  return [
    limit('slowest request', slowest.seconds, plan.requestSeconds),
    limit('slowest health check', slowestCheck.seconds, plan.healthSeconds),
    limit('requests succeed again', requests, seconds),
    limit('jobs are done again', jobs, seconds),
    limit('interrupted syncs applied', interrupted, plan.interruptedSeconds),
  ];
}

async function measure(outage: FaultyOutage): Promise<Metric[]> {
  const { load, plan, fixture, log } = outage;
  const metrics: Metric[] = [];
  await runUnderLoad(load, plan.width, async () => {
    for (const fault of plan.faults) metrics.push(...(await measureFault(outage, fault)));
  });
  const unexpected = load.outcomes.filter(({ result }) => result === 'unexpected');
  for (const { kind, detail } of unexpected.slice(0, 20)) log(`${kind}: ${detail}`);
  return [
    ...metrics,
    info('requests', load.outcomes.length),
    none('responses other than success and a proper 503, and broken connections', unexpected.length),
    none('acknowledged writes lost', (await load.findLostWrites(fixture.db)).length),
    none('processes that ended', outage.countEndedProcesses()),
  ];
}

async function run(plan: FaultPlan, { seed, log }: Context): Promise<Metric[]> {
  const opened = Promise.withResolvers<DatabaseProxy>();
  return withOutage(
    { charges: plan.charges, seed },
    ({ urls }) => {
      opened.resolve(openProxy(urls.url));
      return opened.promise;
    },
    async (outage) => measure({ ...outage, proxy: await opened.promise, plan, random: createRandom(seed), log }),
  );
}

export const connectionFaults: Scenario<FaultPlan> = {
  name: 'connection-faults',
  title: 'Connections to the database slow, reset, half open and dropping all data',
  plans: {
    full: {
      faults: [
        ['reset', 10, resets(10)],
        ['refuse for 6 s', 10, (proxy) => proxy.during('refuse', 6)],
        ['slow for 10 s', 10, (proxy) => proxy.during('slow', 10)],
        ['half open (idle ended towards the service)', 10, (proxy) => proxy.halfOpen('service', 'idle')],
        ['half open (all ended towards the service)', 35, (proxy) => proxy.halfOpen('service', 'all')],
        ['half open (all ended towards the database)', 25, (proxy) => proxy.halfOpen('database', 'all')],
        ['black hole for 6 s', 25, (proxy) => proxy.during('black hole', 6)],
        ['black hole for 40 s', 25, (proxy) => proxy.during('black hole', 40)],
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
      faults: [
        ['reset', 45, resets(2)],
        ['slow for 0.5 s', 45, (proxy) => proxy.during('slow', 0.5)],
        ['half open (idle ended towards the service)', 45, (proxy) => proxy.halfOpen('service', 'idle')],
      ],
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
