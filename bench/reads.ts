import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { atLeast, info, type Metric } from '../harness/metrics.ts';
import { cpuMilliseconds, median, postgresMilliseconds } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { asCompanyId } from '../src/db/company-scope.ts';
import type { Db } from '../src/db/database.ts';
import { basic } from '../test/support/app.ts';
import { makeKey } from '../test/support/factories.ts';
import { type Population, period } from './database.ts';
import { type LoadResult, load, type Running, startPeer } from './processes/index.ts';
import { population, type Setting, withSetting } from './setting.ts';

interface Plan {
  population: Population;
  companies: number;
  rounds: number;
  seconds: number;
}

/** A company with its key and the ids of some of its employees. */
interface Client {
  authorization: string;
  employees: number[];
}

interface Read {
  name: string;
  /** The requests of one client, without end: no two are the same for as long as possible. */
  paths(client: Client): Iterable<string>;
  walk: number;
  poll: number;
  notModified?: number;
}

const connections = 32;

function* pagesOf(perPage: number) {
  for (const sortField of ['id', 'createdAt', 'updatedAt']) {
    for (const sortOrder of ['asc', 'desc']) {
      for (let page = 1; page * perPage <= 900; page++) {
        yield `/employees?perPage=${perPage}&page=${page}&sortField=${sortField}&sortOrder=${sortOrder}`;
      }
    }
  }
}

const searched = ['anna', 'emil', 'clara', 'olga', 'jonas', 'lena', 'maja', 'ruben', 'frida', 'ida', 'karl', 'greta'];
const searchedNames = [
  'krause',
  'meier',
  'vogel',
  'keller',
  'frank',
  'roth',
  'beck',
  'simon',
  'winter',
  'stein',
  'otto',
];

const reads: Read[] = [
  { name: '10 rows', paths: () => pagesOf(10), walk: 1.4, poll: 4, notModified: 6 },
  { name: '100 rows', paths: () => pagesOf(100), walk: 1.4, poll: 4 },
  {
    name: 'one employee',
    paths: ({ employees }) => employees.map((id) => `/employees/${id}`),
    walk: 1,
    poll: 2,
    notModified: 2.5,
  },
  {
    name: 'search of two words',
    *paths() {
      for (const first of searched) for (const last of searchedNames) yield `/employees?search=${first}%20${last}`;
    },
    walk: 1.2,
    poll: 3,
  },
  {
    name: 'charges of a period',
    *paths() {
      for (let page = 1; page <= 90; page++) {
        yield `/billing/items?period=${period}&chargeType=ticket-charge&page=${page}`;
      }
    },
    walk: 1.2,
    poll: 3,
  },
  {
    name: 'integrations',
    *paths() {
      for (let perPage = 3; perPage <= 100; perPage++) yield `/hr-integrations?perPage=${perPage}`;
    },
    walk: 1.2,
    poll: 3,
  },
];

/** The small companies have equal sizes and come after the four with a given size. */
async function makeClients(db: Db, count: number): Promise<Client[]> {
  const { rows } = await sql<{ company_id: number; employees: number[] }>`
    select s.company_id, (select array_agg(e.id) from (
      select e.id from employees e where e.company_id = s.company_id limit 900) e) as employees
    from bench_sizes s where s.company_id between 5 and ${4 + count} order by s.company_id`.execute(db);
  return Promise.all(
    rows.map(async ({ company_id, employees }) => ({
      authorization: basic(await makeKey(db, asCompanyId(company_id))),
      employees,
    })),
  );
}

interface Request {
  path: string;
  headers: Record<string, string>;
}

/** Lists requests of all clients in turn: the first of each, then the second of each, and so on. */
function listRequests(clients: Client[], read: Read, most: number): Request[] {
  const all = clients.map((client) => ({ client, paths: read.paths(client)[Symbol.iterator]() }));
  const requests: Request[] = [];
  for (let isOver = false; !isOver && requests.length < most; ) {
    isOver = true;
    for (const { client, paths } of all) {
      const { value, done } = paths.next();
      if (done || requests.length >= most) continue;
      isOver = false;
      requests.push({ path: value, headers: { authorization: client.authorization } });
    }
  }
  return requests;
}

/** What one server does under one load. */
interface Measured {
  perSecond: number;
  /** Processor time of one request in the server and in PostgreSQL, in microseconds. */
  serverMicros: number;
  postgresMicros: number;
}

interface Sent {
  requests: Request[];
  seconds: number;
  status?: 304;
}

async function measure(setting: Setting, server: Running, { requests, seconds, status }: Sent): Promise<Measured> {
  const requestsFile = join(setting.dataDir, 'requests.json');
  const { pathname } = new URL(server.url);
  const base = pathname === '/' ? '' : pathname;
  await writeFile(requestsFile, JSON.stringify(requests.map((one) => ({ ...one, path: `${base}${one.path}` }))));
  const read = async () => [await cpuMilliseconds(server.pid), await postgresMilliseconds(setting.db)] as const;
  const [serverBefore, postgresBefore] = await read();
  const result: LoadResult = await load({
    url: server.url,
    connections,
    seconds,
    requestsFile,
    ...(status && { status }),
  });
  const [serverAfter, postgresAfter] = await read();
  return {
    perSecond: result.perSecond,
    serverMicros: ((serverAfter - serverBefore) * 1_000) / result.sent,
    postgresMicros: ((postgresAfter - postgresBefore) * 1_000) / result.sent,
  };
}

/** Sends each request once and adds the validator of its response. */
async function addValidators(server: Running, requests: Request[]): Promise<Request[]> {
  const validated: Request[] = [];
  for (const { path, headers } of requests) {
    const response = await fetch(`${server.url}${path}`, { headers });
    await response.arrayBuffer();
    const etag = response.headers.get('etag');
    if (etag === null) throw new Error(`${path} has no ETag.`);
    validated.push({ path, headers: { ...headers, 'if-none-match': etag } });
  }
  return validated;
}

const loads = ['peer, walk', 'walk', 'peer, poll', 'poll', '304'] as const;
type LoadName = (typeof loads)[number];

const middle = (measured: Measured[]): Measured => ({
  perSecond: median(measured.map(({ perSecond }) => perSecond)),
  serverMicros: median(measured.map(({ serverMicros }) => serverMicros)),
  postgresMicros: median(measured.map(({ postgresMicros }) => postgresMicros)),
});

/** Measures each load in turn, so that other work of the machine affects all of them. */
async function measureRead(setting: Setting & { peer: Running }, read: Read, clients: Client[], plan: Plan) {
  const { peer, service } = setting;
  const { rounds, seconds } = plan;
  const all = listRequests(clients, read, Number.POSITIVE_INFINITY);
  // Each round walks through requests that no other round has sent. A repeated one would be answered from memory.
  const share = Math.floor(all.length / (rounds + 1));
  const walkOf = (round: number) => all.slice(round * share, (round + 1) * share);
  const polled = listRequests(clients, read, clients.length);
  const results = new Map<LoadName, Measured[]>(loads.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const walk = walkOf(round);
    const once = {
      'peer, walk': () => measure(setting, peer, { requests: walk, seconds }),
      walk: () => measure(setting, service, { requests: walk, seconds }),
      'peer, poll': () => measure(setting, peer, { requests: polled, seconds }),
      poll: () => measure(setting, service, { requests: polled, seconds }),
      '304': async () =>
        measure(setting, service, { requests: await addValidators(service, polled), seconds, status: 304 }),
    };
    for (const name of loads) {
      const measured = await once[name]();
      // The first round is a warm-up.
      if (round > 0 || rounds === 1) results.get(name)?.push(measured);
    }
  }
  return Object.fromEntries([...results].map(([name, measured]) => [name, middle(measured)])) as Record<
    LoadName,
    Measured
  >;
}

function metricsOf({ name, walk, poll, notModified }: Read, measured: Record<LoadName, Measured>): Metric[] {
  const rows = loads.flatMap((load) => [
    info(`${name}, ${load}: a second`, measured[load].perSecond),
    info(`${name}, ${load}: processor time of the server for one, µs`, measured[load].serverMicros),
    info(`${name}, ${load}: processor time of PostgreSQL for one, µs`, measured[load].postgresMicros),
  ]);
  const [walked, polled] = [measured['peer, walk'].perSecond, measured['peer, poll'].perSecond];
  return [
    ...rows,
    atLeast(`${name}, walk / peer`, measured.walk.perSecond / walked, walk),
    atLeast(`${name}, poll / peer`, measured.poll.perSecond / polled, poll),
    ...(notModified ? [atLeast(`${name}, 304 / peer`, measured['304'].perSecond / polled, notModified)] : []),
  ];
}

export const readsScenario: Scenario<Plan> = {
  name: 'reads',
  title:
    'Reads a second beside a peer (Fastify and postgres.js by hand), many keys of many companies: each page once (walk), the same pages again (poll), and unchanged (304)',
  plans: {
    full: { population: population.full, companies: 200, rounds: 3, seconds: 4 },
    quick: { population: population.quick, companies: 20, rounds: 1, seconds: 1 },
  },
  run: (plan, { log }) =>
    withSetting(plan.population, async (setting) => {
      const peer = await startPeer(setting.url);
      try {
        const clients = await makeClients(setting.db, plan.companies);
        const metrics: Metric[] = [];
        for (const read of reads) {
          const found = metricsOf(read, await measureRead({ ...setting, peer }, read, clients, plan));
          metrics.push(...found);
          for (const { metric, value } of found.filter(({ limit }) => limit)) log(`${metric}: ${value}`);
        }
        return metrics;
      } finally {
        await peer.stop();
      }
    }),
};
