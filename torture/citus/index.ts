import { setTimeout as sleep } from 'node:timers/promises';
import { info, type Metric, none, noneOf, sum } from '../../harness/metrics.ts';
import { startApi, startWorkerProcess } from '../../harness/processes.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom, type Random } from '../../src/operator/demo/random.ts';
import { withFolder } from '../../test/support/process.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { HttpClient, isProperRefusal } from '../support/http-client.ts';
import { RosterPusher, RosterStream } from '../support/roster-pusher.ts';
import { makeTestCompany, withoutGuard } from '../support/test-company.ts';
import { findWrongCompanies, listSyncIds, untilApplied } from '../support/verify.ts';
import { type Cluster, findObstacle, withCluster } from './cluster.ts';

const full = {
  kills: Number(process.env.CITUS_KILLS ?? 30),
  companiesPerNode: 2,
  awayMs: 8_000,
  settleMs: 600_000,
};
type CitusPlan = typeof full;

/** The maintenance daemon of Citus looks once per minute for transactions that were prepared and never finished. */
const recoveryMs = 240_000;

interface Client {
  pusher: RosterPusher;
  port: number;
}

async function makeClients(cluster: Cluster, url: string, { companiesPerNode }: CitusPlan, seed: number) {
  const clients: Client[] = [];
  const isEnough = (port: number) => clients.filter((client) => client.port === port).length >= companiesPerNode;
  while (!cluster.nodes.every(isEnough)) {
    const company = await makeTestCompany(cluster.db, withoutGuard);
    const port = await cluster.locate(company.companyId);
    if (isEnough(port)) continue;
    const rosters = new RosterStream(createRandom(seed + clients.length));
    clients.push({ pusher: new RosterPusher(company, url, rosters), port });
  }
  return clients;
}

const maxWaiting = 3;

async function keepPushing({ pusher }: Client, random: Random, signal: AbortSignal): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  /** An acknowledged roster is not returned by the API while its transaction is prepared and waits for its recovery. */
  const isWaiting = async () => {
    const syncId = [...pusher.acknowledged].at(-maxWaiting);
    if (syncId === undefined) return false;
    return ['accepted', 'processing', undefined].includes((await pusher.read(syncId))?.state);
  };
  while (!signal.aborted) {
    await pusher.pushCarelessly(random.int(5, 40), random);
    await pause(random.int(0, 1_000));
    while (!signal.aborted && (await isWaiting())) await pause(500);
  }
}

interface Read {
  port: number;
  begunAt: number;
  endedAt: number;
  result: 'done' | 'unavailable' | 'unexpected';
  detail: string;
}

async function keepReading({ pusher: { company }, port }: Client, url: string, reads: Read[], signal: AbortSignal) {
  const client = new HttpClient(url);
  const request = { path: '/v1/employees?perPage=5', headers: { authorization: company.authorization } };
  while (!signal.aborted) {
    const begunAt = Date.now();
    const response = await client.exchangeAgain(request, { timeoutMs: 90_000 });
    const detail = `${response.status} ${response.ending} ${response.bytes.subarray(0, 200)}`;
    const isDone = response.status === 200 && response.ending === 'complete';
    const result = isProperRefusal(response) ? 'unavailable' : isDone ? 'done' : 'unexpected';
    reads.push({ port, begunAt, endedAt: Date.now(), result, detail });
    await sleep(200, undefined, { signal }).catch(() => {});
  }
}

async function countPrepared({ ask, nodes }: Cluster): Promise<number> {
  let count = 0;
  for (const port of nodes) {
    const text = 'select count(*)::int as count from pg_prepared_xacts where database = current_database()';
    count += (await ask<{ count: number }>(port, text))[0]?.count ?? 0;
  }
  return count;
}

/** Makes every commit on a node wait until the returned function is called, as for a standby that is gone. */
async function holdCommits({ ask }: Cluster, port: number): Promise<() => Promise<void>> {
  await ask(port, `alter system set synchronous_standby_names = 'nobody'`);
  await ask(port, 'select pg_reload_conf()');
  return async () => {
    await ask(port, 'alter system reset synchronous_standby_names');
    await ask(port, 'select pg_reload_conf()');
  };
}

const waiting = `select 1 from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database()`;
const holdMs = 20_000;

/** Kills one server and starts it again. `isCommit`: the coordinator, while it waits for a node to commit. */
async function killOnce(cluster: Cluster, random: Random, isCommit: boolean, awayMs: number) {
  const { coordinator, nodes, ask, kill, start } = cluster;
  const node = random.pick(nodes);
  const port = isCommit ? coordinator : random.pick([coordinator, ...nodes]);
  const release = isCommit ? await holdCommits(cluster, node) : async () => {};
  try {
    if (isCommit) await holdsWithin(holdMs, async () => (await ask(node, waiting)).length > 0);
    await kill(port);
  } finally {
    await release();
  }
  const killedAt = Date.now();
  const prepared = port === coordinator ? await countPrepared(cluster) : 0;
  await sleep(random.int(200, awayMs));
  const startingAt = Date.now();
  await start(port);
  return { port, killedAt, startingAt, startedAt: Date.now(), prepared };
}

type Kill = Awaited<ReturnType<typeof killOnce>>;

async function attack(cluster: Cluster, reads: Read[], plan: CitusPlan, { seed, log }: Context): Promise<Kill[]> {
  const random = createRandom(seed);
  const kills: Kill[] = [];
  while (kills.length < plan.kills) {
    await sleep(random.int(500, 4_000));
    const kill = await killOnce(cluster, random, kills.length % 3 === 2, plan.awayMs);
    const role = kill.port === cluster.coordinator ? 'coordinator' : 'node';
    log(`kill ${kills.push(kill)}, ${role} ${kill.port}: ${kill.prepared} prepared transactions`);
    if (random.chance(0.3)) continue;
    const isServed = (port: number) =>
      reads.some((read) => read.port === port && read.begunAt > kill.startedAt && read.result === 'done');
    await holdsWithin(60_000, () => cluster.nodes.every(isServed));
  }
  return kills;
}

function judgeReads(reads: Read[], kills: Kill[], { coordinator, nodes }: Cluster): Metric[] {
  const during = ({ killedAt, startingAt }: Kill) =>
    reads.filter(({ begunAt, endedAt }) => begunAt > killedAt && endedAt < startingAt);
  const ofNodes = kills.filter(({ port }) => port !== coordinator);
  const others = ofNodes.flatMap((kill) => during(kill).filter(({ port }) => port !== kill.port));
  const own = ofNodes.flatMap((kill) => during(kill).filter(({ port }) => port === kill.port));
  const all = kills.filter(({ port }) => port === coordinator).flatMap(during);
  const without = (found: Read[], result: Read['result']) => found.filter((read) => read.result !== result).length;
  return [
    info('nodes', nodes.length),
    info('reads of other companies while a node was dead', others.length),
    none('of these failed', without(others, 'done')),
    info('reads of its own companies', own.length),
    none('of these not refused with 503', without(own, 'unavailable')),
    info('reads while the coordinator was dead', all.length),
    none('of these not refused with 503', without(all, 'unavailable')),
  ];
}

async function judgeState(cluster: Cluster, pushers: RosterPusher[], settleMs: number, log: Context['log']) {
  const { db } = cluster;
  await holdsWithin(recoveryMs, async () => (await countPrepared(cluster)) === 0);
  const prepared = await countPrepared(cluster);
  const isApplied = await untilApplied(db, settleMs);
  const lost: string[] = [];
  for (const { company, acknowledged } of pushers) {
    lost.push(...acknowledged.difference(new Set(await listSyncIds(db, company.companyId))));
  }
  const unexpected = pushers.flatMap((pusher) => pusher.unexpected);
  return [
    info('rosters sent', sum(pushers.map(({ sent }) => sent.size))),
    info('rosters acknowledged with 204', sum(pushers.map(({ acknowledged }) => acknowledged.size))),
    noneOf('responses other than 204 and 503', unexpected, log),
    noneOf('acknowledged rosters lost', lost, log),
    none('rosters without an outcome', Number(!isApplied)),
    noneOf('companies that differ from their rosters', await findWrongCompanies(db, pushers), log),
    none('prepared transactions left', prepared),
  ];
}

const countRestored = (output: string) =>
  sum([...output.matchAll(/"jobs":(\d+).*lost jobs restored/g)].map(([, jobs]) => Number(jobs)));

async function run(cluster: Cluster, folder: string, plan: CitusPlan, context: Context): Promise<Metric[]> {
  await using stops = new AsyncDisposableStack();
  const api = await startApi(cluster.url, folder);
  stops.defer(() => api.end('SIGKILL'));
  const worker = await startWorkerProcess(cluster.url, folder);
  stops.defer(() => worker.end('SIGKILL'));
  const clients = await makeClients(cluster, api.url, plan, context.seed);
  const pushers = clients.map(({ pusher }) => pusher);
  const reads: Read[] = [];
  const over = new AbortController();
  const load = clients.flatMap((client, number) => [
    keepPushing(client, createRandom(context.seed - number), over.signal),
    keepReading(client, api.url, reads, over.signal),
  ]);
  const kills = await attack(cluster, reads, plan, context).finally(() => over.abort());
  await Promise.all(load);
  const unexpected = reads.flatMap(({ result, detail }) => (result === 'unexpected' ? detail : []));
  const ofCoordinator = kills.filter(({ port }) => port === cluster.coordinator);
  return [
    info('kills', kills.length),
    info('of these of the coordinator', ofCoordinator.length),
    info('of these with a prepared transaction', ofCoordinator.filter(({ prepared }) => prepared > 0).length),
    ...judgeReads(reads, kills, cluster),
    noneOf('responses other than success and a proper 503', unexpected, context.log),
    ...(await judgeState(cluster, pushers, plan.settleMs, context.log)),
    info('jobs restored', countRestored(worker.errors())),
    none('processes that ended', Number(!worker.isRunning())),
  ];
}

export const citus: Scenario<CitusPlan> = {
  name: 'citus',
  title: 'Coordinator and nodes of a Citus cluster killed under load',
  plans: { full, quick: { ...full, kills: 3, companiesPerNode: 1, awayMs: 4_000 } },
  findObstacle,
  run: (plan, context) => withFolder((folder) => withCluster((cluster) => run(cluster, folder, plan, context))),
};
