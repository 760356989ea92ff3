import { atMost, info } from '../harness/metrics.ts';
import { median, timeRequests } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { companies, type Population } from './database.ts';
import { population, withSetting } from './setting.ts';

interface Plan {
  population: Population;
  rounds: number;
  milliseconds: number;
}

/** Sends one request after another for some time. Alternates between the targets. */
async function compare(
  rounds: number,
  milliseconds: number,
  targets: { url: string; headers: Record<string, string> }[],
): Promise<number[]> {
  const times: number[][] = targets.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { url, headers }] of targets.entries()) {
      const end = performance.now() + milliseconds;
      const taken = await timeRequests(url, headers, () => performance.now() > end);
      // The first round is a warm-up.
      if (round > 0) times[index]?.push(...taken);
    }
  }
  return times.map(median);
}

export const pagesScenario: Scenario<Plan> = {
  name: 'pages',
  title: 'What the size of a company and the number of a page cost: median latency of one client',
  plans: {
    full: { population: population.full, rounds: 5, milliseconds: 1_500 },
    quick: { population: population.quick, rounds: 1, milliseconds: 300 },
  },
  run: ({ population, rounds, milliseconds }) =>
    withSetting(population, async ({ service, headersOf }) => {
      const [large, hundred] = [await headersOf(companies.large), await headersOf(companies.hundred)];
      const page = (query: string, headers: Record<string, string>) => ({
        url: `${service.url}/employees${query}`,
        headers,
      });
      const last = Math.floor((population.large / 100) * 0.9);
      const [ofLarge = 0, ofHundred = 0] = await compare(rounds, milliseconds, [page('', large), page('', hundred)]);
      const [first = 0, deep = 0] = await compare(rounds, milliseconds, [
        page('?perPage=100', large),
        page(`?perPage=100&page=${last}`, large),
      ]);
      return [
        info('first page, company of 100, ms', ofHundred),
        info(`first page, company of ${population.large}, ms`, ofLarge),
        atMost(`first page, company of ${population.large} / company of 100`, ofLarge / ofHundred, 2),
        info('page 1 of 100 rows, ms', first),
        info(`page ${last} of 100 rows, ms`, deep),
        atMost(`page ${last} / page 1`, deep / first, 5),
      ];
    }),
};
