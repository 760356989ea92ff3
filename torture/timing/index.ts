import { sql } from 'kysely';
import { atMost, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { insertKey } from '../../src/auth/keys.ts';
import type { Db } from '../../src/db/database.ts';
import { createRandom, type Random } from '../../src/demo/random.ts';
import { basic } from '../../test/support/app.ts';
import { makeCompany, makeKey } from '../../test/support/factories.ts';
import { makeUser } from '../../test/support/portal.ts';
import { withFixture } from '../support/fixture.ts';
import { openStopwatch, requestBytes } from './stopwatch.ts';
import { compareUpTo, cutOffOf } from './welch.ts';

interface TimingPlan {
  /**
   * The number of requests of each kind to the API. `signIns` is the same for the portal, where each takes a slow hash.
   */
  requests: number;
  signIns: number;
}

/** The usual limit in the assessment of leaks. Equal groups exceed it once in 150,000 times. */
const limit = 4.5;

/** Creates the next guess of each kind. */
type Kinds = Record<string, () => Buffer>;
type Times = Record<string, number[]>;

interface Endpoint {
  name: string;
  kinds: Kinds;
  /** Runs before each guess, outside the measured time. */
  before?: () => Promise<void>;
}

const randomText = (random: Random, alphabet: string, length: number) =>
  Array.from({ length }, () => random.pick([...alphabet])).join('');
const hex = (random: Random, length: number) => randomText(random, '0123456789abcdef', length);

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
  const guess = (username: () => string) => () =>
    requestBytes([
      'GET /v1/me HTTP/1.1',
      `Authorization: ${basic({ username: username(), password: `tbk_staging_${hex(random, 43)}_${hex(random, 8)}` })}`,
    ]);
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
  const marks = ['0123456789ab', 'ba9876543210'] as const;
  for (const mark of marks) await makeUser({ db }, companyId, 'admin', { email: addressOf(mark) });
  const guess = (mark: () => string) => () => {
    const credentials = JSON.stringify({ email: addressOf(mark()), password: `a password ${hex(random, 12)}` });
    const head = ['POST /portal/api/auth/sign-in/email HTTP/1.1', 'Content-Type: application/json'];
    return requestBytes([...head, 'Sec-Fetch-Site: same-origin'], credentials);
  };
  return {
    name: 'portal',
    kinds: {
      'wrong password': guess(() => marks[0]),
      'wrong password again': guess(() => marks[1]),
      'unknown address': guess(() => hex(random, 12)),
    },
    before: async () => {
      await db.deleteFrom('portal_sign_in_failures').execute();
    },
  };
}

/**
 * Sends one guess after another on one connection, with the kinds in random order. Changes on the machine then affect
 * all kinds equally.
 */
async function measure(address: string, { kinds, before }: Endpoint, count: number, random: Random) {
  const names = Object.keys(kinds);
  const times: Times = Object.fromEntries(names.map((name) => [name, []]));
  let unexpected = 0;
  const stopwatch = await openStopwatch(address);
  try {
    for (let round = 0; round < count; round++) {
      for (const name of random.shuffle(names)) {
        await before?.();
        const request = kinds[name]?.() ?? Buffer.alloc(0);
        const { status, microseconds } = await stopwatch.time(request);
        if (status !== 401) unexpected += 1;
        times[name]?.push(microseconds);
      }
    }
  } finally {
    stopwatch.close();
  }
  return { times, unexpected };
}

function judge(endpoint: string, times: Times): Metric[] {
  const { 'wrong password': known = [], ...others } = times;
  const cutOff = cutOffOf(Object.values(times));
  return Object.entries(others).flatMap(([name, values]) => {
    const { times: found, beyond } = compareUpTo(cutOff, values, known);
    const what = `${endpoint}, ${name} against wrong password:`;
    return [
      atMost(`${what} |t|`, Math.abs(found.t), limit),
      info(`${what} µs longer`, found.difference),
      info(`${what} µs longer, 95 % from`, found.from),
      info(`${what} µs longer, 95 % to`, found.to),
      atMost(`${what} |t| of the slowest 5 % of all`, Math.abs(beyond.t), limit),
    ];
  });
}

async function measureEndpoint(address: string, endpoint: Endpoint, count: number, random: Random): Promise<Metric[]> {
  // Warms up, because times differ until the code is compiled and the statements are prepared.
  await measure(address, endpoint, Math.ceil(Math.min(count / 10, 1_000)), random);
  const { times, unexpected } = await measure(address, endpoint, count, random);
  return [
    info(`${endpoint.name}, guesses of each kind`, count),
    none(`${endpoint.name}, responses other than 401`, unexpected),
    ...judge(endpoint.name, times),
  ];
}

const run = ({ requests, signIns }: TimingPlan, { seed, log }: Context): Promise<Metric[]> =>
  withFixture(async ({ db, startApi }) => {
    const random = createRandom(seed);
    const { url } = await startApi();
    const metrics = await measureEndpoint(url, await makeApiGuesses(db, random), requests, random);
    log(`the API is measured with ${requests} guesses of each kind`);
    return [...metrics, ...(await measureEndpoint(url, await makePortalGuesses(db, random), signIns, random))];
  });

export const timing: Scenario<TimingPlan> = {
  name: 'timing',
  title: 'Response time for an unknown user compared with a wrong password',
  plans: { full: { requests: 50_000, signIns: 500 }, quick: { requests: 200, signIns: 6 } },
  run,
};
