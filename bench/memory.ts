import { setTimeout as sleep } from 'node:timers/promises';
import { companies, type Population, period } from './database.ts';
import { atMost, stated } from './figures.ts';
import { median, residentMegabytes } from './observe.ts';
import { load } from './processes/index.ts';
import { population, withSetting } from './setting.ts';
import type { Trial } from './trial.ts';

interface Plan {
  population: Population;
  /** From where to where memory must not grow; the load lasts until the latter. */
  fromSeconds: number;
  untilSeconds: number;
}

const sampleMs = 1_000;

export const memoryTrial: Trial<Plan> = {
  name: 'memory',
  title: 'Memory (RSS) of an API process, idle and under a load of lists, searches and exports',
  plans: {
    full: { population: population.full, fromSeconds: 120, untilSeconds: 600 },
    quick: { population: population.quick, fromSeconds: 3, untilSeconds: 6 },
  },
  run: (plan) =>
    withSetting(plan.population, async ({ service, headersOf }) => {
      const idle = await residentMegabytes(service.pid);
      const [thousand, large] = [await headersOf(companies.thousand), await headersOf(companies.large)];
      const seconds = plan.untilSeconds;
      const loads = [
        { url: `${service.url}/employees?perPage=100`, headers: thousand, connections: 4, seconds, perSecond: 100 },
        {
          url: `${service.url}/employees?search=anna%20krause`,
          headers: large,
          connections: 2,
          seconds,
          perSecond: 50,
        },
        {
          url: `${service.url}/billing/items/${period}/ticket-charge`,
          headers: thousand,
          connections: 1,
          seconds,
          perSecond: 2,
        },
      ];
      let isOver = false;
      const loading = Promise.all(loads.map(load)).finally(() => {
        isOver = true;
      });
      const samples: number[] = [];
      while (!isOver) {
        samples.push(await residentMegabytes(service.pid));
        await sleep(sampleMs);
      }
      const requests = (await loading).reduce((sum, { perSecond }) => sum + perSecond * seconds, 0);
      // Medians of a quarter, because memory rises and falls between two collections of garbage.
      const quarter = Math.floor((plan.untilSeconds - plan.fromSeconds) / 4);
      const early = median(samples.slice(plan.fromSeconds, plan.fromSeconds + quarter));
      const late = median(samples.slice(-quarter));
      return [
        stated('idle, MB', idle),
        stated('requests', requests),
        stated(`after ${plan.fromSeconds} s of load, MB`, early),
        stated(`after ${plan.untilSeconds} s of load, MB`, late),
        stated('highest, MB', Math.max(...samples)),
        atMost('late / early', late / early, 1.2),
      ];
    }),
};
