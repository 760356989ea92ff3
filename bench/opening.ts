import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type LoadedResponse, startLoadProcess } from '../harness/load.ts';
import { atLeast, atMost, info, type Metric, none } from '../harness/metrics.ts';
import { percentile, readProcess, readProcessor, startSampling } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { issueUnbilledTickets, makeSubscribers } from '../harness/subscribers.ts';
import { firstOfMonth } from '../src/domain/calendar.ts';
import { hashSecret } from '../src/platform/crypto/company-token.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import type { Db } from '../src/platform/db/database.ts';
import { basic } from '../test/support/app.ts';
import { makeKey } from '../test/support/factories.ts';
import { type Server, withServer } from './database.ts';
import { messageOf, type Request, startService } from './processes/index.ts';

interface Plan {
  employees: number;
  seconds: number;
  /** Requests a second of a company that reads the API at the same time. */
  apiPerSecond: number;
  calmSeconds: number;
}

/** An employee who waits longer has put the phone away. */
const goodWithinMs = 2_000;
const timeoutMs = 10_000;
const maxConnections = 1_000;

/** Signs everybody in, as if they had opened the page last month. Returns the cookies. */
async function signAllIn(db: Db, companyId: CompanyId): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where e.company_id = ${companyId} order by e.id`.execute(db);
  const sessions = rows.map(({ id }) => {
    const secret = randomBytes(32).toString('base64url');
    return { id, secret, hash: hashSecret(secret).toString('hex') };
  });
  const values = JSON.stringify(sessions.map(({ id, hash }) => ({ id, hash })));
  await sql`
    insert into employee_sessions (company_id, id, employee_id, token_hash, method, device, created_at, last_used_at)
    select ${companyId}, 'session-' || s.id, s.id, decode(s.hash, 'hex'), 'mailed-link', 'Safari, iPhone',
      now() - interval '40 days', now() - interval '30 days'
    from json_to_recordset(${values}::json) as s(id bigint, hash text)`.execute(db);
  await sql`analyze employee_sessions`.execute(db);
  return sessions.map(({ secret }) => `transit.my=${companyId}.${secret}`);
}

/** Phones are in networks of their own, as a proxy reports them. */
const networkOf = (phone: number) => [10, phone >> 16, (phone >> 8) & 255, phone & 255].join('.');

/** What the page asks for when a phone opens it: everything else is on the phone. */
const openings = (cookies: string[]): Request[] =>
  cookies.flatMap((cookie, phone) =>
    ['/my/api/session', '/my/api/home'].map((path) => ({
      path,
      headers: { cookie, 'x-forwarded-for': networkOf(phone) },
    })),
  );

/** No two requests follow each other that are equal, so few are answered from memory. */
const pages = (authorization: string): Request[] =>
  ['id', 'createdAt', 'updatedAt'].flatMap((sortField) =>
    Array.from({ length: 100 }, (_, index) => ({
      path: `/v1/employees?perPage=50&page=${index + 1}&sortField=${sortField}`,
      headers: { authorization },
    })),
  );

const p99 = (responses: LoadedResponse[]) =>
  percentile(
    responses.map(({ tookMs }) => tookMs),
    0.99,
  );
const isGood = ({ status, tookMs }: LoadedResponse) => status === 200 && tookMs <= goodWithinMs;
const failuresOf = (responses: LoadedResponse[]) => responses.filter(({ status }) => status !== 200).length;

async function measure({ url, db, folder, stops }: Server, plan: Plan): Promise<Metric[]> {
  const { employees, seconds, apiPerSecond, calmSeconds } = plan;
  const today = Temporal.Now.plainDateISO('Europe/Berlin');
  const month = firstOfMonth(today);
  const subscribers = { startOn: month, status: 'active', processedThrough: today } as const;
  const companyId = await makeSubscribers(db, { count: employees, ...subscribers });
  await issueUnbilledTickets(db, companyId, month);
  const cookies = await signAllIn(db, companyId);
  const reader = await makeSubscribers(db, { count: 5_000, ...subscribers });
  const key = basic(await makeKey(db, reader));
  const service = await startService(folder, { DATABASE_URL: url, LOG_LEVEL: 'warn', TRUST_PROXY: '1' });
  stops.defer(service.stop);
  const base = new URL(new URL(service.url).origin);
  const [phones, api] = [startLoadProcess(), startLoadProcess()];
  stops.defer(() => void phones.end());
  stops.defer(() => void api.end());
  const common = { port: Number(base.port), timeoutMs };
  const read = (duration: number) =>
    api.put({
      ...{ ...common, messages: pages(key).map((request) => messageOf(base, request)), seconds: duration },
      arrivals: { perSecond: apiPerSecond, maxConnections: 50 },
    });
  const open = (messages: string[], duration: number) =>
    phones.put({
      ...{ ...common, messages, seconds: duration, isSentOnce: true },
      arrivals: { perSecond: messages.length / duration, maxConnections },
    });
  const messages = openings(cookies).map((request) => messageOf(base, request));
  // Warms up, so that compiling code is not measured.
  await Promise.all([open(messages.slice(0, messages.length / 20), calmSeconds), read(calmSeconds)]);
  const alone = await read(calmSeconds);
  const before = await readProcessor(service.pid);
  const sampling = startSampling(500, () => readProcess(service.pid));
  const [opened, beside] = await Promise.all([open(messages, seconds), read(seconds)]).finally(() => sampling.stop());
  const processorMs = (await readProcessor(service.pid)) - before;
  const samples = await sampling.stop();
  const memory = (from: number, to: number) => samples.median('residentMb', { from: seconds * from, to: seconds * to });
  return [
    info('employees who open their ticket', employees),
    info('requests a second of their pages', messages.length / seconds),
    info('requests a second of the API', apiPerSecond),
    none('refused or failed', failuresOf(opened.responses) + opened.unsent),
    atLeast('goodput, % within 2 s', (100 * opened.responses.filter(isGood).length) / messages.length, 100),
    info(
      'p50 of the page, ms',
      percentile(
        opened.responses.map(({ tookMs }) => tookMs),
        0.5,
      ),
    ),
    atMost('p99 of the page, ms', p99(opened.responses), 250),
    none('refused or failed of the API', failuresOf(beside.responses) + beside.unsent),
    info('p99 of the API alone, ms', p99(alone.responses)),
    atMost('p99 of the API beside it, ms', p99(beside.responses), 250),
    info('processor of the service, % of a core', (100 * processorMs) / (opened.seconds * 1_000)),
    info('memory of the service, MB', memory(0.8, 1)),
    atMost('memory, last fifth / second fifth', memory(0.8, 1) / memory(0.2, 0.4), 1.2),
  ];
}

export const openingScenario: Scenario<Plan> = {
  name: 'opening',
  title:
    'The first of a month: employees open their ticket within a minute, while another company reads the API, at one process with one PostgreSQL',
  plans: {
    full: { employees: 10_000, seconds: 60, apiPerSecond: 50, calmSeconds: 10 },
    quick: { employees: 500, seconds: 6, apiPerSecond: 20, calmSeconds: 2 },
  },
  run: (plan) => withServer((server) => measure(server, plan)),
};
