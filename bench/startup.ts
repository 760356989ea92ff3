import { join } from 'node:path';
import { atMost, info } from '../harness/metrics.ts';
import { median } from '../harness/observe.ts';
import { outFolder, type Scenario } from '../harness/scenario.ts';
import { asCompanyId } from '../src/platform/db/company-scope.ts';
import { basic } from '../test/support/app.ts';
import { makeKey } from '../test/support/factories.ts';
import { companies, populationPlans, withDatabase } from './database.ts';
import { startService } from './processes/index.ts';

type Plan = typeof populationPlans.full;

export const startupScenario: Scenario<Plan> = {
  name: 'startup',
  title: 'From the start of the process to the first answered request, on existing data with the embedded PostgreSQL',
  plans: populationPlans,
  async run({ population, rounds }) {
    const authorization = await withDatabase(population, async ({ db }) =>
      basic(await makeKey(db, asCompanyId(companies.thousand))),
    );
    const dataDir = join(outFolder, `database-${population.employees}`);
    const times: number[] = [];
    // The very first start may build the portal's pages, so it is not counted.
    for (let round = 0; round <= rounds; round++) {
      const begun = performance.now();
      const service = await startService(dataDir, { PORTAL: 'on', WORKER: 'on' });
      const response = await fetch(`${service.url}/employees`, { headers: { authorization } });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`The first request was answered ${response.status}.`);
      if (round > 0) times.push(performance.now() - begun);
      await service.stop();
    }
    return [
      atMost('start to first response, s', median(times) / 1_000, 3),
      info('slowest, s', Math.max(...times) / 1_000),
    ];
  },
};
