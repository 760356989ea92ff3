import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { readResponse } from '../harness/load.ts';
import { atMost, info, type Metric, none } from '../harness/metrics.ts';
import type { Scenario } from '../harness/scenario.ts';
import { hashPassword } from '../src/features/accounts/passwords.ts';
import { insertUser } from '../src/features/accounts/users/insert-user.ts';
import { insertInvitation } from '../src/features/accounts/users/invitations.ts';
import { createLetterCodes } from '../src/features/employee-access/letters.ts';
import { insertKey } from '../src/features/keys/keys.ts';
import { createRandom, type Random } from '../src/operator/demo/random.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import type { Db } from '../src/platform/db/database.ts';
import { writeCompany } from '../src/platform/db/write.ts';
import { basic } from '../test/support/app.ts';
import { makeCompany, makeEmployee, makeKey } from '../test/support/factories.ts';
import { makeUser } from '../test/support/portal.ts';
import { withFixture } from './support/fixture.ts';
import { HttpClient, readCookies, signInRequest } from './support/http-client.ts';

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

interface Endpoint {
  name: string;
  kinds: Record<string, () => Buffer>;
  status: number;
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
    status: 401,
    kinds: {
      'wrong password': guess(() => known.username),
      'wrong password again': guess(() => control.username),
      'unknown username': guess(() => `tk_${companyId}_${hex(random, 16)}`),
      'malformed username': guess(() => `tk-${companyId}-${hex(random, 16)}`),
    },
  };
}

const postTo = (path: string, body: object, more: string[] = []) =>
  requestBytes(
    [`POST ${path} HTTP/1.1`, 'Content-Type: application/json', 'Sec-Fetch-Site: same-origin', ...more],
    JSON.stringify(body),
  );
const post = (path: string, body: object, more: string[] = []) => postTo(`/portal/api${path}`, body, more);

interface AddressGuesses extends Omit<Endpoint, 'kinds'> {
  /** An address with an account, another one, and addresses without. */
  kinds: readonly [string, string, string];
  makeAccount(email: string): Promise<unknown>;
  request(email: string): Buffer;
}

async function guessAddresses({ kinds, makeAccount, request, ...endpoint }: AddressGuesses, random: Random) {
  const addressOf = (mark: string) => `${endpoint.name.replace(' ', '-')}-${mark}@example.com`;
  const known = ['0123456789ab', 'ba9876543210'].map(addressOf);
  for (const email of known) await makeAccount(email);
  const guesses = kinds.map(
    (name, index) => [name, () => request(known[index] ?? addressOf(hex(random, 12)))] as const,
  );
  return { ...endpoint, kinds: Object.fromEntries(guesses) };
}

/** Sign-ins, and requests of a new password by mail. The latter succeed whether or not the address has an account. */
async function makePortalGuesses(db: Db, random: Random): Promise<Endpoint[]> {
  const companyId = await makeCompany(db);
  const common = {
    makeAccount: (email: string) => makeUser({ db }, companyId, 'admin', { email }),
    before: () => db.deleteFrom('portal_sign_in_failures').execute(),
  };
  const signIns: AddressGuesses = {
    ...common,
    name: 'portal',
    status: 401,
    kinds: ['wrong password', 'wrong password again', 'unknown address'],
    request: (email) => post('/auth/sign-in/email', { email, password: `a password ${hex(random, 12)}` }),
  };
  const resets: AddressGuesses = {
    ...common,
    name: 'new password',
    status: 204,
    kinds: ['known address', 'known address again', 'unknown address'],
    request: (email) => post('/auth/request-password-reset', { email }),
  };
  return [await guessAddresses(signIns, random), await guessAddresses(resets, random)];
}

const known = ['account elsewhere', 'account elsewhere again', 'no account'] as const;

/** Creates an account of another company for the address. All share a hash, which takes long to make. */
const makeAccount = (db: Db, companyId: CompanyId, email: string, hash: string) =>
  writeCompany(db, companyId, (tx) =>
    insertUser(tx, companyId, { name: 'Somebody', email, roles: ['viewer'], password: { hash }, isProven: true }),
  );

/** Invitations by an admin, who must not learn whether an address has an account in another company. */
async function makeInvitations(db: Db, url: string, random: Random): Promise<Endpoint> {
  const [companyId, elsewhere] = [await makeCompany(db), await makeCompany(db)];
  const client = new HttpClient(url);
  const signedIn = await client.send(signInRequest(client.origin, await makeUser({ db }, companyId)));
  const hash = await hashPassword('a tram at half past nine');
  const guesses: AddressGuesses = {
    name: 'invitation',
    status: 201,
    kinds: known,
    makeAccount: (email) => makeAccount(db, elsewhere, email, hash),
    request: (email) => post('/users/invitations', { email, roles: ['viewer'] }, [`Cookie: ${readCookies(signedIn)}`]),
    // An open invitation to the same address would be replaced, which takes longer.
    before: () => db.deleteFrom('invitations').where('company_id', '=', companyId).execute(),
  };
  return guessAddresses(guesses, random);
}

/** Visitors with a link that an admin has passed on. Each creates an account that is local to the company. */
async function makeGuests(db: Db, count: number): Promise<Endpoint> {
  const [companyId, elsewhere] = [await makeCompany(db), await makeCompany(db)];
  const { id: invitedBy } = await makeUser({ db }, companyId);
  const hash = await hashPassword('a tram at half past nine');
  const makeLinks = async (hasAccount: boolean, group: number) => {
    const tokens: string[] = [];
    for (let number = 0; number < count; number++) {
      const email = `joins-${group}-${String(number).padStart(6, '0')}@example.com`;
      if (hasAccount) await makeAccount(db, elsewhere, email, hash);
      const invitation = { email, roles: ['viewer'], invitedBy, isMailed: false } as const;
      const { token } = await writeCompany(db, companyId, (tx) => insertInvitation(tx, companyId, invitation, {}));
      tokens.push(token);
    }
    const guest = { name: 'Guest', password: 'seven lamps and a ladder' };
    return () => post(`/invitations/${tokens.pop()}`, guest);
  };
  const kinds: Endpoint['kinds'] = {};
  for (const [group, name] of known.entries()) kinds[name] = await makeLinks(name !== 'no account', group);
  return { name: 'joining', status: 204, kinds };
}

/** Ways into the employee's page: links, which succeed whether or not an employee has the address, and codes of letters. */
async function makeEmployeeGuesses(db: Db, random: Random): Promise<Endpoint[]> {
  const companyId = await makeCompany(db);
  const links: AddressGuesses = {
    name: 'access link',
    status: 204,
    kinds: ['known address', 'known address again', 'unknown address'],
    makeAccount: (email) => makeEmployee(db, companyId, { email }),
    request: (email) => postTo('/my/api/access/link', { email }),
    before: () => db.deleteFrom('portal_sign_in_failures').execute(),
  };
  const ids = [await makeEmployee(db, companyId), await makeEmployee(db, companyId)];
  const letters = await writeCompany(db, companyId, (tx) => createLetterCodes(tx, companyId, ids, {}));
  const [known = '', control = ''] = letters.map(({ hrId }) => hrId);
  const guess = (hrId: () => string) => () =>
    postTo('/my/api/access/letter', { companyId, hrId: hrId(), code: hex(random, 10) });
  const codes: Endpoint = {
    name: 'letter',
    status: 401,
    kinds: {
      'wrong code': guess(() => known),
      'wrong code again': guess(() => control),
      'unknown HR id': guess(() => hex(random, known.length)),
    },
    // A letter has five attempts.
    before: () => db.updateTable('employee_letter_codes').set({ attempts: 0 }).execute(),
  };
  return [await guessAddresses(links, random), codes];
}

/** The mails wait: no server answers there. */
const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'benefits@example.com' };

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
      // A cookie is signed, and its length varies.
      const { length } = received.replaceAll(/^set-cookie: .*$/gim, '');
      if (response) return { status: response.status, length, microseconds: Number(now - begun) / 1_000 };
    }
  };
  return { time, close: () => socket.destroy() };
}

/** Sends guesses on one connection, with the kinds in random order: changes on the machine affect all kinds equally. */
async function measure(address: string, { kinds, status: expected, before }: Endpoint, count: number, random: Random) {
  const times = new Map<string, number[]>(Object.keys(kinds).map((name) => [name, []]));
  let unexpected = 0;
  const lengths = new Set<number>();
  const stopwatch = await openStopwatch(address);
  try {
    for (let round = 0; round < count; round++) {
      for (const [name, guess] of random.shuffle(Object.entries(kinds))) {
        await before?.();
        const { status, length, microseconds } = await stopwatch.time(guess());
        if (status !== expected) unexpected += 1;
        lengths.add(length);
        times.get(name)?.push(microseconds);
      }
    }
  } finally {
    stopwatch.close();
  }
  return { times, unexpected, lengths };
}

/** The usual limit in the assessment of leaks. Equal groups exceed it once in 150,000 times. */
const limit = 4.5;

/** How many guesses of each kind warm up the process: times differ until code is compiled and statements are prepared. */
const warmUpOf = (count: number) => Math.ceil(Math.min(count / 10, 1_000));

async function judge(address: string, endpoint: Endpoint, count: number, random: Random): Promise<Metric[]> {
  await measure(address, endpoint, warmUpOf(count), random);
  const { times, unexpected, lengths } = await measure(address, endpoint, count, random);
  const cutOff = cutOffOf([...times.values()]);
  const [[baseline, known] = ['', []], ...others] = times;
  return [
    info(`${endpoint.name}, guesses of each kind`, count),
    none(`${endpoint.name}, responses other than ${endpoint.status}`, unexpected),
    atMost(`${endpoint.name}, different lengths of responses`, lengths.size, 1),
    ...others.flatMap(([name, values]) => {
      const { times: found, beyond } = compareUpTo(cutOff, values, known);
      const what = `${endpoint.name}, ${name} against ${baseline}:`;
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
  title:
    'Response time for an unknown user compared with a wrong password, and for an address with an account elsewhere',
  plans: { full: { requests: 50_000, signIns: 500 }, quick: { requests: 200, signIns: 6 } },
  run: ({ requests, signIns }, { seed }) =>
    withFixture(async ({ db, startApi }) => {
      const random = createRandom(seed);
      const { url } = await startApi(mail);
      const metrics = await judge(url, await makeApiGuesses(db, random), requests, random);
      const ofPortal = [
        ...(await makePortalGuesses(db, random)),
        await makeInvitations(db, url, random),
        await makeGuests(db, signIns + warmUpOf(signIns)),
        ...(await makeEmployeeGuesses(db, random)),
      ];
      for (const endpoint of ofPortal) metrics.push(...(await judge(url, endpoint, signIns, random)));
      return metrics;
    }),
};
