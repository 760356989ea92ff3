import { setTimeout as sleep } from 'node:timers/promises';
import { info, type Metric, none, noneOf, sum } from '../../harness/metrics.ts';
import { startApi, startWorkerProcess } from '../../harness/processes.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom } from '../../src/operator/demo/random.ts';
import { withFolder } from '../../test/support/process.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { RosterStream } from '../support/roster-model.ts';
import { RosterPusher } from '../support/roster-pusher.ts';
import { makeTestCompany, withoutGuard } from '../support/test-company.ts';
import { findWrongCompanies, listSyncIds, untilApplied } from '../support/verify.ts';
import { type Client, keepPushing, keepReading, type Read } from './clients.ts';
import { type Cluster, findObstacle, withCluster } from './cluster.ts';
import { countPrepared, type Kill, killOnce } from './kills.ts';

interface CitusPlan {
  kills: number;
  companiesPerNode: number;
  /** The longest time that a server stays stopped. */
  awayMs: number;
  /** How long the service may take to apply everything after the last kill. */
  settleMs: number;
}

/** The maintenance daemon of Citus looks once per minute for transactions that were prepared and never finished. */
const recoveryMs = 240_000;

/** Makes companies until every node has enough of them. */
async function makeClients(cluster: Cluster, url: string, { companiesPerNode }: CitusPlan, seed: number) {
  const clients: Client[] = [];
  const isEnough = (port: number) => clients.filter((client) => client.port === port).length >= companiesPerNode;
  while (!cluster.nodes.every(isEnough)) {
    const company = await makeTestCompany(cluster.db, withoutGuard);
    const port = (await cluster.locate([company.companyId])).get(company.companyId) ?? 0;
    if (isEnough(port)) continue;
    const rosters = new RosterStream(createRandom(seed + clients.length));
    clients.push({ pusher: new RosterPusher(company, url, rosters), port });
  }
  return clients;
}

/** Kills servers under load. After each kill, sometimes waits until everything works again and sometimes does not. */
async function attack(cluster: Cluster, reads: Read[], plan: CitusPlan, { seed, log }: Context): Promise<Kill[]> {
  const random = createRandom(seed);
  const kills: Kill[] = [];
  while (kills.length < plan.kills) {
    await sleep(random.int(500, 4_000));
    const kill = await killOnce(cluster, random, {
      aim: kills.length % 3 === 2 ? 'commit' : 'any moment',
      awayMs: plan.awayMs,
    });
    const role = kill.port === cluster.coordinator ? 'coordinator' : 'node';
    log(`kill ${kills.push(kill)}, ${role} ${kill.port}, ${kill.aim}: ${kill.prepared} prepared transactions`);
    if (random.chance(0.3)) continue;
    const isServed = (port: number) =>
      reads.some((read) => read.port === port && read.begunAt > kill.startedAt && read.result === 'done');
    await holdsWithin(60_000, () => cluster.nodes.every(isServed));
  }
  return kills;
}

/** Judges the reads that began and ended while a server was missing. */
function judgeReads(reads: Read[], kills: Kill[], { coordinator, nodes }: Cluster): Metric[] {
  const during = ({ killedAt, startingAt }: Kill) =>
    reads.filter(({ begunAt, endedAt }) => begunAt > killedAt && endedAt < startingAt);
  const ofNodes = kills.filter(({ port }) => port !== coordinator);
  const others = ofNodes.flatMap((kill) => during(kill).filter(({ port }) => port !== kill.port));
  const own = ofNodes.flatMap((kill) => during(kill).filter(({ port }) => port === kill.port));
  const all = kills.filter(({ port }) => port === coordinator).flatMap(during);
  const count = (found: Read[], result: Read['result']) => found.filter((read) => read.result === result).length;
  return [
    info('nodes', nodes.length),
    info('reads of other companies while a node was dead', others.length),
    none('of these failed', others.length - count(others, 'done')),
    info('reads of its own companies', own.length),
    none('of these not refused with 503', own.length - count(own, 'unavailable')),
    info('reads while the coordinator was dead', all.length),
    none('of these not refused with 503', all.length - count(all, 'unavailable')),
  ];
}

async function judgeState(cluster: Cluster, clients: Client[], settleMs: number, log: Context['log']) {
  const { db } = cluster;
  const pushers = clients.map(({ pusher }) => pusher);
  await holdsWithin(recoveryMs, async () => (await countPrepared(cluster)) === 0);
  const prepared = await countPrepared(cluster);
  const isApplied = await untilApplied(db, settleMs);
  const lost: string[] = [];
  for (const { company, acknowledged } of pushers) {
    lost.push(...acknowledged.difference(new Set(await listSyncIds(db, company.companyId))));
  }
  return [
    info('rosters sent', sum(pushers.map(({ sent }) => sent.size))),
    info('rosters acknowledged with 204', sum(pushers.map(({ acknowledged }) => acknowledged.size))),
    noneOf(
      'responses other than 204 and 503',
      pushers.flatMap(({ unexpected }) => unexpected),
      log,
    ),
    noneOf('acknowledged rosters lost', lost, log),
    none('rosters without an outcome', Number(!isApplied)),
    noneOf('companies that differ from their rosters', await findWrongCompanies(db, pushers), log),
    none('prepared transactions left', prepared),
  ];
}

const countRestored = (output: string) =>
  sum([...output.matchAll(/"jobs":(\d+).*lost jobs restored/g)].map(([, jobs]) => Number(jobs)));

async function run(cluster: Cluster, folder: string, plan: CitusPlan, context: Context): Promise<Metric[]> {
  const api = await startApi(cluster.url, folder);
  const worker = await startWorkerProcess(cluster.url, folder);
  const stop = new AbortController();
  try {
    const clients = await makeClients(cluster, api.url, plan, context.seed);
    const reads: Read[] = [];
    const load = clients.flatMap((client, number) => [
      keepPushing(client, createRandom(context.seed - number), stop.signal),
      keepReading(client, api.url, reads, stop.signal),
    ]);
    const kills = await attack(cluster, reads, plan, context).finally(() => stop.abort());
    await Promise.all(load);
    const unexpected = reads.flatMap(({ result, detail }) => (result === 'unexpected' ? detail : []));
    const ofCoordinator = kills.filter(({ port }) => port === cluster.coordinator);
    const state = await judgeState(cluster, clients, plan.settleMs, context.log);
    return [
      info('kills', kills.length),
      info('of these of the coordinator', ofCoordinator.length),
      info('of these with a prepared transaction', ofCoordinator.filter(({ prepared }) => prepared > 0).length),
      ...judgeReads(reads, kills, cluster),
      noneOf('responses other than success and a proper 503', unexpected, context.log),
      ...state,
      info('jobs restored', countRestored(worker.errors())),
      none('processes that ended', Number(!worker.isRunning())),
    ];
  } finally {
    await worker.end('SIGKILL');
    api.signal('SIGKILL');
    await api.exited;
  }
}

const killsSetting = Number(process.env.CITUS_KILLS ?? 30);

export const citus: Scenario<CitusPlan> = {
  name: 'citus',
  title: 'Coordinator and nodes of a Citus cluster killed under load',
  plans: {
    full: { kills: killsSetting, companiesPerNode: 2, awayMs: 8_000, settleMs: 600_000 },
    quick: { kills: 3, companiesPerNode: 1, awayMs: 4_000, settleMs: 600_000 },
  },
  findObstacle,
  run: (plan, context) => withFolder((folder) => withCluster((cluster) => run(cluster, folder, plan, context))),
};
