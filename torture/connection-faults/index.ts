import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, type Metric } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom, type Random } from '../../src/operator/demo/random.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { countResults, type Outage, type Outcome, startOutage } from '../support/outage.ts';

/** What happens to bytes: forwarded, forwarded late and in pieces, or dropped. `refuse` accepts no new connections. */
type Mode = 'pass' | 'slow' | 'black hole' | 'refuse';

interface Link {
  service: Socket;
  database: Socket;
  /** Set once bytes were dropped for good. Lost bytes cannot be recovered, so the connection stays dead. */
  isDead: boolean;
  /** Since when the database has sent every response and has no open transaction. Infinite while it has not. */
  idleSince: number;
}

/** ReadyForQuery outside of a transaction: the last message a server sends before it waits. */
const readyIdle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** A client that sends nothing for this long has returned the connection to its pool and holds no lock on it. */
const idleMs = 300;
const slowMs = 60;
const slowPieces = 3;

async function forward(to: Socket, bytes: Buffer, isSlow: boolean): Promise<void> {
  const size = isSlow ? Math.ceil(bytes.length / slowPieces) : bytes.length;
  for (let at = 0; at < bytes.length && !to.destroyed; at += size) {
    if (isSlow) await sleep(slowMs);
    if (!to.write(bytes.subarray(at, at + size))) await Promise.race([once(to, 'drain'), once(to, 'close')]);
  }
}

export type DatabaseProxy = Awaited<ReturnType<typeof openProxy>>;

export async function openProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const links = new Set<Link>();
  let mode: Mode = 'pass';

  async function relay(link: Link, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const bytes of from) {
        const isReady = from === link.database && bytes.subarray(-readyIdle.length).equals(readyIdle);
        link.idleSince = isReady ? Date.now() : Infinity;
        if (!link.isDead) await forward(to, bytes, mode === 'slow');
      }
    } catch {
      // The code below closes the other side.
    }
    if (!link.isDead) to.destroy();
  }

  const server = createServer({ allowHalfOpen: true }, (service) => {
    const database = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    const link = { service, database, isDead: mode === 'black hole', idleSince: Infinity };
    links.add(link);
    for (const socket of [service, database]) {
      socket.setNoDelay(true).on('error', () => {});
      socket.on('close', () => {
        if (service.destroyed && database.destroyed) links.delete(link);
      });
    }
    relay(link, service, database);
    relay(link, database, service);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  function reset(): void {
    for (const { service, database } of links) {
      service.resetAndDestroy();
      database.resetAndDestroy();
    }
  }

  return {
    // Without the longer time for connecting that tests allow.
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port), search: '' }).href,
    reset,
    /** Sets the mode for some time, for open connections too. Connections that a black hole has dropped stay dead. */
    async during(fault: Mode, seconds: number): Promise<void> {
      mode = fault;
      if (fault === 'black hole') for (const link of links) link.isDead = true;
      if (fault === 'refuse') {
        reset();
        server.close();
      }
      await sleep(seconds * 1_000);
      if (fault === 'refuse') await once(server.listen(port, '127.0.0.1'), 'listening');
      mode = 'pass';
    },
    halfOpen(ended: 'service' | 'database', which: 'all' | 'idle'): void {
      for (const link of links) {
        if (which === 'idle' && Date.now() - link.idleSince < idleMs) continue;
        link.isDead = true;
        link[ended].destroy();
      }
    },
    async close(): Promise<void> {
      reset();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A fault lasts until the promise of `cause` resolves. `seconds` later, requests must succeed and jobs be done again. */
type Fault = [name: string, seconds: number, cause: (proxy: DatabaseProxy, random: Random) => void | Promise<void>];

const resets = (times: number) => async (proxy: DatabaseProxy, random: Random) => {
  for (let number = 0; number < times; number++) {
    proxy.reset();
    await sleep(random.int(50, 400));
  }
};

const full = {
  faults: [
    ['reset', 10, resets(10)],
    ['refuse for 6 s', 10, (proxy) => proxy.during('refuse', 6)],
    ['slow for 10 s', 10, (proxy) => proxy.during('slow', 10)],
    ['half open (idle ended towards the service)', 10, (proxy) => proxy.halfOpen('service', 'idle')],
    ['half open (all ended towards the service)', 35, (proxy) => proxy.halfOpen('service', 'all')],
    ['half open (all ended towards the database)', 25, (proxy) => proxy.halfOpen('database', 'all')],
    ['black hole for 6 s', 25, (proxy) => proxy.during('black hole', 6)],
    ['black hole for 40 s', 25, (proxy) => proxy.during('black hole', 40)],
  ] as Fault[],
  width: 2,
  charges: 20_000,
  steadyMs: 3_000,
  /** The longest time a request may take: five seconds for a connection, twenty for a response, one to detect failure. */
  requestSeconds: 26,
  healthSeconds: 2,
  /** The limit for syncs whose job was interrupted. They also wait for the queue's supervision. */
  interruptedSeconds: 60,
};
type FaultPlan = typeof full;
const quickFaults: Fault[] = [
  ['reset', 45, resets(2)],
  ['slow for 0.5 s', 45, (proxy) => proxy.during('slow', 0.5)],
  ['half open (idle ended towards the service)', 45, (proxy) => proxy.halfOpen('service', 'idle')],
];
const quickLimits = {
  width: 1,
  charges: 2_000,
  steadyMs: 200,
  requestSeconds: 45,
  healthSeconds: 45,
  interruptedSeconds: 90,
};

const timeoutSeconds = 150;

async function untilInterruptedApplied(db: Db): Promise<number> {
  const liftedAt = Date.now();
  const listProcessing = async () => {
    const { rows } = await sql<{ id: number }>`select s.id from syncs s where s.state = 'processing'`.execute(db);
    return new Set(rows.map(({ id }) => id));
  };
  const interrupted = await listProcessing();
  const isApplied = async () => interrupted.isDisjointFrom(await listProcessing());
  return (await holdsWithin(timeoutSeconds * 1_000, isApplied)) ? (Date.now() - liftedAt) / 1_000 : Infinity;
}

interface Faulty extends Outage {
  db: Db;
  proxy: DatabaseProxy;
  random: Random;
  log: Context['log'];
}

/** Returns the request that took longest since the fault. The time an export took before the fault is not counted. */
const slowestOf = (outcomes: Outcome[], faultAt: number) =>
  outcomes
    .map((outcome) => ({ ...outcome, seconds: (outcome.endedAt - Math.max(faultAt, outcome.begunAt)) / 1_000 }))
    .reduce((slowest, outcome) => (outcome.seconds > slowest.seconds ? outcome : slowest));

async function measureFault(
  { load, measureRecovery, db, proxy, random, log }: Faulty,
  [name, seconds, cause]: Fault,
  plan: FaultPlan,
): Promise<Metric[]> {
  await sleep(random.int(200, 600));
  const from = load.outcomes.length;
  const faultAt = Date.now();
  await cause(proxy, random);
  const [{ requests, jobs }, interrupted] = await Promise.all([
    measureRecovery({ steadyMs: plan.steadyMs, timeoutSeconds }),
    untilInterruptedApplied(db),
  ]);
  const outcomes = load.outcomes.slice(from);
  const { health = [], other = [] } = Object.groupBy(outcomes, ({ kind }) => (kind === 'health' ? kind : 'other'));
  const slowest = slowestOf(other, faultAt);
  const counts = (['done', 'unavailable', 'cut'] as const).map((one) => `${countResults(outcomes, one)} ${one}`);
  log(`${name}: ${counts.join(', ')}`);
  log(`slowest: ${slowest.kind} for ${slowest.seconds} s (${slowest.result} ${slowest.detail})`);
  const limit = (text: string, value: number, most: number) => atMost(`${name}: ${text}, s`, value, most);
  return [
    limit('slowest request', slowest.seconds, plan.requestSeconds),
    limit('slowest health check', slowestOf(health, faultAt).seconds, plan.healthSeconds),
    limit('requests succeed again', requests, seconds),
    limit('jobs are done again', jobs, seconds),
    limit('interrupted syncs applied', interrupted, plan.interruptedSeconds),
  ];
}

async function run(fixture: Fixture, plan: FaultPlan, context: Context): Promise<Metric[]> {
  const proxy = await openProxy(fixture.urls.url);
  try {
    const outage = await startOutage(fixture, proxy.url, plan.charges, context);
    const faulty = { ...outage, db: fixture.db, proxy, random: createRandom(context.seed), log: context.log };
    const metrics: Metric[] = [];
    await outage.load.runDuring(plan.width, async () => {
      for (const fault of plan.faults) metrics.push(...(await measureFault(faulty, fault, plan)));
    });
    return [...metrics, ...(await outage.judge(plan.interruptedSeconds * 1_000))];
  } finally {
    await proxy.close();
  }
}

export const connectionFaults: Scenario<FaultPlan> = {
  name: 'connection-faults',
  title: 'Connections to the database slow, reset, half open and dropping all data',
  plans: { full, quick: { faults: quickFaults, ...quickLimits } },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
