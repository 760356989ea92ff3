import { sql } from 'kysely';
import { type LoadedResponse, type LoadProcess, startLoadProcess } from '../harness/load.ts';
import { atLeast, atMost, info, type Metric, none } from '../harness/metrics.ts';
import { percentile, readProcess, startSampling, watchMemory } from '../harness/observe.ts';
import { startWorkerProcess } from '../harness/processes.ts';
import type { Scenario } from '../harness/scenario.ts';
import { makeSubscribers } from '../harness/subscribers.ts';
import { firstOfMonth } from '../src/domain/calendar.ts';
import type { Integration } from '../src/features/companies/companies.ts';
import { readUser } from '../src/features/scim/rules/user.ts';
import { createScimToken } from '../src/features/scim/tokens.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import type { Db } from '../src/platform/db/database.ts';
import { basic } from '../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../test/support/factories.ts';
import { aUser } from '../test/support/scim.ts';
import { until } from '../test/support/until.ts';
import { companyContext } from '../test/support/webhooks.ts';
import { type Server, withServer } from './database.ts';
import { messageOf, type Request, type Running, startService } from './processes/index.ts';
import { openProcessorTimes, type ProcessorTimes } from './processor.ts';

interface Plan {
  /** How many users a provider sends: for some seconds at the rate of Entra ID, and the others at full speed. */
  users: number;
  pacedSeconds: number;
  /** How many users there are when lists are measured, and how many lists. */
  listed: number;
  lists: number;
}

/** What Entra ID sends to a tenant. */
const perSecond = 25;
const goodWithinMs = 2_000;
const timeoutMs = 60_000;
/** How many requests a minute the service takes from a provider, unless SCIM_RATE_LIMIT_PER_MINUTE says otherwise. */
const limit = 3_000;
/** Connections of a provider that sends as fast as it can. */
const concurrency = 8;
/** How many users a company has whose lists must not be faster by much. */
const few = 1_000;

interface Provider extends Integration {
  headers: Record<string, string>;
}

async function connectProvider(db: Db, companyId: CompanyId): Promise<Provider> {
  const hrIntegrationId = await makeIntegration(db, companyId);
  const { token } = await createScimToken(companyContext(db, companyId), { id: hrIntegrationId });
  return { companyId, hrIntegrationId, headers: { authorization: `Bearer ${token}` } };
}

const findByExternalId = ({ headers }: Provider, number: number): Request => {
  const filter = new URLSearchParams({ filter: `externalId eq "${aUser(number).externalId}"` });
  return { path: `/scim/v2/Users?${filter}`, headers };
};

/** Entra ID and Okta query for a user before they create one. */
const provision = (provider: Provider, from: number, count: number): Request[] =>
  Array.from({ length: count }, (_, index) => from + index).flatMap((number): Request[] => [
    findByExternalId(provider, number),
    {
      method: 'POST',
      path: '/scim/v2/Users',
      headers: { ...provider.headers, 'content-type': 'application/scim+json' },
      body: JSON.stringify(aUser(number)),
    },
  ]);

/** Inserts users as if the provider had sent them long ago. */
async function insertUsers(db: Db, { companyId, hrIntegrationId }: Provider, count: number): Promise<void> {
  const { details } = readUser(aUser(1), { timeZone: 'Europe/Berlin' });
  await sql`
    insert into scim_users (company_id, hr_integration_id, user_name, user_name_key, external_id, employee_number, active,
      hr_id, email_key, attributes, created_at, updated_at)
    select ${companyId}, ${hrIntegrationId}, m.mail, m.mail, 'ext-' || n, 'E' || n, true, 'E' || n, m.mail,
      ${JSON.stringify(details)}::jsonb, now(), now()
    from generate_series(1, ${count}::integer) n
    cross join lateral (select 'user' || n || '@example.com' as mail) m`.execute(db);
  await sql`analyze scim_users`.execute(db);
}

async function countEmployees(db: Db, companyId: CompanyId): Promise<number> {
  const { rows } = await sql<{ employees: number }>`
    select count(*) as employees from employees e where e.company_id = ${companyId}`.execute(db);
  return rows[0]?.employees ?? 0;
}

const originOf = ({ url }: Running) => new URL(new URL(url).origin);
const statusesOf = (responses: LoadedResponse[], ...statuses: number[]) =>
  responses.filter(({ status }) => statuses.includes(status)).length;
const timesOf = (responses: LoadedResponse[]) => responses.map(({ tookMs }) => tookMs);

interface Setting extends Pick<Server, 'db'> {
  /** With the limits that every installation has, and without. */
  limited: Running;
  unlimited: Running;
  worker: { pid: number };
  provider: LoadProcess;
}

const processorMetrics = (name: string, requests: number, times: ProcessorTimes<'service' | 'worker'>) => [
  info(`${name}: processor time of the service per request, ms`, times.service / requests),
  info(`${name}: of the worker, with its syncs, ms`, times.worker / requests),
  info(`${name}: of PostgreSQL, ms`, times.database / requests),
];

async function measurePaced({ db, limited, worker, provider }: Setting, to: Provider, seconds: number) {
  const base = originOf(limited);
  const requests = provision(to, 1, (perSecond * seconds) / 2);
  const messages = requests.map((request) => messageOf(base, request));
  const measureTimes = await openProcessorTimes(db, { service: limited.pid, worker: worker.pid });
  const { result, times } = await measureTimes(() =>
    provider.put({
      ...{ port: Number(base.port), timeoutMs, messages, isSentOnce: true },
      ...{ seconds: seconds + 1, arrivals: { perSecond, maxConnections: 50 } },
    }),
  );
  const { responses } = result;
  const good = responses.filter(({ status, tookMs }) => [200, 201].includes(status) && tookMs <= goodWithinMs);
  return [
    info(`requests, ${perSecond} a second`, messages.length),
    none('refused with 429', statusesOf(responses, 429)),
    atLeast('goodput, % within 2 s', (100 * good.length) / messages.length, 100),
    info('p50, ms', percentile(timesOf(responses), 0.5)),
    info('p99, ms', percentile(timesOf(responses), 0.99)),
    ...processorMetrics(`${perSecond} a second`, messages.length, times),
  ];
}

/** A provider that ignores its own limit: what exceeds the service's is refused, and nothing fails. */
async function measureThrottling({ limited, provider }: Setting, to: Provider): Promise<Metric[]> {
  const base = originOf(limited);
  // Even if another minute begins meanwhile, there are too many.
  const messages = new Array<string>(2 * limit + 200).fill(messageOf(base, findByExternalId(to, 1)));
  const load = {
    port: Number(base.port),
    timeoutMs,
    messages,
    isSentOnce: true,
    seconds: 60,
    arrivals: { concurrency },
  };
  const { responses } = await provider.put(load);
  const [served, refused] = [statusesOf(responses, 200), statusesOf(responses, 429)];
  return [
    info('lists at full speed, answered within the limit of a minute', served),
    atLeast('lists at full speed, refused with 429', refused, 1),
    none('lists at full speed, answered otherwise', responses.length - served - refused),
  ];
}

async function measureFullSpeed(
  { db, unlimited, worker, provider }: Setting,
  to: Provider,
  { from, count }: Record<'from' | 'count', number>,
): Promise<Metric[]> {
  const base = originOf(unlimited);
  const messages = provision(to, from, count).map((request) => messageOf(base, request));
  const measureTimes = await openProcessorTimes(db, { service: unlimited.pid, worker: worker.pid });
  const memory = await watchMemory(worker.pid);
  const sampling = startSampling(100, () => readProcess(unlimited.pid));
  const { result, seconds, times } = await measureTimes(() =>
    provider.put({
      ...{ port: Number(base.port), timeoutMs, messages, isSentOnce: true },
      ...{ seconds: 3_600, arrivals: { concurrency } },
    }),
  );
  const samples = await sampling.stop();
  const begun = performance.now();
  const users = from - 1 + count;
  await until('all users are employees', async () => (await countEmployees(db, to.companyId)) >= users, 600_000);
  const residentMb = (start: number, end: number) =>
    samples.median('residentMb', { from: seconds * start, to: seconds * end });
  return [
    info('users at full speed', count),
    info('users created a second', count / seconds),
    none('refused or failed', messages.length - statusesOf(result.responses, 200, 201)),
    info('p99 at full speed, ms', percentile(timesOf(result.responses), 0.99)),
    ...processorMetrics('full speed', messages.length, times),
    info('seconds until the last one is an employee', (performance.now() - begun) / 1_000),
    none('employees too many', (await countEmployees(db, to.companyId)) - users),
    info('memory of the service, MB', residentMb(0.8, 1)),
    atMost('memory of the service, last fifth / second fifth', residentMb(0.8, 1) / residentMb(0.2, 0.4), 1.2),
    atMost('memory growth of the worker, MB', await memory.stop(), 200),
  ];
}

/** One request after another, each for another user or employee. */
async function measureLists({ db, unlimited, provider }: Setting, { listed, lists }: Plan): Promise<Metric[]> {
  const today = Temporal.Now.plainDateISO('Europe/Berlin');
  const subscribers = { startOn: firstOfMonth(today), status: 'active', processedThrough: today } as const;
  const companyId = await makeSubscribers(db, { count: listed, ...subscribers });
  const many = await connectProvider(db, companyId);
  await insertUsers(db, many, listed);
  const other = await connectProvider(db, await makeCompany(db));
  await insertUsers(db, other, few);
  const headers = { authorization: basic(await makeKey(db, companyId)) };
  const numbers = Array.from({ length: lists }, (_, index) => 1 + Math.floor((index * listed) / lists));
  const base = originOf(unlimited);
  const time = async (requestOf: (number: number) => Request) => {
    const messages = numbers.map((number) => messageOf(base, requestOf(number)));
    const load = { port: Number(base.port), timeoutMs, seconds: 3_600, isSentOnce: true, arrivals: { concurrency: 1 } };
    const { responses } = await provider.put({ ...load, messages });
    if (statusesOf(responses, 200) < lists) throw new Error('A list has failed.');
    return { p50: percentile(timesOf(responses), 0.5), p99: percentile(timesOf(responses), 0.99) };
  };
  const byExternalId = (to: Provider, users: number) => time((number) => findByExternalId(to, 1 + (number % users)));
  // Warms up, so that compiling code is not measured.
  await byExternalId(many, listed);
  const measureTimes = await openProcessorTimes(db, { service: unlimited.pid });
  const { result: filtered, times } = await measureTimes(() => byExternalId(many, listed));
  const filteredFew = await byExternalId(other, few);
  const searched = await time((number) => ({ path: `/v1/employees?search=person${number}%40example.com`, headers }));
  return [
    info('users in lists', listed),
    info('list by externalId, median, ms', filtered.p50),
    info('list by externalId, p99, ms', filtered.p99),
    info('list by externalId: processor time of the service, ms', times.service / lists),
    info('list by externalId: of PostgreSQL, ms', times.database / lists),
    atMost('list by externalId / search for one employee by API, median', filtered.p50 / searched.p50, 1),
    info('list by externalId / search for one employee by API, p99', filtered.p99 / searched.p99),
    atMost(`list by externalId / the same of ${few} users, median`, filtered.p50 / filteredFew.p50, 2),
  ];
}

async function measure({ url, db, folder, stops }: Server, plan: Plan): Promise<Metric[]> {
  // Without a limit for keys, there are no other limits.
  const start = async (env: Record<string, string>) => {
    const service = await startService(folder, { DATABASE_URL: url, LOG_LEVEL: 'warn', ...env });
    stops.defer(service.stop);
    return service;
  };
  const limited = await start({ RATE_LIMIT_PER_MINUTE: '300' });
  const unlimited = await start({});
  const worker = await startWorkerProcess(url, folder);
  stops.defer(() => worker.end('SIGTERM'));
  const provider = startLoadProcess();
  stops.defer(() => void provider.end());
  const setting = { db, limited, unlimited, worker, provider };
  const to = await connectProvider(db, await makeCompany(db));
  const paced = (perSecond * plan.pacedSeconds) / 2;
  return [
    ...(await measurePaced(setting, to, plan.pacedSeconds)),
    ...(await measureThrottling(setting, to)),
    ...(await measureLists(setting, plan)),
    ...(await measureFullSpeed(setting, to, { from: paced + 1, count: plan.users - paced })),
  ];
}

export const scimScenario: Scenario<Plan> = {
  name: 'scim',
  title:
    'Users provisioned by SCIM (a query and a creation each) at 25 requests a second, then the others as fast as the service takes them, with the syncs that follow; lists with a filter by externalId',
  plans: {
    full: { users: 10_000, pacedSeconds: 60, listed: 100_000, lists: 2_000 },
    quick: { users: 1_000, pacedSeconds: 6, listed: 10_000, lists: 200 },
  },
  run: (plan) => withServer((server) => measure(server, plan)),
};
