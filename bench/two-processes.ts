import { atLeast, info, type Metric } from '../harness/metrics.ts';
import { median } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { companies, type Population, period } from './database.ts';
import { loadOnce, type Running, startService } from './processes/index.ts';
import { clients, population, withSetting } from './setting.ts';

interface Plan {
  population: Population;
  rounds: number;
  seconds: number;
}

type Headers = Record<string, string>;

interface Request {
  path: string;
  headers: Headers;
  connections: number;
}

/** Uses as many connections for one process as for two together. */
async function measure(services: Running[], { path, headers, connections }: Request, seconds: number) {
  const share = connections / services.length;
  const results = await Promise.all(
    services.map(({ url }) => loadOnce(url, [{ path, headers }], { connections: share, seconds })),
  );
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0);
}

async function compare(services: Running[], request: Request, plan: Plan) {
  const [one] = services.slice(0, 1);
  if (one === undefined) throw new Error('There is no service to compare.');
  await measure(services, request, 1);
  const [alone, both]: [number[], number[]] = [[], []];
  for (let round = 0; round < plan.rounds; round++) {
    alone.push(await measure([one], request, plan.seconds));
    both.push(await measure(services, request, plan.seconds));
  }
  return { alone: median(alone), both: median(both) };
}

/**
 * Load, PostgreSQL and the API share the cores. A second process therefore helps where most of the work is the API's
 * own, as in exports. Where a statement costs as much as its response, the first process and PostgreSQL already fill
 * two cores.
 */
export const twoProcessesScenario: Scenario<Plan> = {
  name: 'two-processes',
  title: 'Two API processes against one, on the cores that they share with PostgreSQL and the load',
  plans: {
    full: { population: population.full, rounds: 3, seconds: 6 },
    quick: { population: population.quick, rounds: 1, seconds: 1 },
  },
  run: (plan) =>
    withSetting(plan.population, async ({ url, dataDir, service, headersOf }) => {
      const second = await startService(dataDir, { DATABASE_URL: url });
      try {
        const services = [service, second];
        const exports = await compare(
          services,
          {
            path: `/billing/items/${period}/ticket-charge`,
            headers: await headersOf(companies.middle),
            connections: 2,
          },
          plan,
        );
        const lists = await compare(
          services,
          { path: '/employees', headers: await headersOf(companies.thousand), connections: 2 * clients },
          plan,
        );
        const metrics: Metric[] = [
          info('exports a second, one process', exports.alone),
          info('exports a second, two processes', exports.both),
          atLeast('exports, two processes / one', exports.both / exports.alone, 1.3),
          info('GET /employees a second, one process', lists.alone),
          info('GET /employees a second, two processes', lists.both),
          info('GET /employees, two processes / one', lists.both / lists.alone),
        ];
        return metrics;
      } finally {
        await second.stop();
      }
    }),
};
