import { setTimeout as sleep } from 'node:timers/promises';
import { atMost } from '../harness/metrics.ts';
import { readProcess, readProcessor } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { asCompanyId } from '../src/platform/db/company-scope.ts';
import { basic } from '../test/support/app.ts';
import { makeKey } from '../test/support/factories.ts';
import { withFolder } from '../test/support/process.ts';
import { until } from '../test/support/until.ts';
import { companies, populationPlans, withDatabase } from './database.ts';
import { type Running, startService } from './processes/index.ts';

type Plan = typeof populationPlans.full;

const everything = { PORTAL: 'on', WORKER: 'on' };
const restMillis = 4_000;

async function timeStart(start: () => Promise<Running>): Promise<{ seconds: number; service: Running }> {
  const begun = performance.now();
  const service = await start();
  return { seconds: (performance.now() - begun) / 1_000, service };
}

async function readAtRest({ pid }: Running): Promise<number> {
  await sleep(restMillis);
  return (await readProcess(pid)).residentMb;
}

/** Waits until the documents and invoices of the demo's year are written, which takes longer than its start. */
const waitForRest = (pid: number) =>
  until(
    'the process is at rest',
    async () => {
      const before = await readProcessor(pid);
      await sleep(1_000);
      return (await readProcessor(pid)) - before < 100;
    },
    120_000,
  );

/** Starts three times on one folder with the embedded PostgreSQL: the first time, again, and as API alone. */
const measureStarts = () =>
  withFolder(async (folder) => {
    const first = await timeStart(() => startService(folder, { ...everything, DEMO: 'on' }));
    await waitForRest(first.service.pid);
    await first.service.stop();
    const second = await timeStart(() => startService(folder, { ...everything, DEMO: 'on' }));
    const whole = await readAtRest(second.service);
    await second.service.stop();
    const { service } = await timeStart(() => startService(folder, { PORTAL: 'on' }));
    const api = await readAtRest(service);
    await service.stop();
    return { first: first.seconds, second: second.seconds, whole, api };
  });

/** Returns the seconds until the first request is answered, on the large database. */
const measureLarge = ({ population }: Plan) =>
  withDatabase(population, async ({ db, url, folder }) => {
    const authorization = basic(await makeKey(db, asCompanyId(companies.thousand)));
    const begun = performance.now();
    const service = await startService(folder, { ...everything, DATABASE_URL: url });
    const response = await fetch(`${service.url}/employees`, { headers: { authorization } });
    await response.arrayBuffer();
    const seconds = (performance.now() - begun) / 1_000;
    await service.stop();
    if (response.status !== 200) throw new Error(`The first request was answered ${response.status}.`);
    return seconds;
  });

export const startupScenario: Scenario<Plan> = {
  name: 'startup',
  title:
    'From the start of the process to its banner with the embedded PostgreSQL and the demo company, and its memory',
  plans: populationPlans,
  async run(plan) {
    const starts: Awaited<ReturnType<typeof measureStarts>>[] = [];
    // The very first start may build the portal's pages and caches compiled code, so it is not counted.
    for (let round = 0; round <= plan.rounds; round++) starts.push(await measureStarts());
    // The best counts, since other work of the machine can only add to it.
    const best = (name: 'first' | 'second' | 'whole' | 'api') => Math.min(...starts.slice(1).map((one) => one[name]));
    return [
      atMost('first start to the banner, s', best('first'), 9),
      atMost('second start to the banner, s', best('second'), 2.2),
      atMost('everything in one process, four seconds after the second start, MB', best('whole'), 260),
      atMost('API process at rest, MB', best('api'), 150),
      atMost('start to first response on the large database, s', await measureLarge(plan), 3),
    ];
  },
};
