import { atMost, info } from '../harness/metrics.ts';
import { cpuMilliseconds, median } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { asCompanyId } from '../src/platform/db/company-scope.ts';
import { basic } from '../test/support/app.ts';
import { makeKey } from '../test/support/factories.ts';
import { companies, type Population, withDatabase } from './database.ts';
import { loadOnce, type Running, startBare } from './processes/index.ts';
import { clients, population } from './setting.ts';

interface Plan {
  population: Population;
  rounds: number;
  seconds: number;
}

/** Returns the processor time that the server spends per request. Other work on the machine hardly changes it. */
async function microsecondsEach({ url, pid }: Running, headers: Record<string, string>, seconds: number) {
  const before = await cpuMilliseconds(pid);
  const { sent } = await loadOnce(url, [{ path: '/1000', headers }], { connections: clients, seconds });
  return (((await cpuMilliseconds(pid)) - before) * 1_000) / sent;
}

export const authenticationScenario: Scenario<Plan> = {
  name: 'authentication',
  title: 'A bare Fastify with and without our guard (key, rate limit, permission): processor time of one request',
  plans: {
    full: { population: population.full, rounds: 5, seconds: 3 },
    quick: { population: population.quick, rounds: 1, seconds: 1 },
  },
  run: ({ population, rounds, seconds }) =>
    withDatabase(population, async ({ url, db }) => {
      const authorization = basic(await makeKey(db, asCompanyId(companies.thousand)));
      const bare = await startBare();
      const guarded = await startBare({ guardedBy: url });
      const [without, withGuard]: [number[], number[]] = [[], []];
      try {
        for (let round = 0; round <= rounds; round++) {
          const one = await microsecondsEach(bare, { authorization }, seconds);
          const other = await microsecondsEach(guarded, { authorization }, seconds);
          // The first round is a warm-up.
          if (round === 0 && rounds > 1) continue;
          without.push(one);
          withGuard.push(other);
        }
      } finally {
        await guarded.stop();
        await bare.stop();
      }
      return [
        info('a request without, µs', median(without)),
        info('a request with, µs', median(withGuard)),
        atMost('added by authentication and permission, µs', median(withGuard) - median(without), 50),
      ];
    }),
};
