import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { atMost, info, type Metric, none } from '../harness/metrics.ts';
import type { Scenario } from '../harness/scenario.ts';
import { insertKey } from '../src/auth/keys.ts';
import type { Db } from '../src/db/database.ts';
import { createRandom, type Random } from '../src/demo/random.ts';
import { basic } from '../test/support/app.ts';
import { makeCompany, makeKey } from '../test/support/factories.ts';
import { makeUser } from '../test/support/portal.ts';
import { withFixture } from './support/fixture.ts';
import { readResponse } from './support/raw-response.ts';

/** How two groups of measurements differ: Welch's t, and the difference of their means with its 95 % interval. */
function compare(a: number[], b: number[]) {
  const [one, other] = [a, b].map((values) => {
    if (values.length < 2) throw new Error('A group needs two values at least.');
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, squaredError: squares / (values.length - 1) / values.length };
  }) as [{ mean: number; squaredError: number }, { mean: number; squaredError: number }];
  const difference = one.mean - other.mean;
  const error = Math.sqrt(one.squaredError + other.squaredError);
  const t = difference === 0 ? 0 : difference / error;
  return { t, difference, from: difference - 1.96 * error, to: difference + 1.96 * error };
}

/** Returns the time above which values come from other activity of the machine. All groups share one cut-off. */
export function cutOffOf(groups: number[][]): number {
  const all = groups.flat().sort((a, b) => a - b);
  return all[Math.ceil(all.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY;
}

/** Compares the times up to the cut-off, and the shares beyond it, so that the cut-off hides no difference. */
export function compareUpTo(cutOff: number, a: number[], b: number[]) {
  const within = (values: number[]) => values.filter((value) => value <= cutOff);
  const slow = (values: number[]) => values.map((value) => (value > cutOff ? 1 : 0));
  return { times: compare(within(a), within(b)), beyond: compare(slow(a), slow(b)) };
}

/** A route that refuses guesses. Creates the bytes of the next guess of each kind. */
interface Endpoint {
  name: string;
  kinds: Record<string, () => Buffer>;
  /** Runs before each guess, outside the measured time. */
  before?: () => Promise<unknown>;
}

const hex = (random: Random, length: number) => Array.from({ length }, () => random.int(0, 15).toString(16)).join('');

function requestBytes(lines: string[], body = ''): Buffer {
  const head = [...lines, 'Host: localhost', `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n');
  return Buffer.from(`${head}\r\n\r\n${body}`);
}

/** All guesses have the same length, and each password is tried once. */
async function makeApiGuesses(db: Db, random: Random): Promise<Endpoint> {
  const companyId = await makeCompany(db);
  const [known, control] = [await makeKey(db, companyId), await makeKey(db, companyId)];
  // With other keys in the table, the database searches for them as it does in production.
  await db.transaction().execute(async (tx) => {
    for (let others = 0; others < 200; others++)
      await insertKey(tx, companyId, { environment: 'staging', name: 'Other', permissions: [] });
  });
  await sql`analyze api_keys`.execute(db);
  const guess = (username: () => string) => () => {
    const password = `tbk_staging_${hex(random, 43)}_${hex(random, 8)}`;
    return requestBytes(['GET /v1/me HTTP/1.1', `Authorization: ${basic({ username: username(), password })}`]);
  };
  return {
    name: 'API',
    kinds: {
      'wrong password': guess(() => known.username),
      'wrong password again': guess(() => control.username),
      'unknown username': guess(() => `tk_${companyId}_${hex(random, 16)}`),
      'malformed username': guess(() => `tk-${companyId}-${hex(random, 16)}`),
    },
  };
}

async function makePortalGuesses(db: Db, random: Random): Promise<Endpoint> {
  const companyId = await makeCompany(db);
  const addressOf = (mark: string) => `person-${mark}@example.com`;
  const [known, control] = ['0123456789ab', 'ba9876543210'] as const;
  for (const mark of [known, control]) await makeUser({ db }, companyId, 'admin', { email: addressOf(mark) });
  const head = ['POST /portal/api/auth/sign-in/email HTTP/1.1', 'Content-Type: application/json'];
  const guess = (mark: () => string) => () => {
    const credentials = { email: addressOf(mark()), password: `a password ${hex(random, 12)}` };
    return requestBytes([...head, 'Sec-Fetch-Site: same-origin'], JSON.stringify(credentials));
  };
  return {
    name: 'portal',
    kinds: {
      'wrong password': guess(() => known),
      'wrong password again': guess(() => control),
      'unknown address': guess(() => hex(random, 12)),
    },
    before: () => db.deleteFrom('portal_sign_in_failures').execute(),
  };
}

/** Opens a connection. Only the response itself lies between the two readings of the clock. */
async function openStopwatch(address: string) {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const chunks: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  const time = async (request: Buffer) => {
    const begun = process.hrtime.bigint();
    socket.write(request);
    for (let received = ''; ; ) {
      const { value, done } = await chunks.next();
      const now = process.hrtime.bigint();
      if (done) throw new Error(`The connection was closed after ${received}`);
      received += value.toString('latin1');
      const response = readResponse(received);
      if (response) return { status: response.status, microseconds: Number(now - begun) / 1_000 };
    }
  };
  return { time, close: () => socket.destroy() };
}

/** Sends guesses on one connection, with the kinds in random order: changes on the machine affect all kinds equally. */
async function measure(address: string, { kinds, before }: Endpoint, count: number, random: Random) {
  const times = new Map<string, number[]>(Object.keys(kinds).map((name) => [name, []]));
  let unexpected = 0;
  const stopwatch = await openStopwatch(address);
  try {
    for (let round = 0; round < count; round++) {
      for (const [name, guess] of random.shuffle(Object.entries(kinds))) {
        await before?.();
        const { status, microseconds } = await stopwatch.time(guess());
        if (status !== 401) unexpected += 1;
        times.get(name)?.push(microseconds);
      }
    }
  } finally {
    stopwatch.close();
  }
  return { times, unexpected };
}

/** The usual limit in the assessment of leaks. Equal groups exceed it once in 150,000 times. */
const limit = 4.5;

async function judge(address: string, endpoint: Endpoint, count: number, random: Random): Promise<Metric[]> {
  // Warms up, because times differ until the code is compiled and the statements are prepared.
  await measure(address, endpoint, Math.ceil(Math.min(count / 10, 1_000)), random);
  const { times, unexpected } = await measure(address, endpoint, count, random);
  const cutOff = cutOffOf([...times.values()]);
  const [[, known = []] = [], ...others] = times;
  return [
    info(`${endpoint.name}, guesses of each kind`, count),
    none(`${endpoint.name}, responses other than 401`, unexpected),
    ...others.flatMap(([name, values]) => {
      const { times: found, beyond } = compareUpTo(cutOff, values, known);
      const what = `${endpoint.name}, ${name} against wrong password:`;
      return [
        atMost(`${what} |t|`, Math.abs(found.t), limit),
        info(`${what} µs longer`, found.difference),
        info(`${what} µs longer, 95 % from`, found.from),
        info(`${what} µs longer, 95 % to`, found.to),
        atMost(`${what} |t| of the slowest 5 % of all`, Math.abs(beyond.t), limit),
      ];
    }),
  ];
}

/** The number of guesses of each kind: at the API, and at the portal, where each takes a slow hash. */
export const timing: Scenario<{ requests: number; signIns: number }> = {
  name: 'timing',
  title: 'Response time for an unknown user compared with a wrong password',
  plans: { full: { requests: 50_000, signIns: 500 }, quick: { requests: 200, signIns: 6 } },
  run: ({ requests, signIns }, { seed }) =>
    withFixture(async ({ db, startApi }) => {
      const random = createRandom(seed);
      const { url } = await startApi();
      return [
        ...(await judge(url, await makeApiGuesses(db, random), requests, random)),
        ...(await judge(url, await makePortalGuesses(db, random), signIns, random)),
      ];
    }),
};
