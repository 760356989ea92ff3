import { type LoadProcess, startLoadProcess } from '../harness/load.ts';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { median, readProcessor } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { startCollector } from '../test/support/otlp.ts';
import { population, type Setting, withSetting } from './database.ts';
import { load, type Request, type Running, startServer, startService } from './processes/index.ts';
import { listRequests, makeClients, type Read, reads } from './reads/requests.ts';

const full = { population: population.full, companies: 200, rounds: 15, seconds: 1 };
type Plan = typeof full;

/** The processor time of a response from memory in times of that of the floor. */
const limits: Record<string, number> = { '10 rows': 1.6, '100 rows': 1.1, 'one employee': 1.6 };
const tracedLimit = 1.15;

/** Headers that differ per response, or that the floor sends anyway. */
const ownHeaders = ['connection', 'content-length', 'date', 'keep-alive'];

async function startFloor(url: string, { path, headers }: Request): Promise<Running> {
  const response = await fetch(`${url}${path}`, { headers });
  const head = Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.includes(name)));
  return startServer('floor', { head, body: await response.text() });
}

/** Returns the processor time of the server per request, in µs. */
async function measure(generator: LoadProcess, { url, pid }: Running, requests: Request[], seconds: number) {
  const before = await readProcessor(pid);
  const perSecond = await load(generator, url, { requests, seconds });
  return (((await readProcessor(pid)) - before) * 1_000) / (perSecond * seconds);
}

/** Measures the servers in turn, so that other work of the machine affects all of them. Returns the medians. */
async function compare(
  generator: LoadProcess,
  servers: Record<string, Running>,
  requests: Request[],
  { rounds, seconds }: Plan,
): Promise<Record<string, number>> {
  const times = new Map<string, number[]>(Object.keys(servers).map((name) => [name, []]));
  // Until its code is compiled, a server takes twice as long.
  const warmUps = rounds > 1 ? 6 : 0;
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, server] of Object.entries(servers)) {
      const time = await measure(generator, server, requests, seconds);
      if (round >= 0) times.get(name)?.push(time);
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
}

const metricsOf = (name: string, times: Record<string, number>, [one, other]: [string, string], limit: number) => [
  ...Object.entries(times).map(([server, time]): Metric => info(`${name}, ${server}: µs`, time)),
  atMost(`${name}, ${one} / ${other}`, (times[one] ?? 0) / (times[other] ?? 0), limit),
];

/** The service as in production, with its limits, which no client reaches here. */
const limited = { RATE_LIMIT_PER_MINUTE: '1000000000' };

async function compareReads({ url, db, folder, stops }: Setting, plan: Plan, log: (line: string) => void) {
  const generator = startLoadProcess();
  stops.defer(() => void generator.end());
  const start = async (env: Record<string, string> = {}) => {
    const running = await startService(folder, { DATABASE_URL: url, ...limited, ...env });
    stops.defer(running.stop);
    return running;
  };
  const collector = await startCollector();
  stops.defer(collector.stop);
  const service = await start();
  const traced = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
  });
  const clients = await makeClients(db, plan.companies);
  const requestsOf = (read: Read) => listRequests(clients, read, clients.length);
  const metrics: Metric[] = [];
  const add = (...found: Metric[]) => {
    metrics.push(...found);
    for (const { metric, value } of found) log(`${metric}: ${value}`);
  };
  for (const read of reads.filter(({ name }) => name in limits)) {
    const requests = requestsOf(read);
    const floor = await startFloor(service.url, requests[0] as Request);
    const times = await compare(generator, { floor, memory: service }, requests, plan);
    await floor.stop();
    add(...metricsOf(read.name, times, ['memory', 'floor'], limits[read.name] ?? 0));
  }
  const requests = requestsOf(reads[0] as Read);
  const times = await compare(generator, { untraced: service, 'a tenth traced': traced }, requests, plan);
  add(...metricsOf('traces', times, ['a tenth traced', 'untraced'], tracedLimit));
  return metrics;
}

export const repeatedScenario: Scenario<Plan> = {
  name: 'repeated',
  title:
    'Processor time of a response from memory beside a floor, bare Fastify that sends the same bytes, and with traces',
  plans: { full, quick: { population: population.quick, companies: 40, rounds: 1, seconds: 1 } },
  run: (plan, { log }) => withSetting(plan.population, (setting) => compareReads(setting, plan, log)),
};
