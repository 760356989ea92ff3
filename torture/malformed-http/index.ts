import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { readResponse } from '../../harness/load.ts';
import { atLeast, atMost, info, type Metric, none, noneOf } from '../../harness/metrics.ts';
import { percentile } from '../../harness/observe.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { HttpClient, runConcurrently } from '../support/http-client.ts';
import { makeChargedEmployees, makeTestCompany } from '../support/test-company.ts';
import { type MessageKind, messageKinds } from './messages.ts';

export interface Exchange {
  statuses: number[];
  rest: string;
  wasClosed: boolean;
}

function readResponses(text: string): Pick<Exchange, 'statuses' | 'rest'> {
  const statuses: number[] = [];
  for (let at = 0; ; ) {
    const response = readResponse(text, at);
    if (response === undefined) return { statuses, rest: text.slice(at) };
    if (response.status >= 200) statuses.push(response.status);
    at = response.end;
  }
}

const timeoutMs = 15_000;

async function exchange(port: number, kind: MessageKind, bytes: string, cut: number | null): Promise<Exchange> {
  const { later, responses } = kind;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received: Buffer[] = [];
  const text = () => Buffer.concat(received).toString('latin1');
  const closed = once(socket, 'close').then(() => true);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    if (received.length === 0 && later !== undefined) socket.write(later, 'latin1');
    received.push(chunk);
    if (responses !== undefined && readResponses(text()).statuses.length >= responses) socket.end();
  });
  socket.on('end', () => socket.end());
  await Promise.race([once(socket, 'connect'), closed]);
  const first = cut === null ? bytes.length : 1 + (cut % bytes.length);
  socket.write(bytes.slice(0, first), 'latin1');
  if (first < bytes.length) {
    await sleep(10);
    if (socket.writable) socket.write(bytes.slice(first), 'latin1');
  }
  if (responses === 0) socket.end();
  const wasClosed = await Promise.race([closed, sleep(timeoutMs, false, { ref: false })]);
  socket.destroy();
  return { ...readResponses(text()), wasClosed };
}

const everyMs = 2_000;
/** How long it sends bytes of a body. After that, the service must end the connection. */
const trickleMs = 10_000;
const batchSize = 100;

async function open(port: number, first: string, more = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(first);
  if (more === '') return socket.pause();
  const begun = performance.now();
  const timer = setInterval(() => {
    if (socket.writable) socket.write(more);
    // A head that never ends has a separate timeout.
    if (more === ' ' && performance.now() - begun > trickleMs) clearInterval(timer);
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
  return socket.resume();
}

async function openSlowConnections(
  port: number,
  { heads, bodies, readers }: Record<'heads' | 'bodies' | 'readers', number>,
  { credentials, integrationId }: { credentials: string; integrationId: number },
): Promise<Socket[]> {
  const start = (line: string) => `${line} HTTP/1.1\r\nHost: localhost\r\n${credentials}`;
  const push = start(`POST /v1/hr-integrations/${integrationId}/sync`);
  const head = [start('GET /v1/me'), 'X-More: 1\r\n'] as const;
  const body = [`${push}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`, ' '] as const;
  const reader = [`${start('GET /v1/billing/items/2026-11-01/ticket-charge')}\r\n`] as const;
  const all = [...Array(heads).fill(head), ...Array(bodies).fill(body), ...Array(readers).fill(reader)];
  const sockets: Socket[] = [];
  while (sockets.length < all.length) {
    const next = all.slice(sockets.length, sockets.length + batchSize);
    sockets.push(...(await Promise.all(next.map(([first, more]) => open(port, first, more)))));
  }
  return sockets;
}

/** States of a connection that the process has not closed yet: established, and closed by the other side only. */
const openStates = ['01', '08'];

async function countConnections(port: number): Promise<number> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  return lines.filter(([, local, , state = '']) => local?.endsWith(ending) && openStates.includes(state)).length;
}

const full = {
  messages: 300,
  slow: { heads: 400, bodies: 300, readers: 300 },
  employees: 30_000,
  /** The limits for the measured times. Without them, the run does not wait for slow connections to end. */
  limits: { p99Ms: 250, goneSeconds: 90 } as { p99Ms: number; goneSeconds: number } | undefined,
};
type MalformedPlan = typeof full;

const concurrency = 10;
const otherPaths = ['/v1/me', '/v1/employees', '/v1/me', '/v1/employees'];

interface Target {
  url: string;
  port: number;
  db: Db;
  integrationId: number;
  authorization: string;
  credentials: string;
}

async function prepare({ db, startApi }: Fixture, { employees }: MalformedPlan): Promise<Target> {
  const { companyId, integrationId, authorization } = await makeTestCompany(db);
  await makeChargedEmployees(db, companyId, employees);
  await sql`analyze`.execute(db);
  const { url } = await startApi();
  const credentials = `Authorization: ${authorization}\r\n`;
  return { url, port: Number(new URL(url).port), db, integrationId, authorization, credentials };
}

function hiddenPush({ credentials, integrationId }: Target): string {
  const employees = [{ hrId: 'E-1', firstName: 'Anna', lastName: 'Muster', email: 'anna@example.com' }];
  const body = JSON.stringify({ syncId: 'hidden', employees });
  const head = `POST /v1/hr-integrations/${integrationId}/sync HTTP/1.1\r\nHost: localhost\r\n${credentials}`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

type Finding = 'wrong response' | 'server error' | 'left open';

function findFault({ right }: MessageKind, { statuses, rest, wasClosed }: Exchange): Finding | undefined {
  if (!wasClosed) return 'left open';
  if (statuses.some((status) => status >= 500)) return 'server error';
  return right.test(statuses.join()) && !rest.slice(1).includes('HTTP/1.1 ') ? undefined : 'wrong response';
}

async function sendMessages(target: Target, count: number, { seed, log }: Context): Promise<Metric[]> {
  const kinds = Object.entries(messageKinds(target.credentials, hiddenPush(target)));
  const numRuns = Math.ceil(count / kinds.length);
  const findings: Record<Finding, string[]> = { 'wrong response': [], 'server error': [], 'left open': [] };
  await runConcurrently(kinds, concurrency, async ([name, kind]) => {
    const { messages } = kind;
    let fault: Finding | undefined;
    let detail = '';
    const cuts = fc.option(fc.nat({ max: 100_000 }));
    const all = Array.isArray(messages) ? fc.constantFrom(...messages) : messages;
    const property = fc.asyncProperty(all, cuts, async (bytes, cut) => {
      const result = await exchange(target.port, kind, bytes, cut);
      const found = findFault(kind, result);
      if (found === undefined) return true;
      fault = found;
      detail = `statuses ${result.statuses}, then ${JSON.stringify(result.rest.slice(0, 100))}`;
      return false;
    });
    const result = await fc.check(property, { seed, numRuns });
    if (!result.failed) return;
    if (fault === undefined) throw result.errorInstance;
    const [bytes, cut] = result.counterexample ?? [];
    const example = `${JSON.stringify(bytes?.slice(0, 500))} cut at ${cut}`;
    findings[fault].push(`${name}: ${detail} (seed ${seed}, path ${result.counterexamplePath})\n  ${example}`);
  });
  const { rows: executed } = await sql`select s.sync_id from syncs s`.execute(target.db);
  return [
    info('messages sent', numRuns * kinds.length),
    info('kinds of message', kinds.length),
    none('hidden requests that were executed', executed.length),
    noneOf('kinds of message with a wrong response', findings['wrong response'], log),
    noneOf('kinds of message with a response 5xx', findings['server error'], log),
    noneOf('kinds of message that leave connections open', findings['left open'], log),
  ];
}

async function measureOther({ url, authorization }: Target, path: string, signal: AbortSignal): Promise<number[]> {
  const client = new HttpClient(url, 1);
  const times: number[] = [];
  while (!signal.aborted) {
    const begun = performance.now();
    const { ending, status } = await client.exchange({ path, headers: { authorization } });
    times.push(ending === 'complete' && status === 200 ? performance.now() - begun : Number.POSITIVE_INFINITY);
    await sleep(20);
  }
  return times;
}

async function measureSlow(target: Target, { slow, limits }: MalformedPlan): Promise<Metric[]> {
  const count = slow.heads + slow.bodies + slow.readers;
  const timeoutSeconds = limits === undefined ? 20 : 2 * limits.goneSeconds;
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  const over = new AbortController();
  const others = Promise.all(otherPaths.map((path) => measureOther(target, path, over.signal)));
  const sockets = await openSlowConnections(target.port, slow, target);
  let [held, left] = [0, count];
  // Without limits it is enough that all slow connections were open.
  while ((held < count || (limits !== undefined && left > 0)) && seconds() < timeoutSeconds) {
    left = (await countConnections(target.port)) - otherPaths.length;
    held = Math.max(held, left);
    await sleep(100);
  }
  const gone = left > 0 ? Number.POSITIVE_INFINITY : seconds();
  over.abort();
  const times = (await others).flat();
  for (const socket of sockets) socket.destroy();
  const p99 = percentile(times, 0.99);
  return [
    atLeast('slow connections open at the same time', held, count),
    info('requests of other clients meanwhile', times.length),
    limits ? atMost('their p99, ms', p99, limits.p99Ms) : info('their p99, ms', p99),
    ...(limits ? [atMost('last slow connection closed after, s', gone, limits.goneSeconds)] : []),
  ];
}

export const malformedHttp: Scenario<MalformedPlan> = {
  name: 'malformed-http',
  title: 'Malformed messages and slow connections',
  plans: {
    full,
    quick: { messages: 1, slow: { heads: 20, bodies: 20, readers: 20 }, employees: 1_000, limits: undefined },
  },
  run: (plan, context) =>
    withFixture(async (fixture) => {
      const target = await prepare(fixture, plan);
      const metrics = [...(await sendMessages(target, plan.messages, context)), ...(await measureSlow(target, plan))];
      const health = await fetch(`${target.url}/health`).catch(() => undefined);
      return [...metrics, none('crashes', health?.status === 204 ? 0 : 1)];
    }),
};
