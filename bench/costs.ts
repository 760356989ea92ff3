import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { info, type Metric } from '../harness/metrics.ts';
import { startApi, startWorkerProcess } from '../harness/processes.ts';
import type { Scenario } from '../harness/scenario.ts';
import { makeSubscribers } from '../harness/subscribers.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../src/platform/db/database.ts';
import { openEmbedded } from '../src/platform/db/embedded/index.ts';
import { prepareDatabase } from '../src/platform/db/prepare-database.ts';
import { openQueue } from '../src/platform/jobs/queue.ts';
import { basic } from '../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../test/support/factories.ts';
import { withFolder } from '../test/support/process.ts';
import { entries } from '../test/support/roster-entries.ts';
import { until } from '../test/support/until.ts';

interface Plan {
  companies: number;
  employees: number;
  requests: number;
  repeatedRosters: number;
}

interface Times {
  api: number;
  worker: number;
  database: number;
}

/** Returns the parent and the processor time of a process, and that of its children that have ended. */
async function readProcess(pid: number) {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const time = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) * 10;
  return { parent: Number(fields[1]), own: time(11), ended: time(13) };
}

/** Returns the processor time of a server and of all its processes, in ms. */
async function readServer(postmaster: number): Promise<number> {
  const { own, ended } = await readProcess(postmaster);
  let total = own + ended;
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const child = await readProcess(Number(name)).catch(() => undefined);
    if (child?.parent === postmaster) total += child.own;
  }
  return total;
}

/** Waits until nothing is left to do, not even documents. */
const untilIdle = (db: Db) =>
  until('all jobs are done', async () => {
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from queue.job where name <> 'restore-lost-jobs' and state <= 'active')
        + (select count(*) from documents where content is not null) as left`.execute(db);
    return rows[0]?.left === 0;
  });

interface Place {
  db: Db;
  databaseUrl: string;
  apiUrl: string;
  /** Does some work and returns the processor time per unit of it. */
  measure(units: number, work: () => Promise<unknown>): Promise<Times>;
}

interface Member {
  companyId: CompanyId;
  integrationId: number;
  authorization: string;
}

async function makeMember(db: Db): Promise<Member> {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  return { companyId, integrationId, authorization: basic(await makeKey(db, companyId)) };
}

async function call({ apiUrl }: Place, { authorization }: Member, path: string, body?: object): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${apiUrl}${path}`, { headers, ...sent });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
}

async function pushAll(place: Place, members: Member[], syncId: string, employees: object[]): Promise<void> {
  for (const member of members)
    await call(place, member, `/hr-integrations/${member.integrationId}/sync`, { syncId, employees });
  await untilIdle(place.db);
}

async function runDays({ db, databaseUrl }: Place, companyIds: CompanyId[]): Promise<void> {
  const queue = await openQueue({ url: databaseUrl, worker: false, log: pino({ level: 'silent' }) });
  await queue.enqueueDailyRuns(companyIds);
  await queue.stop();
  await untilIdle(db);
}

const makeCompanies = async (db: Db, plan: Plan, processedThrough: Temporal.PlainDate): Promise<CompanyId[]> => {
  const ids: CompanyId[] = [];
  const startOn = processedThrough.subtract({ months: 1 }).with({ day: 1 });
  for (let count = 0; count < plan.companies; count++)
    ids.push(await makeSubscribers(db, { count: plan.employees, startOn, status: 'active', processedThrough }));
  return ids;
};

async function measureCosts(place: Place, plan: Plan): Promise<Record<string, Times>> {
  const { db, measure } = place;
  const members: Member[] = [];
  for (let count = 0; count < plan.companies; count++) members.push(await makeMember(db));
  const roster = entries(plan.employees);
  const first = await measure(plan.companies * plan.employees, () => pushAll(place, members, 'first', roster));
  const repeated = await measure(plan.companies * plan.repeatedRosters, async () => {
    for (let round = 0; round < plan.repeatedRosters; round++) await pushAll(place, members, `again ${round}`, roster);
  });
  const request = await measure(plan.requests, async () => {
    for (let sent = 0; sent < plan.requests; sent++)
      await call(place, members[sent % members.length] as Member, '/employees?perPage=10');
  });
  const today = Temporal.Now.plainDateISO('Europe/Berlin');
  const quiet = await makeCompanies(db, plan, today.subtract({ days: 1 }));
  // The first of a month issues tickets, so a day like any other ends one before it.
  const day = await measure(plan.companies, () => runDays(place, quiet));
  const billed = await makeCompanies(db, plan, today.with({ day: 1 }).subtract({ days: 1 }));
  const month = await measure(plan.companies, () => runDays(place, billed));
  const otherDays = today.day - 1;
  const ticket = (of: keyof Times) => (month[of] - otherDays * day[of]) / plan.employees;
  return {
    'a list of 10 employees': request,
    'a new roster entry': first,
    [`an unchanged roster of ${plan.employees} entries`]: repeated,
    'a day of a company without anything due': day,
    'a ticket with its charge and its document': {
      api: ticket('api'),
      worker: ticket('worker'),
      database: ticket('database'),
    },
  };
}

const run = (plan: Plan): Promise<Metric[]> =>
  withFolder(async (folder) => {
    await using stops = new AsyncDisposableStack();
    const server = await openEmbedded({ dataDir: folder, role: 'serve' });
    stops.defer(() => server.stop());
    const owner = connectDatabase({ url: server.ownerUrl, max: 3, applicationName: 'bench', streaming: true });
    await prepareDatabase({ db: owner.db, url: server.ownerUrl, serviceRole: new URL(server.url).username });
    await owner.db.insertInto('environment').values({ name: 'staging' }).execute();
    await owner.close();
    const { db, close } = connectDatabase({ url: server.adminUrl, max: 4, applicationName: 'bench', streaming: true });
    stops.defer(close);
    const api = await startApi(server.url, folder);
    stops.defer(async () => {
      api.signal('SIGTERM');
      await api.exited;
    });
    const worker = await startWorkerProcess(server.url, folder);
    stops.defer(() => worker.end('SIGTERM'));
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    const { parent: postmaster } = await readProcess(rows[0]?.pid ?? 0);
    const read = async (): Promise<Times> => ({
      api: (await readProcess(api.pid)).own,
      worker: (await readProcess(worker.pid)).own,
      database: await readServer(postmaster),
    });
    const measure: Place['measure'] = async (units, work) => {
      const before = await read();
      await work();
      const after = await read();
      const per = (of: keyof Times) => (after[of] - before[of]) / units;
      return { api: per('api'), worker: per('worker'), database: per('database') };
    };
    await untilIdle(db);
    const costs = await measureCosts({ db, databaseUrl: server.url, apiUrl: api.url, measure }, plan);
    return Object.entries(costs).flatMap(([name, times]) =>
      Object.entries(times).map(([of, millis]) => info(`${name}: ${of}, ms`, Math.max(0, millis))),
    );
  });

export const costsScenario: Scenario<Plan> = {
  name: 'costs',
  title: 'Processor time of API, worker and database per unit of work of small companies',
  plans: {
    full: { companies: 20, employees: 150, requests: 3_000, repeatedRosters: 4 },
    quick: { companies: 5, employees: 50, requests: 200, repeatedRosters: 2 },
  },
  run,
};
