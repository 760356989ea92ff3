import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atLeast, atMost, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom } from '../../src/demo/random.ts';
import { basic } from '../../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../test/support/factories.ts';
import type { Serving } from '../../test/support/process.ts';
import { makeChargedEmployees } from '../support/charges.ts';
import { KeptConnection } from '../support/kept-connection.ts';
import { percentile } from '../support/load.ts';
import { type Stage, withStage } from '../support/stage.ts';
import { inParallel } from '../support/wire.ts';
import { countConnections, openSlowConnections, type SlowCounts } from './slow-connections.ts';
import { exchange } from './wire/exchange.ts';
import { familyCount, generateMessages } from './wire/generate.ts';

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

const messagesAtOnce = 10;
const clients = 4;

interface Target {
  api: Serving;
  port: number;
  stage: Stage;
  authorization: string;
  credentials: string;
  integrationId: number;
}

async function prepare(stage: Stage, { employees }: MalformedPlan): Promise<Target> {
  const { db } = stage;
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  await makeChargedEmployees(db, companyId, employees);
  await sql`analyze`.execute(db);
  const authorization = basic(await makeKey(db, companyId));
  const api = await stage.startApi();
  const credentials = `Authorization: ${authorization}\r\n`;
  return { api, port: Number(new URL(api.url).port), stage, authorization, credentials, integrationId };
}

/** Returns a push that would be accepted and would create a row of `syncs` with this name. */
function hiddenPush({ credentials, integrationId }: Target, name: string): string {
  const employees = [{ hrId: 'E-1', firstName: 'Anna', lastName: 'Muster', email: 'anna@example.com' }];
  const body = JSON.stringify({ syncId: name, employees });
  const head = `POST /v1/hr-integrations/${integrationId}/sync HTTP/1.1\r\nHost: localhost\r\n${credentials}`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function findExecuted({ stage }: Target): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select s.sync_id as name from syncs s`.execute(stage.db);
  return rows.map(({ name }) => name);
}

async function sendMessages(target: Target, count: number, { seed, log }: Context): Promise<Metric[]> {
  const makeParts = (number: number) => ({
    random: createRandom(seed * 1_000 + number),
    credentials: target.credentials,
    hidden: hiddenPush(target, `hidden-${number}`),
  });
  const messages = [...generateMessages(count, makeParts)];
  let [wrong, open, serverErrors] = [0, 0, 0];
  await inParallel(count, messagesAtOnce, async (number) => {
    const message = messages[number];
    if (message === undefined) return;
    const { statuses, rest, wasClosed } = await exchange(target.port, message, createRandom(seed + number));
    if (!wasClosed) open += 1;
    serverErrors += statuses.filter((status) => status >= 500).length;
    if (message.isRight(statuses) && !/HTTP\/1\.1 /.test(rest.slice(1)) && wasClosed) return;
    wrong += 1;
    const told = `${message.family} (${number}) was answered ${statuses}${wasClosed ? '' : ', left open'}`;
    log(`${told}: ${JSON.stringify(message.bytes.slice(0, 300))} → ${JSON.stringify(rest.slice(0, 100))}`);
  });
  const executed = await findExecuted(target);
  if (executed.length > 0) log(`carried out: ${executed}`);
  return [
    info('messages sent', count),
    info('of so many families', familyCount),
    none('hidden requests that were carried out', executed.length),
    none('messages answered wrongly', wrong),
    none('answers that blame the service', serverErrors),
    none('connections left open', open),
  ];
}

/** Measures the response times of other clients in the meantime. A wrong response counts as infinite. */
function measureOthers({ api, authorization }: Target): { end(): Promise<number[]> } {
  const over = new AbortController();
  const { origin } = new URL(api.url);
  async function ask(path: string): Promise<number[]> {
    const connection = new KeptConnection(origin);
    const times: number[] = [];
    while (!over.signal.aborted) {
      const begun = performance.now();
      const { ending } = await connection.run({ method: 'GET', path, headers: { authorization }, status: 200 });
      times.push(ending === 'answered' ? performance.now() - begun : Number.POSITIVE_INFINITY);
      await sleep(20);
    }
    connection.close();
    return times;
  }
  const paths = Array.from({ length: clients }, (_, index) => (index % 2 === 0 ? '/v1/employees' : '/v1/me'));
  const asked = Promise.all(paths.map(ask));
  return {
    async end() {
      over.abort();
      return (await asked).flat();
    },
  };
}

async function bearSlow(target: Target, { slow, limits }: MalformedPlan): Promise<Metric[]> {
  const count = slow.heads + slow.bodies + slow.readers;
  const patience = limits === undefined ? 20 : 2 * limits.goneSeconds;
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  const others = measureOthers(target);
  const connections = await openSlowConnections(target.port, slow, target);
  let [held, left] = [0, count];
  // Without limits it is enough that all slow connections were open.
  while ((held < count || (limits !== undefined && left > 0)) && seconds() < patience) {
    left = (await countConnections(target.port)) - clients;
    held = Math.max(held, left);
    await sleep(100);
  }
  const gone = left > 0 ? Number.POSITIVE_INFINITY : seconds();
  const times = await others.end();
  connections.end();
  const p99 = percentile(times, 0.99);
  return [
    atLeast('slow connections at once', held, count),
    info('requests of others meanwhile', times.length),
    ...(limits === undefined
      ? [info('their p99, ms', p99)]
      : [
          atMost('their p99, ms', p99, limits.p99Ms),
          atMost('the last slow one was ended after, s', gone, limits.goneSeconds),
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
    quick: { messages: familyCount, slow: { heads: 20, bodies: 20, readers: 20 }, employees: 1_000 },
  },
  run: (plan, scene) =>
    withStage(async (stage) => {
      const target = await prepare(stage, plan);
      const figures = [...(await sendMessages(target, plan.messages, scene)), ...(await bearSlow(target, plan))];
      const isWell = await fetch(`${target.api.url}/health`).then(
        ({ status }) => status === 204,
        () => false,
      );
      return [...figures, none('crashes', isWell ? 0 : 1)];
    }),
};
