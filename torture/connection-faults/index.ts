import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom, type Random } from '../../src/demo/random.ts';
import { holdsWithin } from '../../test/support/until.ts';
import type { Fixture } from '../support/fixture.ts';
import { countResults, type Outage, runUnderLoad, withOutage } from '../support/outage.ts';
import { kinds, type Outcome } from '../support/outage-load.ts';
import { DatabaseProxy } from './proxy.ts';

interface Fault {
  name: string;
  /** Causes the fault. The fault lasts until the promise resolves. */
  cause(proxy: DatabaseProxy, random: Random): Promise<void>;
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

interface FaultyOutage extends Outage {
  proxy: DatabaseProxy;
  plan: FaultPlan;
}

const timeoutSeconds = 150;

/**
 * Returns the seconds until nothing fails any more. This is the last failure or, if later, the start of the first
 * successful request of the slowest kind.
 */
async function untilSteady({ load, plan }: FaultyOutage, liftedAt: number): Promise<number> {
  const after = () => load.outcomes.filter(({ endedAt }) => endedAt >= liftedAt);
  const lastFailure = () =>
    Math.max(liftedAt, ...after().flatMap((one) => (one.result === 'done' ? [] : [one.endedAt])));
  const firstDone = () =>
    kinds.map((kind) => after().find((one) => one.kind === kind && one.begunAt >= liftedAt && one.result === 'done'));
  const isSteady = () =>
    Date.now() - lastFailure() >= plan.steadyMs &&
    firstDone().every((outcome) => outcome !== undefined) &&
    [...load.underway].every(({ begunAt }) => begunAt >= liftedAt);
  if (!(await holdsWithin(timeoutSeconds * 1_000, isSteady))) return Infinity;
  return (Math.max(lastFailure(), ...firstDone().map((outcome) => outcome?.begunAt ?? Infinity)) - liftedAt) / 1_000;
}

/** Returns the seconds until every sync that was being applied at the end of the fault has its outcome. */
async function untilInterruptedApplied({ fixture: { db } }: FaultyOutage, liftedAt: number): Promise<number> {
  const listProcessing = async () => {
    const { rows } = await sql<{ id: number }>`select s.id from syncs s where s.state = 'processing'`.execute(db);
    return new Set(rows.map(({ id }) => id));
  };
  const interrupted = await listProcessing();
  const deadline = liftedAt + timeoutSeconds * 1_000;
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

async function measureFault(
  outage: FaultyOutage,
  fault: Fault,
  random: Random,
  log: Context['log'],
): Promise<Metric[]> {
  const { load, proxy, plan } = outage;
  await sleep(random.int(200, 600));
  const from = load.outcomes.length;
  const faultAt = Date.now();
  await fault.cause(proxy, random);
  const liftedAt = Date.now();
  const [requests, jobs, interrupted] = await Promise.all([
    untilSteady(outage, liftedAt),
    outage.measureJobs(liftedAt, timeoutSeconds),
    untilInterruptedApplied(outage, liftedAt),
  ]);
  const outcomes = load.outcomes.slice(from);
  const [checks, others] = [true, false].map((isCheck) =>
    outcomes.filter(({ kind }) => (kind === 'health') === isCheck),
  );
  const [slowestCheck, slowest] = [slowestOf(checks ?? [], faultAt), slowestOf(others ?? [], faultAt)];
  const counts = (['done', 'unavailable', 'cut'] as const).map(
    (result) => `${countResults(outcomes, result)} ${result}`,
  );
  log(`${fault.name}: ${counts.join(', ')}`);
  log(`slowest: ${slowest.kind} for ${slowest.seconds} s (${slowest.result} ${slowest.detail})`);
  const name = (text: string) => `${fault.name}: ${text}`;
  return [
    atMost(name('slowest request, s'), slowest.seconds, plan.requestSeconds),
    atMost(name('slowest health check, s'), slowestCheck.seconds, plan.healthSeconds),
    atMost(name('requests succeed again, s'), requests, fault.recoverySeconds),
    atMost(name('jobs are done again, s'), jobs, fault.recoverySeconds),
    atMost(name('interrupted syncs applied, s'), interrupted, plan.interruptedSeconds),
  ];
}

async function measure(outage: FaultyOutage, { seed, log }: Context): Promise<Metric[]> {
  const { load, plan, fixture } = outage;
  const random = createRandom(seed);
  const metrics = await runUnderLoad(load, plan.width, async () => {
    const all: Metric[] = [];
    for (const fault of plan.faults) all.push(...(await measureFault(outage, fault, random, log)));
    return all;
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

async function run(plan: FaultPlan, context: Context): Promise<Metric[]> {
  let proxy: DatabaseProxy | undefined;
  const openProxy = async ({ urls }: Fixture) => {
    proxy = await DatabaseProxy.open(urls.url);
    return proxy;
  };
  return withOutage({ charges: plan.charges, seed: context.seed }, openProxy, (outage) =>
    measure({ ...outage, proxy: proxy as DatabaseProxy, plan }, context),
  );
}

export const connectionFaults: Scenario<FaultPlan> = {
  name: 'connection-faults',
  title: 'Connections to the database slow, reset, half open and dropping all data',
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
