import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { atLeast, atMost, info, type Metric, sum } from '../harness/metrics.ts';
import { readProcessor, readProcessorOfTree } from '../harness/observe.ts';
import { startWorkerProcess, type WorkerProcess } from '../harness/processes.ts';
import type { Scenario } from '../harness/scenario.ts';
import { makeSubscribers } from '../harness/subscribers.ts';
import { firstOfMonth } from '../src/domain/calendar.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import { openQueue } from '../src/platform/jobs/queue.ts';
import { withFolder } from '../test/support/process.ts';
import { until } from '../test/support/until.ts';
import { type Cluster, findObstacle, withCluster } from '../torture/citus/cluster.ts';

type Plan = Record<'companies' | 'employees', number>;

/** A worker also writes the documents of the companies that it has finished. */
const patienceMillis = 3_600_000;

const today = Temporal.Now.plainDateISO('UTC');
const first = firstOfMonth(today);

/** Creates companies, as many on each node. The others that are made on the way have nothing to do. */
async function makeCompanies({ db, nodes, locate }: Cluster, { companies, employees }: Plan): Promise<CompanyId[]> {
  const places = new Map(nodes.map((port) => [port, [] as CompanyId[]]));
  const size = Math.ceil(companies / nodes.length);
  while ([...places.values()].some((ids) => ids.length < size)) {
    const people = { count: employees, startOn: first, status: 'active' } as const;
    const id = await makeSubscribers(db, { ...people, processedThrough: today });
    const ids = places.get(await locate(id)) ?? [];
    if (ids.length < size) ids.push(id);
  }
  return [...places.values()].flat();
}

/** Returns the processor time that a server of this machine has used with all its processes, in milliseconds. */
async function readServer({ ask }: Cluster, port: number): Promise<number> {
  const [row] = await ask<{ folder: string }>(port, `select current_setting('data_directory') as folder`);
  const [main = ''] = (await readFile(join(row?.folder ?? '', 'postmaster.pid'), 'utf8')).split('\n');
  return readProcessorOfTree(Number(main));
}

interface Shares {
  single: number;
  several: number;
}

/** Returns how many statements went to one shard, and to several, since the server has counted. */
async function readShares({ ask }: Cluster, port: number): Promise<Shares> {
  const [row] = await ask<Shares>(
    port,
    `select query_execution_single_shard::int as single, query_execution_multi_shard::int as several
    from citus_stat_counters where name = current_database()`,
  );
  return row ?? { single: 0, several: 0 };
}

interface Month {
  ms: number;
  /** Processor time in milliseconds. */
  workers: number[];
  nodes: number[];
  coordinator: number;
  shares: Shares;
}

/** Lets so many workers play the month of all companies. */
async function playMonth(cluster: Cluster, folder: string, workers: number, plan: Plan): Promise<Month> {
  const { db, url, nodes, coordinator } = cluster;
  await using stops = new AsyncDisposableStack();
  const ids = await makeCompanies(cluster, plan);
  const queue = await openQueue({ url, worker: false, log: pino({ level: 'silent' }) });
  stops.defer(queue.stop);
  const processes: WorkerProcess[] = [];
  for (let count = 0; count < workers; count++) {
    const worker = await startWorkerProcess(url, folder);
    stops.defer(() => worker.end('SIGTERM'));
    processes.push(worker);
  }
  const readAll = async () => [
    ...(await Promise.all(processes.map(({ pid }) => readProcessor(pid)))),
    ...(await Promise.all([coordinator, ...nodes].map((port) => readServer(cluster, port)))),
  ];
  const before = await readAll();
  const sharesBefore = await readShares(cluster, coordinator);
  await sql`update companies set processed_through = ${first.subtract({ days: 1 }).toString()}::date
    where id = any(${ids})`.execute(db);
  const begun = performance.now();
  await queue.enqueueDailyRuns(ids);
  // The queue is a table of the coordinator: asking it is no statement of the cluster.
  await until(
    'all companies have played their month',
    async () => {
      const { rows } = await sql<{ open: number }>`
        select count(*) as open from queue.job where name = 'run-daily' and state < 'completed'`.execute(db);
      return rows[0]?.open === 0;
    },
    patienceMillis,
  );
  const ms = performance.now() - begun;
  const used = (await readAll()).map((value, index) => value - (before[index] ?? 0));
  const after = await readShares(cluster, coordinator);
  const { rows: tickets } = await sql<{ count: number }>`
    select count(*) as count from tickets where company_id = any(${ids}) and month = ${first.toString()}::date`.execute(
    db,
  );
  assert.equal(tickets[0]?.count, ids.length * plan.employees);
  return {
    ms,
    workers: used.slice(0, workers),
    coordinator: used[workers] ?? 0,
    nodes: used.slice(workers + 1),
    shares: { single: after.single - sharesBefore.single, several: after.several - sharesBefore.several },
  };
}

/** What takes longest if each process has a processor of its own. A worker waits for its statements. */
const pathOf = ({ workers, nodes, coordinator }: Month) =>
  Math.max(...workers) + (sum(nodes) + coordinator) / workers.length;

async function run(cluster: Cluster, folder: string, plan: Plan): Promise<Metric[]> {
  await sql`alter system set citus.enable_stat_counters = on`.execute(cluster.db);
  await sql`select pg_reload_conf()`.execute(cluster.db);
  const one = await playMonth(cluster, folder, 1, plan);
  const two = await playMonth(cluster, folder, 2, plan);
  const single = one.shares.single + two.shares.single;
  const all = single + one.shares.several + two.shares.several;
  const describe = (name: string, { ms, workers, nodes, coordinator }: Month) => [
    info(`${name}, ms`, ms),
    info(`${name}, processor time of the busiest worker, ms`, Math.max(...workers)),
    info(`${name}, processor time of the busiest node, ms`, Math.max(...nodes)),
    info(`${name}, processor time of the coordinator, ms`, coordinator),
  ];
  return [
    ...describe('one worker', one),
    ...describe('two workers', two),
    info('two workers / one, time on two cores for all', two.ms / one.ms),
    atMost('two workers / one, processor time of the longest way', pathOf(two) / pathOf(one), 0.65),
    info('statements', all),
    atLeast('statements that went to one shard, %', (100 * single) / all, 99.9),
  ];
}

export const citusMonthScenario: Scenario<Plan> = {
  name: 'citus-month',
  title:
    'One and two workers play the month of companies on two nodes of a Citus cluster. All processes share the cores, so their processor time counts',
  plans: { full: { companies: 20, employees: 5_000 }, quick: { companies: 4, employees: 500 } },
  findObstacle,
  run: (plan) => withFolder((folder) => withCluster((cluster) => run(cluster, folder, plan))),
};
