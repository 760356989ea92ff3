import { randomUUID } from 'node:crypto';
import { atMost, info, none } from '../harness/metrics.ts';
import { median, postgresMilliseconds } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { createRequestLog } from '../src/features/requests/log.ts';
import { asCompanyId } from '../src/platform/db/company-scope.ts';
import type { Db } from '../src/platform/db/database.ts';
import { withDatabase } from './database.ts';
import { population } from './setting.ts';

interface Plan {
  rounds: number;
  batches: number;
}

const parameters = new Set(['search', 'page', 'perPage']);
const companies = 100;
/** So many requests are written at once under load. */
const batchSize = 1_000;

interface Times {
  api: number;
  database: number;
  dropped: number;
}

/** Logs one batch of requests of many companies and waits until it is written. Returns how many are missing. */
async function logBatch(db: Db, ids: readonly string[]): Promise<number> {
  let dropped = 0;
  const onDropped = (count: number) => {
    dropped += count;
  };
  const log = createRequestLog({ db, parametersOf: () => parameters, onDropped, onError: console.error });
  for (const [index, requestId] of ids.entries()) {
    log.add({
      companyId: asCompanyId(1 + (index % companies)),
      keyId: '0123456789abcdef',
      requestId,
      method: 'GET',
      route: '/v1/employees/:id',
      url: `/v1/employees/${index}?search=anna+vogel&page=2`,
      status: 200,
      ms: 1.25,
      problem: undefined,
      address: '192.0.2.1',
    });
  }
  await log.stop();
  return dropped;
}

/** Returns the processor time per request, in µs. */
async function measure(db: Db, batches: number): Promise<Times> {
  // The ids exist anyway: each response has one.
  const all = Array.from({ length: batches }, () => Array.from({ length: batchSize }, () => randomUUID()));
  const databaseBefore = await postgresMilliseconds(db);
  const before = process.cpuUsage();
  let dropped = 0;
  for (const ids of all) dropped += await logBatch(db, ids);
  const { user, system } = process.cpuUsage(before);
  const database = ((await postgresMilliseconds(db)) - databaseBefore) * 1_000;
  const requests = batches * batchSize;
  return { api: (user + system) / requests, database: database / requests, dropped };
}

export const requestLogScenario: Scenario<Plan> = {
  name: 'request-log',
  title: 'The request log: processor time that it adds to a request, with everything until the row is written',
  plans: { full: { rounds: 5, batches: 20 }, quick: { rounds: 1, batches: 4 } },
  run: ({ rounds, batches }) =>
    withDatabase(population.quick, async ({ db }) => {
      const results: Times[] = [];
      // The first round is a warm-up.
      for (let round = 0; round <= rounds; round++) results.push(await measure(db, batches));
      const counted = results.slice(1);
      return [
        info('added to a request in the API, µs', median(counted.map(({ api }) => api))),
        info('in the database per request, µs', median(counted.map(({ database }) => database))),
        atMost('both, µs', median(counted.map(({ api, database }) => api + database)), 20),
        none(
          'requests that are missing',
          counted.reduce((sum, { dropped }) => sum + dropped, 0),
        ),
      ];
    }),
};
