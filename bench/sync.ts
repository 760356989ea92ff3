import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { median, percentile, timeRequests } from '../harness/observe.ts';
import { startApi, startWorkerProcess } from '../harness/processes.ts';
import { watchMemory } from '../harness/samples.ts';
import type { Scenario } from '../harness/scenario.ts';
import type { RosterEntry } from '../src/features/roster/rules/entry.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../src/platform/db/database.ts';
import { openEmbedded } from '../src/platform/db/embedded/index.ts';
import { basic } from '../test/support/app.ts';
import { anEmployee, makeCompany, makeEmployees, makeIntegration, makeKey } from '../test/support/factories.ts';
import { withFolder } from '../test/support/process.ts';
import { type Baseline, measureBaseline } from './baseline.ts';

interface Plan {
  entries: number;
  rounds: number;
}

const idleMs = 6_000;

const firstNames = ['Anna', 'Jürgen', 'Zoë', 'Mehmet', 'Łukasz', 'Chloé', 'Søren', 'Ines'];
const lastNames = ['Müller', 'Schmidt', 'Yılmaz', 'Groß', 'Nowak', 'Petersen', 'Weiß', 'Okafor', 'Lang'];

function makeRoster(count: number): RosterEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    hrId: `E-${100_000 + index}`,
    firstName: firstNames[index % firstNames.length] as string,
    lastName: `${lastNames[index % lastNames.length]} ${index}`,
    email: `employee.${index}@example.com`,
    dateOfBirth: `19${70 + (index % 30)}-0${1 + (index % 9)}-15`,
    startDate: `20${10 + (index % 10)}-03-01`,
  }));
}

interface Target {
  companyId: CompanyId;
  integrationId: number;
  base: string;
  headers: Record<string, string>;
}

async function makeTarget(db: Db, apiUrl: string): Promise<Target> {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  const authorization = basic(await makeKey(db, companyId));
  return { companyId, integrationId, base: apiUrl, headers: { authorization, 'content-type': 'application/json' } };
}

interface SyncTimes {
  /** The time until the response 204. */
  acceptedMs: number;
  /** The time until the integration shows the outcome. */
  visibleMs: number;
}

async function sync({ base, integrationId, headers }: Target, syncId: string, employees: string): Promise<SyncTimes> {
  const body = Buffer.from(`{"syncId":"${syncId}","employees":${employees}}`);
  const begun = performance.now();
  const { status } = await fetch(`${base}/hr-integrations/${integrationId}/sync`, { method: 'POST', headers, body });
  if (status !== 204) throw new Error(`The roster was answered ${status}.`);
  const acceptedMs = performance.now() - begun;
  for (;;) {
    const response = await fetch(`${base}/hr-integrations/${integrationId}`, { headers });
    const { data } = (await response.json()) as { data: { lastSyncId: string | null; lastSyncStatus: string | null } };
    if (data.lastSyncId === syncId) {
      if (data.lastSyncStatus !== 'succeeded') throw new Error(`The sync ended as ${data.lastSyncStatus}.`);
      return { acceptedMs, visibleMs: performance.now() - begun };
    }
    await sleep(20);
  }
}

interface Setting {
  db: Db;
  databaseUrl: string;
  apiUrl: string;
  pids: { api: number; worker: number };
}

interface Round {
  baseline: Baseline;
  first: SyncTimes;
  repeated: SyncTimes;
}

async function playRound(
  { db, databaseUrl, apiUrl }: Setting,
  roster: RosterEntry[],
  employees: string,
): Promise<Round> {
  const baseline = await measureBaseline(databaseUrl, await makeTarget(db, apiUrl), roster);
  const target = await makeTarget(db, apiUrl);
  const first = await sync(target, 'first', employees);
  return { baseline, first, repeated: await sync(target, 'second', employees) };
}

/** Measures reads of a company of 1,000, first alone and then while another company's first roster is applied. */
async function measureReaders(setting: Setting, employees: string): Promise<{ idleMs: number[]; busyMs: number[] }> {
  const reader = await makeTarget(setting.db, setting.apiUrl);
  await makeEmployees(
    setting.db,
    reader.companyId,
    Array.from({ length: 1_000 }, () => anEmployee()),
  );
  const url = `${reader.base}/employees?perPage=50`;
  const forAWhile = () => {
    const end = performance.now() + idleMs;
    return () => performance.now() > end;
  };
  await timeRequests(url, reader.headers, forAWhile());
  const idle = await timeRequests(url, reader.headers, forAWhile());
  let isOver = false;
  const syncing = (async () => {
    const begun = performance.now();
    while (performance.now() - begun < idleMs) {
      await sync(await makeTarget(setting.db, setting.apiUrl), 'first', employees);
    }
    isOver = true;
  })();
  const busy = await timeRequests(url, reader.headers, () => isOver);
  await syncing;
  return { idleMs: idle, busyMs: busy };
}

async function measure(setting: Setting, { entries, rounds }: Plan): Promise<Metric[]> {
  const roster = makeRoster(entries);
  const employees = JSON.stringify(roster);
  // Warms up, so that compiling code and preparing statements are not measured.
  await sync(await makeTarget(setting.db, setting.apiUrl), 'warm-up', JSON.stringify(roster.slice(0, 2_000)));
  const api = await watchMemory(setting.pids.api);
  const worker = await watchMemory(setting.pids.worker);
  const played: Round[] = [];
  for (let round = 0; round < rounds; round++) played.push(await playRound(setting, roster, employees));
  const memory = { api: await api.stop(), worker: await worker.stop() };
  const readers = await measureReaders(setting, employees);
  const middle = (pick: (round: Round) => number) => median(played.map(pick));
  const [idle, busy] = [percentile(readers.idleMs, 0.99), percentile(readers.busyMs, 0.99)];
  const compare = (name: string, which: 'first' | 'repeated', limit: number) => [
    info(
      `plain SQL, ${name}, ms`,
      middle(({ baseline }) => baseline[`${which}Ms`]),
    ),
    info(
      `${name} roster accepted (204), ms`,
      middle((round) => round[which].acceptedMs),
    ),
    info(
      `${name} roster visible, ms`,
      middle((round) => round[which].visibleMs),
    ),
    atMost(
      `${name} roster / plain SQL`,
      middle((round) => round[which].visibleMs / round.baseline[`${which}Ms`]),
      limit,
    ),
  ];
  return [
    ...compare('first', 'first', 4),
    ...compare('unchanged', 'repeated', 5),
    atMost('memory growth of the API, MB', memory.api, 300),
    atMost('memory growth of the worker, MB', memory.worker, 300),
    info('GET /employees p99 idle, ms', idle),
    info('GET /employees p99 during a sync, ms', busy),
    atMost('GET /employees p99, during / idle', busy / idle, 3),
  ];
}

async function withSetting<T>(folder: string, work: (setting: Setting) => Promise<T>): Promise<T> {
  const server = await openEmbedded({ dataDir: folder, role: 'serve' });
  try {
    const api = await startApi(server.adminUrl, folder);
    const worker = await startWorkerProcess(server.adminUrl, folder);
    const { db, close } = connectDatabase({ url: server.adminUrl, max: 2, applicationName: 'bench' });
    try {
      return await work({
        db,
        databaseUrl: server.adminUrl,
        apiUrl: api.url,
        pids: { api: api.pid, worker: worker.pid },
      });
    } finally {
      await close();
      await worker.end('SIGTERM');
      api.signal('SIGTERM');
      await api.exited;
    }
  } finally {
    await server.stop();
  }
}

async function countEmployeeScans(db: Db): Promise<{ scans: number; inserted: number }> {
  const { rows } = await sql<{ scans: number; inserted: number }>`
    select seq_scan as scans, n_tup_ins as inserted from pg_stat_user_tables where relname = 'employees'`.execute(db);
  return rows[0] ?? { scans: 0, inserted: 0 };
}

/** Returns the scans of the whole table of employees. Sessions report what they did up to a second later. */
async function countScansAfter(db: Db, inserted: number): Promise<number> {
  for (;;) {
    const counted = await countEmployeeScans(db);
    if (counted.inserted >= inserted) return counted.scans;
    await sleep(100);
  }
}

/** A trial with a few people, by the same worker, and then everybody. */
async function measureGrowth({ db, apiUrl }: Setting, { entries, rounds }: Plan): Promise<Metric[]> {
  const target = await makeTarget(db, apiUrl);
  const roster = makeRoster(entries);
  for (let round = 1; round <= rounds; round++) {
    await sync(target, `trial ${round}`, JSON.stringify(roster.slice(0, 90 + round)));
  }
  const before = await countScansAfter(db, 90 + rounds);
  const { visibleMs } = await sync(target, 'everybody', JSON.stringify(roster));
  const scans = (await countScansAfter(db, entries)) - before;
  return [info('everybody visible, ms', visibleMs), atMost('sequential scans of employees', scans, entries / 100)];
}

/** API, worker and PostgreSQL are separate processes, and share the machine with this one. */
export const syncScenario: Scenario<Plan> = {
  name: 'sync',
  title:
    'A first roster and the same again, against plain SQL that does the minimum on the same server; memory of both processes; what other companies notice',
  plans: { full: { entries: 100_000, rounds: 3 }, quick: { entries: 10_000, rounds: 1 } },
  run: (plan) => withFolder((folder) => withSetting(folder, (setting) => measure(setting, plan))),
};

export const growingSyncScenario: Scenario<Plan> = {
  name: 'growing-sync',
  title: 'Small rosters, then everybody, by the same worker: plans that were made for a small table must not survive',
  plans: { full: { entries: 20_000, rounds: 8 }, quick: { entries: 5_000, rounds: 8 } },
  run: (plan) => withFolder((folder) => withSetting(folder, (setting) => measureGrowth(setting, plan))),
};
