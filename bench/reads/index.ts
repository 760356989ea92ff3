import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import { type LoadProcess, startLoadProcess } from '../../harness/load.ts';
import { atLeast, info, type Metric } from '../../harness/metrics.ts';
import type { Scenario } from '../../harness/scenario.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import { population, type Setting, withSetting } from '../database.ts';
import { load, type Request, type Running, startServer } from '../processes/index.ts';
import { type Client, listRequests, makeClients, type Read, reads } from './requests.ts';

const full = { population: population.full, companies: 200, rounds: 8, seconds: 2 };
type Plan = typeof full;

interface Run extends Setting {
  peer: Running;
  /** One process for all loads, so that its code is compiled. */
  generator: LoadProcess;
  clients: Client[];
  plan: Plan;
}

/** Returns the requests in random order: that of the hashes of their keys, which are random. */
const shuffle = (requests: Request[]): Request[] =>
  requests
    .map((request) => ({ request, at: hash('sha256', `${request.path} ${request.headers.authorization}`) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ request }) => request);

/** Asks a few at once: the service refuses a burst of keys that it has not seen yet, all from one network. */
const addValidators = (server: Running, requests: Request[]): Promise<Request[]> =>
  pLimit(8).map(requests, async ({ path, headers }) => {
    const response = await fetch(`${server.url}${path}`, { headers });
    await response.arrayBuffer();
    const etag = response.headers.get('etag');
    if (etag === null) throw new Error(`${path} was answered ${response.status}, without an ETag.`);
    return { path, headers: { ...headers, 'if-none-match': etag } };
  });

function startWrites(db: Db, clients: Client[], perSecond: number): { stop(): Promise<void> } {
  let isOver = false;
  const write = ({ companyId, employees: [id] }: Client) =>
    writeCompany(db, companyId, async (tx) => {
      const statement = sql`update employees e set profile_image = null where e.company_id = ${companyId} and e.id = ${id}`;
      await statement.execute(tx);
    });
  const writes = (async () => {
    const begun = performance.now();
    for (let written = 0; !isOver; ) {
      const due = ((performance.now() - begun) / 1_000) * perSecond;
      if (written < due) await write(clients[written++ % clients.length] as Client);
      else await sleep(2);
    }
  })();
  return {
    stop: () => {
      isOver = true;
      return writes;
    },
  };
}

/** Writes a second to the companies that are polled at the same time, for the reads that also have a limit for 304. */
const writeRates = [20, 200] as const;
const writesLoad = (rate: number) => `poll, ${rate} writes a second`;

/** Requests per second, by the name of the load. */
type Loads = Record<string, () => Promise<number>>;

function planLoads(run: Run, read: Read): (round: number) => Loads {
  const { peer, service, db, clients } = run;
  const { rounds, seconds } = run.plan;
  // The best rounds are compared, so each must have the same mix: pages deep in a list cost the peer many times the first.
  const all = shuffle(listRequests(clients, read, Number.POSITIVE_INFINITY));
  // Each round walks through requests that no other round has sent. A repeated one would be answered from memory.
  const share = Math.floor(all.length / (rounds + 1));
  const polled = listRequests(clients, read, clients.length);
  const poll = (server: Running) => load(run.generator, server.url, { requests: polled, seconds });
  const pollDuringWrites = async (rate: number) => {
    const writes = startWrites(db, clients, rate);
    return poll(service).finally(() => writes.stop());
  };
  return (round) => {
    const requests = all.slice(round * share, (round + 1) * share);
    const walk = (server: Running) => load(run.generator, server.url, { requests, seconds, isSentOnce: true });
    const compared: Loads = {
      'peer, walk': () => walk(peer),
      walk: () => walk(service),
      'peer, poll': () => poll(peer),
      poll: () => poll(service),
    };
    if (!read.notModified) return compared;
    return {
      ...compared,
      '304': async () =>
        load(run.generator, service.url, { requests: await addValidators(service, polled), seconds, status: 304 }),
      ...Object.fromEntries(writeRates.map((rate) => [writesLoad(rate), () => pollDuringWrites(rate)])),
    };
  };
}

/** Measures each load in turn, so that other work of the machine affects all of them. */
async function measureRead(run: Run, read: Read): Promise<Map<string, number[]>> {
  const { rounds } = run.plan;
  const loadsOf = planLoads(run, read);
  const results = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    // Until its code is compiled, a server takes twice as long. Those that are compared run for months.
    const isWarmUp = round === 0 && rounds > 1;
    for (const [name, measureLoad] of Object.entries(loadsOf(round))) {
      const measured = await measureLoad();
      if (!isWarmUp) results.set(name, [...(results.get(name) ?? []), measured]);
    }
  }
  return results;
}

function metricsOf({ name, walk, poll, notModified }: Read, results: Map<string, number[]>): Metric[] {
  // The best rate counts, since other work of the machine can only lower it.
  const rate = (load: string) => Math.max(...(results.get(load) ?? []));
  const ratio = (load: string) => rate(load) / rate('peer, poll');
  return [
    ...[...results.keys()].map((load) => info(`${name}, ${load}: a second`, rate(load))),
    atLeast(`${name}, walk / peer`, rate('walk') / rate('peer, walk'), walk),
    atLeast(`${name}, poll / peer`, ratio('poll'), poll),
    ...(notModified ? [atLeast(`${name}, 304 / peer`, ratio('304'), notModified)] : []),
    ...(notModified ? writeRates.map((one) => info(`${name}, ${writesLoad(one)} / peer`, ratio(writesLoad(one)))) : []),
  ];
}

export const readsScenario: Scenario<Plan> = {
  name: 'reads',
  title:
    'Reads a second beside a peer (Fastify and postgres.js by hand), many keys of many companies: each page once (walk), the same pages again (poll), also while they change, and unchanged (304)',
  plans: { full, quick: { population: population.quick, companies: 40, rounds: 1, seconds: 1 } },
  run: (plan, { log }) =>
    withSetting(plan.population, async (setting) => {
      await using stops = new AsyncDisposableStack();
      const peer = await startServer('peer', { url: setting.url, origin: 'http://127.0.0.1/v1' });
      stops.defer(peer.stop);
      const generator = startLoadProcess();
      stops.defer(() => void generator.end());
      const clients = await makeClients(setting.db, plan.companies);
      const metrics: Metric[] = [];
      for (const read of reads) {
        const found = metricsOf(read, await measureRead({ ...setting, peer, generator, clients, plan }, read));
        metrics.push(...found);
        for (const { metric, value } of found.filter(({ limit }) => limit)) log(`${metric}: ${value}`);
      }
      return metrics;
    }),
};
