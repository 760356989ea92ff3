import { startLoadProcess } from '../../harness/load.ts';
import { atLeast, info, type Metric } from '../../harness/metrics.ts';
import type { Scenario } from '../../harness/scenario.ts';
import type { Population } from '../database.ts';
import { type Running, startFloor, startPeer } from '../processes/index.ts';
import { population, withSetting } from '../setting.ts';
import { addValidators, type Measured, measure, type ReadsSetting, summarize } from './measure.ts';
import { type Client, listRequests, makeClients, type Read, reads } from './requests.ts';
import { startWrites } from './writes.ts';

interface Plan {
  population: Population;
  companies: number;
  rounds: number;
  seconds: number;
}

interface Run {
  setting: ReadsSetting;
  clients: Client[];
  plan: Plan;
}

/** Writes a second to the companies that are polled at the same time, for the reads that also have a limit for 304. */
const writeRates = [20, 200] as const;
const writesLoad = (rate: number) => `poll, ${rate} writes a second`;

const comparedLoads = ['peer, walk', 'walk', 'peer, poll', 'poll'];
const loadsOf = ({ notModified }: Read) =>
  notModified ? [...comparedLoads, '304', 'floor, poll', 'floor, 304', ...writeRates.map(writesLoad)] : comparedLoads;

type Results = Map<string, Measured[]>;

type Loads = Record<string, () => Promise<Measured>>;

/** Returns a function that returns the loads of a round. */
function planLoads({ setting, clients, plan: { rounds, seconds } }: Run, read: Read, floor: Running) {
  const { peer, service, db } = setting;
  const all = listRequests(clients, read, Number.POSITIVE_INFINITY);
  // Each round walks through requests that no other round has sent. A repeated one would be answered from memory.
  const share = Math.floor(all.length / (rounds + 1));
  const polled = listRequests(clients, read, clients.length);
  const poll = (server: Running) => measure(setting, server, { requests: polled, seconds });
  const pollValidated = async (server: Running) =>
    measure(setting, server, { requests: await addValidators(server, polled), seconds, status: 304 });
  const pollDuringWrites = async (rate: number) => {
    const writes = startWrites(db, clients, rate);
    try {
      return await poll(service);
    } finally {
      await writes.stop();
    }
  };
  return (round: number): Loads => {
    const requests = all.slice(round * share, (round + 1) * share);
    const walk = (server: Running) => measure(setting, server, { requests, seconds, isSentOnce: true });
    return {
      'peer, walk': () => walk(peer),
      walk: () => walk(service),
      'peer, poll': () => poll(peer),
      poll: () => poll(service),
      '304': () => pollValidated(service),
      'floor, poll': () => poll(floor),
      'floor, 304': () => pollValidated(floor),
      ...Object.fromEntries(writeRates.map((rate) => [writesLoad(rate), () => pollDuringWrites(rate)])),
    };
  };
}

/** Measures each load in turn, so that other work of the machine affects all of them. */
async function measureRead(run: Run, read: Read): Promise<Results> {
  const { rounds } = run.plan;
  const results: Results = new Map(loadsOf(read).map((name) => [name, []]));
  const [first] = listRequests(run.clients, read, 1);
  const floor = await startFloor(await fetch(`${run.setting.service.url}${first?.path}`, first));
  const loadsOfRound = planLoads(run, read, floor);
  try {
    for (let round = 0; round <= rounds; round++) {
      // Until its code is compiled, a server takes twice as long. Those that are compared run for months.
      const isWarmUp = round === 0 && rounds > 1;
      const loads = loadsOfRound(round);
      for (const [name, measured] of results) {
        const found = await loads[name]?.();
        if (found && !isWarmUp) measured.push(found);
      }
    }
  } finally {
    await floor.stop();
  }
  return results;
}

function metricsOf({ name, walk, poll, notModified }: Read, results: Results): Metric[] {
  const measured = new Map([...results].map(([load, rounds]) => [load, summarize(rounds)]));
  const rows = [...measured].flatMap(([load, { perSecond, serverMicros, postgresMicros }]) => [
    info(`${name}, ${load}: a second`, perSecond),
    info(`${name}, ${load}: processor time of the server for one, µs`, serverMicros),
    info(`${name}, ${load}: processor time of PostgreSQL for one, µs`, postgresMicros),
  ]);
  const ratio = (load: string, peer: string) =>
    (measured.get(load)?.perSecond ?? 0) / (measured.get(peer)?.perSecond ?? 0);
  const notModifiedRows = notModified
    ? [
        atLeast(`${name}, 304 / peer`, ratio('304', 'peer, poll'), notModified),
        info(`${name}, floor, poll / peer`, ratio('floor, poll', 'peer, poll')),
        info(`${name}, floor, 304 / peer`, ratio('floor, 304', 'peer, poll')),
        ...writeRates.map((rate) => info(`${name}, ${writesLoad(rate)} / peer`, ratio(writesLoad(rate), 'peer, poll'))),
      ]
    : [];
  return [
    ...rows,
    atLeast(`${name}, walk / peer`, ratio('walk', 'peer, walk'), walk),
    atLeast(`${name}, poll / peer`, ratio('poll', 'peer, poll'), poll),
    ...notModifiedRows,
  ];
}

export const readsScenario: Scenario<Plan> = {
  name: 'reads',
  title:
    'Reads a second beside a peer (Fastify and postgres.js by hand), many keys of many companies: each page once (walk), the same pages again (poll), also while they change, and unchanged (304)',
  plans: {
    full: { population: population.full, companies: 200, rounds: 8, seconds: 2 },
    quick: { population: population.quick, companies: 40, rounds: 1, seconds: 1 },
  },
  run: (plan, { log }) =>
    withSetting(plan.population, async (setting) => {
      const peer = await startPeer(setting.url);
      const generator = startLoadProcess();
      const readsSetting = { ...setting, peer, generator };
      try {
        const clients = await makeClients(setting.db, plan.companies);
        const metrics: Metric[] = [];
        for (const read of reads) {
          const found = metricsOf(read, await measureRead({ setting: readsSetting, clients, plan }, read));
          metrics.push(...found);
          for (const { metric, value } of found.filter(({ limit }) => limit)) log(`${metric}: ${value}`);
        }
        return metrics;
      } finally {
        generator.end();
        await peer.stop();
      }
    }),
};
