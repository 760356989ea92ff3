import { atMost, info } from '../harness/metrics.ts';
import { readProcess, watchProcess } from '../harness/samples.ts';
import type { Scenario } from '../harness/scenario.ts';
import { companies, type Population, period } from './database.ts';
import { loadOnce } from './processes/index.ts';
import { population, type Setting, withSetting } from './setting.ts';

interface Plan {
  population: Population;
  /** The start of the time in which memory must not grow. `untilSeconds` is its end, and also the end of the load. */
  fromSeconds: number;
  untilSeconds: number;
  /**
   * The length of the spans that are compared. Memory rises and falls between garbage collections, so only the median
   * of a span is meaningful.
   */
  spanSeconds: number;
}

async function putLoads({ service, headersOf }: Setting, seconds: number) {
  const [thousand, large] = [await headersOf(companies.thousand), await headersOf(companies.large)];
  const exported = `/billing/items/${period}/ticket-charge`;
  const loads = [
    { path: '/employees?perPage=100', headers: thousand, connections: 4, perSecond: 100 },
    { path: '/employees?search=anna%20krause', headers: large, connections: 2, perSecond: 50 },
    { path: exported, headers: thousand, connections: 1, perSecond: 2 },
  ];
  return Promise.all(
    loads.map(({ path, headers, ...rest }) => loadOnce(service.url, [{ path, headers }], { seconds, ...rest })),
  );
}

export const memoryScenario: Scenario<Plan> = {
  name: 'memory',
  title: 'Memory (RSS) of an API process, idle and under a load of lists, searches and exports',
  plans: {
    full: { population: population.full, fromSeconds: 120, untilSeconds: 600, spanSeconds: 60 },
    quick: { population: population.quick, fromSeconds: 3, untilSeconds: 6, spanSeconds: 2 },
  },
  run: ({ population, fromSeconds, untilSeconds, spanSeconds }) =>
    withSetting(population, async (setting) => {
      const { residentMb: idle } = await readProcess(setting.service.pid);
      const sampling = watchProcess(setting.service.pid, 1_000);
      const results = await putLoads(setting, untilSeconds);
      const samples = await sampling.stop();
      const [early, late] = [
        { from: fromSeconds - spanSeconds / 2, to: fromSeconds + spanSeconds / 2 },
        { from: untilSeconds - spanSeconds, to: untilSeconds },
      ];
      return [
        atMost('idle, MB', idle, 200),
        info(
          'requests',
          results.reduce((sum, { sent }) => sum + sent, 0),
        ),
        info(`after ${fromSeconds} s of load, MB`, samples.median('residentMb', early)),
        info(`after ${untilSeconds} s of load, MB`, samples.median('residentMb', late)),
        info('highest, MB', samples.highest('residentMb')),
        atMost('growth between the two, times', samples.growth('residentMb', early, late), 1.2),
      ];
    }),
};
