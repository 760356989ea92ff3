import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { atLeast, atMost, info, type Metric, none } from '../../harness/metrics.ts';
import { percentile } from '../../harness/observe.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { Db } from '../../src/db/database.ts';
import type { Serving } from '../../test/support/process.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { HttpClient, runConcurrently } from '../support/http-client.ts';
import { makeChargedEmployees, makeTestCompany, type TestCompany } from '../support/test-company.ts';
import { exchange } from './exchange.ts';
import { type Message, MessageParts } from './message.ts';
import { messageFamilies } from './messages.ts';
import { countConnections, openSlowConnections, type SlowCounts } from './slow-connections.ts';

interface MalformedPlan {
  messages: number;
  slow: SlowCounts;
  /** The number of employees. Each has a charge in the export. */
  employees: number;
  /**
   * The limits for the measured times. Absent if the machine also does other work. The run then does not wait for slow
   * connections to end.
   */
  limits?: { p99Ms: number; goneSeconds: number };
}

const concurrency = 10;
const clients = 4;

interface Target {
  api: Serving;
  port: number;
  db: Db;
  company: TestCompany;
  integrationId: number;
  /** The header line that authenticates a request. */
  credentials: string;
}

async function prepare({ db, startApi }: Fixture, { employees }: MalformedPlan): Promise<Target> {
  const company = await makeTestCompany(db);
  await makeChargedEmployees(db, company.companyId, employees);
  await sql`analyze`.execute(db);
  const api = await startApi();
  const credentials = `Authorization: ${company.authorization}\r\n`;
  return { api, port: Number(new URL(api.url).port), db, company, integrationId: company.integrationId, credentials };
}

/** Returns a push that would be accepted and would create a row of `syncs`. */
function hiddenPush({ credentials, integrationId }: Target): string {
  const employees = [{ hrId: 'E-1', firstName: 'Anna', lastName: 'Muster', email: 'anna@example.com' }];
  const body = JSON.stringify({ syncId: 'hidden', employees });
  const head = `POST /v1/hr-integrations/${integrationId}/sync HTTP/1.1\r\nHost: localhost\r\n${credentials}`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

type Finding = 'wrong response' | 'server error' | 'left open';

class MessageFinding extends Error {
  readonly finding: Finding;

  constructor(finding: Finding, detail: string) {
    super(`${finding}: ${detail}`);
    this.finding = finding;
  }
}

async function checkMessage(port: number, message: Message, cut: number | null): Promise<void> {
  const { statuses, rest, wasClosed } = await exchange(port, message, cut);
  const detail = `statuses ${statuses}, then ${JSON.stringify(rest.slice(0, 100))}`;
  if (!wasClosed) throw new MessageFinding('left open', detail);
  if (statuses.some((status) => status >= 500)) throw new MessageFinding('server error', detail);
  const isRight = message.isRight(statuses) && !/HTTP\/1\.1 /.test(rest.slice(1));
  if (!isRight) throw new MessageFinding('wrong response', detail);
}

async function sendMessages(target: Target, count: number, { seed, log }: Context): Promise<Metric[]> {
  const families = messageFamilies(new MessageParts(target.credentials, hiddenPush(target)));
  const numRuns = Math.ceil(count / families.length);
  const findings: Record<Finding, number> = { 'wrong response': 0, 'server error': 0, 'left open': 0 };
  await runConcurrently(families.length, concurrency, async (number) => {
    const [family, messages] = families[number] as (typeof families)[number];
    const cuts = fc.option(fc.nat({ max: 100_000 }));
    const property = fc.asyncProperty(messages, cuts, (message, cut) => checkMessage(target.port, message, cut));
    const {
      failed,
      errorInstance: error,
      counterexample,
      counterexamplePath,
    } = await fc.check(property, { seed, numRuns });
    if (!failed) return;
    if (!(error instanceof MessageFinding)) throw error;
    findings[error.finding] += 1;
    log(`${family}: ${error.message} (seed ${seed}, path ${counterexamplePath})`);
    log(`  ${JSON.stringify(counterexample?.[0].bytes.slice(0, 500))} cut at ${counterexample?.[1]}`);
  });
  const { rows: executed } = await sql`select s.sync_id from syncs s`.execute(target.db);
  return [
    info('messages sent', numRuns * families.length),
    info('kinds of message', families.length),
    none('hidden requests that were executed', executed.length),
    none('kinds of message with a wrong response', findings['wrong response']),
    none('kinds of message with a response 5xx', findings['server error']),
    none('kinds of message that leave connections open', findings['left open']),
  ];
}

/** Measures the response times of other clients in the meantime. A wrong response counts as infinite. */
function measureOthers({ api, company }: Target): { end(): Promise<number[]> } {
  const over = new AbortController();
  async function measure(path: string): Promise<number[]> {
    const client = new HttpClient(api.url, 1);
    const times: number[] = [];
    while (!over.signal.aborted) {
      const begun = performance.now();
      const { ending, status } = await client.exchange({ path, headers: { authorization: company.authorization } });
      times.push(ending === 'complete' && status === 200 ? performance.now() - begun : Number.POSITIVE_INFINITY);
      await sleep(20);
    }
    client.close();
    return times;
  }
  const measured = Promise.all(
    Array.from({ length: clients }, (_, index) => measure(index % 2 ? '/v1/me' : '/v1/employees')),
  );
  return {
    async end() {
      over.abort();
      return (await measured).flat();
    },
  };
}

async function measureSlow(target: Target, { slow, limits }: MalformedPlan): Promise<Metric[]> {
  const count = slow.heads + slow.bodies + slow.readers;
  const timeoutSeconds = limits === undefined ? 20 : 2 * limits.goneSeconds;
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  const others = measureOthers(target);
  const connections = await openSlowConnections(target.port, slow, target);
  let [held, left] = [0, count];
  // Without limits it is enough that all slow connections were open.
  while ((held < count || (limits !== undefined && left > 0)) && seconds() < timeoutSeconds) {
    left = (await countConnections(target.port)) - clients;
    held = Math.max(held, left);
    await sleep(100);
  }
  const gone = left > 0 ? Number.POSITIVE_INFINITY : seconds();
  const times = await others.end();
  connections.end();
  const p99 = percentile(times, 0.99);
  return [
    atLeast('slow connections open at the same time', held, count),
    info('requests of other clients meanwhile', times.length),
    ...(limits === undefined
      ? [info('their p99, ms', p99)]
      : [
          atMost('their p99, ms', p99, limits.p99Ms),
          atMost('last slow connection closed after, s', gone, limits.goneSeconds),
        ]),
  ];
}

export const malformedHttp: Scenario<MalformedPlan> = {
  name: 'malformed-http',
  title: 'Malformed messages and slow connections',
  plans: {
    full: {
      messages: 300,
      slow: { heads: 400, bodies: 300, readers: 300 },
      employees: 30_000,
      limits: { p99Ms: 250, goneSeconds: 90 },
    },
    quick: { messages: 1, slow: { heads: 20, bodies: 20, readers: 20 }, employees: 1_000 },
  },
  run: (plan, context) =>
    withFixture(async (fixture) => {
      const target = await prepare(fixture, plan);
      const metrics = [...(await sendMessages(target, plan.messages, context)), ...(await measureSlow(target, plan))];
      const health = await fetch(`${target.api.url}/health`).catch(() => undefined);
      return [...metrics, none('crashes', health?.status === 204 ? 0 : 1)];
    }),
};
