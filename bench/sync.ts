import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import postgres from 'postgres';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { median, percentile, readProcess, readProcessor, timeRequests, watchMemory } from '../harness/observe.ts';
import { startApi, startWorkerProcess } from '../harness/processes.ts';
import type { Scenario } from '../harness/scenario.ts';
import { emailKey, searchText } from '../src/domain/search.ts';
import type { RosterEntry } from '../src/features/roster/rules/entry.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import type { Db } from '../src/platform/db/database.ts';
import { basic } from '../test/support/app.ts';
import { anEmployee, makeCompany, makeEmployees, makeIntegration, makeKey } from '../test/support/factories.ts';
import { withServer } from './database.ts';
import { startProcessorTime } from './processor.ts';

/** Plain SQL that does the minimum, in the same tables with all their indexes. Folding and parsing are not counted. */
const columns = 'hr_id, first_name, last_name, email, email_key, search_text, date_of_birth, employed_from';

const createStaging = `create table if not exists bench_staging (hr_id text, first_name text, last_name text, email text,
  email_key text, search_text text, date_of_birth date, employed_from date)`;

const insertAll = `
  with added as (
    insert into employees (company_id, first_name, last_name, email, email_key, search_text, date_of_birth,
      employed_from, plan_type)
    select $1, s.first_name, s.last_name, s.email, s.email_key, s.search_text, s.date_of_birth, s.employed_from,
      'fully-subsidized-plan' from bench_staging s
    returning id, email_key
  )
  insert into hr_links (company_id, employee_id, hr_integration_id, hr_id)
  select $1, a.id, $2, s.hr_id from added a join bench_staging s using (email_key)`;

const compareAll = `
  select count(*) from bench_staging s
  left join hr_links l on l.company_id = $1 and l.hr_integration_id = $2 and l.hr_id = s.hr_id
  left join employees e on e.company_id = $1 and e.id = l.employee_id
  where (e.first_name, e.last_name, e.email, e.date_of_birth, e.employed_from) is distinct from
    (s.first_name, s.last_name, s.email, s.date_of_birth, s.employed_from)`;

const escapeField = (text: string) =>
  text.replace(/[\\\n\t]/g, (character) => ({ '\n': '\\n', '\t': '\\t' })[character] ?? '\\\\');

const toLine = ({ hrId, firstName, lastName, email, dateOfBirth, startDate }: RosterEntry) =>
  [hrId, firstName, lastName, email, emailKey(email), searchText(firstName, lastName, email), dateOfBirth, startDate]
    .map((value) => (value == null ? '\\N' : escapeField(value)))
    .join('\t');

async function measureBaseline(
  { db, databaseUrl }: Pick<Setting, 'db' | 'databaseUrl'>,
  { companyId, integrationId }: { companyId: number; integrationId: number },
  entries: RosterEntry[],
) {
  const rows = Buffer.from(`${entries.map(toLine).join('\n')}\n`);
  const sql = postgres(databaseUrl, { max: 1, onnotice() {} });
  const time = async (statement: string) => {
    await sql.unsafe(`${createStaging}; truncate bench_staging`);
    const begun = performance.now();
    const processor = await startProcessorTime(db, [process.pid]);
    const found = await sql.begin(async (tx) => {
      await pipeline(Readable.from([rows]), await tx.unsafe(`copy bench_staging (${columns}) from stdin`).writable());
      return tx.unsafe(statement, [companyId, integrationId]);
    });
    return { ms: performance.now() - begun, processorMs: await processor.stop(), found };
  };
  try {
    const first = await time(insertAll);
    // Without statistics of the new rows, PostgreSQL sometimes compares each one with all others, for many minutes.
    await sql`analyze employees, hr_links`;
    const repeated = await time(compareAll);
    const different = Number(repeated.found[0]?.count);
    if (different !== 0) throw new Error(`${different} differ where none should.`);
    await sql`drop table bench_staging`;
    return { first, repeated };
  } finally {
    await sql.end();
  }
}

type Plan = Record<'entries' | 'rounds', number>;
type SyncPlan = Plan & { large: number };

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
  acceptedMs: number;
  visibleMs: number;
}

async function sync(
  { base, integrationId, headers }: Target,
  syncId: string,
  employees: string,
  onAccepted = async () => {},
): Promise<SyncTimes> {
  const body = Buffer.from(`{"syncId":"${syncId}","employees":${employees}}`);
  const begun = performance.now();
  const { status } = await fetch(`${base}/hr-integrations/${integrationId}/sync`, { method: 'POST', headers, body });
  if (status !== 204) throw new Error(`The roster was answered ${status}.`);
  const acceptedMs = performance.now() - begun;
  await onAccepted();
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
  api: { url: string; pid: number };
  worker: { pid: number };
}

/** Applies a roster. The requests that ask for its outcome are left out: they are as many as the harness likes. */
async function measureSync({ db, api, worker }: Setting, target: Target, syncId: string, employees: string) {
  const processor = await startProcessorTime(db, [worker.pid]);
  const before = await readProcessor(api.pid);
  let receivedMs = 0;
  const times = await sync(target, syncId, employees, async () => {
    receivedMs = (await readProcessor(api.pid)) - before;
  });
  return { ...times, processorMs: receivedMs + (await processor.stop()) };
}

async function playRound(setting: Setting, roster: RosterEntry[], employees: string) {
  const { db, api } = setting;
  const baseline = await measureBaseline(setting, await makeTarget(db, api.url), roster);
  const target = await makeTarget(db, api.url);
  const first = await measureSync(setting, target, 'first', employees);
  return { baseline, first, repeated: await measureSync(setting, target, 'second', employees) };
}

async function measureReaders({ db, api }: Setting, employees: string) {
  const { companyId, headers } = await makeTarget(db, api.url);
  const all = Array.from({ length: 1_000 }, () => anEmployee());
  await makeEmployees(db, companyId, all);
  const readUntil = (isOver: () => boolean) => timeRequests(`${api.url}/employees?perPage=50`, headers, isOver);
  const forAWhile = (begun = performance.now()) => readUntil(() => performance.now() > begun + idleMs);
  await forAWhile();
  const idle = percentile(await forAWhile(), 0.99);
  const begun = performance.now();
  let isOver = false;
  const syncing = (async () => {
    while (performance.now() - begun < idleMs) await sync(await makeTarget(db, api.url), 'first', employees);
    isOver = true;
  })();
  const busy = percentile(await readUntil(() => isOver), 0.99);
  await syncing;
  return { idle, busy };
}

/** The worker after a large first roster, above its start. */
async function measureLarge({ db, api, worker }: Setting, count: number): Promise<number> {
  const employees = JSON.stringify(makeRoster(count));
  const memory = await watchMemory(worker.pid);
  await sync(await makeTarget(db, api.url), 'large', employees);
  return memory.stop();
}

async function measure(setting: Setting, { entries, rounds, large }: SyncPlan): Promise<Metric[]> {
  const { db, api, worker } = setting;
  const { residentMb } = await readProcess(api.pid);
  const roster = makeRoster(entries);
  const employees = JSON.stringify(roster);
  // Warms up, so that compiling code and preparing statements are not measured.
  await sync(await makeTarget(db, api.url), 'warm-up', JSON.stringify(roster.slice(0, 2_000)));
  const memory = [await watchMemory(api.pid), await watchMemory(worker.pid)] as const;
  const played: Awaited<ReturnType<typeof playRound>>[] = [];
  for (let round = 0; round < rounds; round++) played.push(await playRound(setting, roster, employees));
  const [growthOfApi, growthOfWorker] = [await memory[0].stop(), await memory[1].stop()];
  const growthOfLarge = await measureLarge(setting, large);
  const { idle, busy } = await measureReaders(setting, employees);
  const compare = (name: string, which: 'first' | 'repeated', limit: number) => {
    const plain = played.map(({ baseline }) => baseline[which].ms);
    const [accepted, visible] = (['acceptedMs', 'visibleMs'] as const).map((time) =>
      played.map((one) => one[which][time]),
    );
    const processor = played.map((one) => one[which].processorMs);
    const ratios = played.map((one) => one[which].processorMs / one.baseline[which].processorMs);
    return [
      info(`plain SQL, ${name}, ms`, median(plain)),
      info(`${name} roster accepted (204), ms`, median(accepted ?? [])),
      info(`${name} roster visible, ms`, median(visible ?? [])),
      info(`${name} roster, processor time of service and PostgreSQL, ms`, median(processor)),
      atMost(`${name} roster / plain SQL, processor time`, median(ratios), limit),
    ];
  };
  return [
    ...compare('first', 'first', 2.5),
    ...compare('unchanged', 'repeated', 3),
    atMost('memory of the idle API, MB', residentMb, 200),
    atMost('memory growth of the API, MB', growthOfApi, 300),
    atMost('memory growth of the worker, MB', growthOfWorker, 200),
    atMost(`memory growth of the worker with a roster of ${large}, MB`, growthOfLarge, 200),
    info('GET /employees p99 idle, ms', idle),
    info('GET /employees p99 during a sync, ms', busy),
    atMost('GET /employees p99, during / idle', busy / idle, 3),
  ];
}

const withSetting = <T>(work: (setting: Setting) => Promise<T>): Promise<T> =>
  withServer(async ({ url, db, folder, stops }) => {
    const api = await startApi(url, folder);
    stops.defer(() => api.end('SIGTERM'));
    const worker = await startWorkerProcess(url, folder);
    stops.defer(() => worker.end('SIGTERM'));
    return await work({ db, databaseUrl: url, api, worker });
  });

/** Returns the scans of the whole table of employees. Sessions report what they did up to a second later. */
async function countScansAfter(db: Db, inserted: number): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ scans: number }>`
      select seq_scan as scans from pg_stat_user_tables
      where relname = 'employees' and n_tup_ins >= ${inserted}`.execute(db);
    if (rows[0]) return rows[0].scans;
    await sleep(100);
  }
}

/** A trial with a few people, by the same worker, and then everybody. */
async function measureGrown(setting: Setting, { entries, rounds }: Plan) {
  const { db, api } = setting;
  const target = await makeTarget(db, api.url);
  const roster = makeRoster(entries);
  for (let round = 1; round <= rounds; round++) {
    await sync(target, `trial ${round}`, JSON.stringify(roster.slice(0, 90 + round)));
  }
  const before = await countScansAfter(db, 90 + rounds);
  const everybody = await measureSync(setting, target, 'everybody', JSON.stringify(roster));
  return { ...everybody, scans: (await countScansAfter(db, entries)) - before };
}

const measureFresh = async (setting: Setting, { entries }: Plan) =>
  measureSync(setting, await makeTarget(setting.db, setting.api.url), 'everybody', JSON.stringify(makeRoster(entries)));

async function compareGrowth(plan: Plan): Promise<Metric[]> {
  const grown = await withSetting((setting) => measureGrown(setting, plan));
  const fresh = await withSetting((setting) => measureFresh(setting, plan));
  return [
    info('everybody visible, ms', grown.visibleMs),
    atMost('sequential scans of employees', grown.scans, plan.entries / 100),
    info('processor time in a fresh process, ms', fresh.processorMs),
    atMost('processor time after the small ones / in a fresh process', grown.processorMs / fresh.processorMs, 1.2),
  ];
}

export const syncScenario: Scenario<SyncPlan> = {
  name: 'sync',
  title:
    'A first roster and the same again, against plain SQL that does the minimum on the same server; memory of both processes; what other companies notice',
  plans: {
    full: { entries: 100_000, rounds: 3, large: 250_000 },
    quick: { entries: 10_000, rounds: 1, large: 25_000 },
  },
  run: (plan) => withSetting((setting) => measure(setting, plan)),
};

export const growingSyncScenario: Scenario<Plan> = {
  name: 'growing-sync',
  title: 'Small rosters, then everybody, by the same worker: plans that were made for a small table must not survive',
  plans: { full: { entries: 20_000, rounds: 8 }, quick: { entries: 5_000, rounds: 8 } },
  run: compareGrowth,
};
