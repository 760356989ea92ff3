import assert from 'node:assert/strict';
import { atLeast, info, type Metric } from '../harness/metrics.ts';
import { median } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { TransitBenefits } from '../sdk/src/index.ts';
import { asCompanyId } from '../src/platform/db/company-scope.ts';
import { basic } from '../test/support/app.ts';
import { makeKey } from '../test/support/factories.ts';
import { companies, type Population, period } from './database.ts';
import { population, type Setting, withSetting } from './setting.ts';

interface Plan {
  population: Population;
  rounds: number;
}

/** Does the same work twice: with `fetch` as one would write it by hand, and with the client library. Both return a count. */
interface Work {
  name: string;
  raw(): Promise<number>;
  client(): Promise<number>;
}

async function count(records: AsyncIterable<{ id: number }>): Promise<number> {
  let found = 0;
  for await (const { id } of records) found += id > 0 ? 1 : 0;
  return found;
}

function describeWork(url: string, headers: Record<string, string>, client: TransitBenefits): Work[] {
  const get = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers });
    assert.equal(response.status, 200);
    return (await response.json()) as { data: never };
  };
  const walk = async () => {
    let found = 0;
    for (let page = 1; ; page++) {
      const { data } = await get(`/employees?page=${page}&perPage=100`);
      const { data: rows, totalPages }: { data: object[]; totalPages: number } = data;
      found += rows.length;
      if (page >= totalPages) return found;
    }
  };
  const ids = Array.from({ length: 300 }, (_, index) => index);
  return [
    {
      name: 'one record after the other',
      raw: async () => {
        for (const _ of ids) await get('/me');
        return ids.length;
      },
      client: async () => {
        for (const _ of ids) await client.me();
        return ids.length;
      },
    },
    { name: 'a list of all employees', raw: walk, client: () => count(client.employees.list()) },
    {
      name: 'an export',
      raw: async () => {
        const { data }: { data: object[] } = await get(`/billing/items/${period}/ticket-charge`);
        return data.length;
      },
      client: () => count(client.billing.export(period, 'ticket-charge')),
    },
  ];
}

async function time(work: () => Promise<number>): Promise<{ ms: number; found: number }> {
  const begun = performance.now();
  const found = await work();
  return { ms: performance.now() - begun, found };
}

/** Compares rounds that follow each other, so that both sides meet the same moods of the machine. */
async function compare({ name, raw, client }: Work, rounds: number): Promise<Metric[]> {
  assert.equal((await time(raw)).found, (await time(client)).found);
  const ratios: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const isRawFirst = round % 2 === 0;
    const first = await time(isRawFirst ? raw : client);
    const second = await time(isRawFirst ? client : raw);
    const [ours, theirs] = isRawFirst ? [second, first] : [first, second];
    ratios.push(theirs.ms / ours.ms);
    times.push(ours.ms);
  }
  return [info(`${name}, ms`, median(times)), atLeast(`${name}: client / fetch, speed`, median(ratios), 0.9)];
}

async function measure({ db, service }: Setting, { rounds }: Plan): Promise<Metric[]> {
  const key = await makeKey(db, asCompanyId(companies.large));
  const client = new TransitBenefits({ key, baseUrl: service.url });
  const metrics: Metric[] = [];
  for (const work of describeWork(service.url, { authorization: basic(key) }, client)) {
    metrics.push(...(await compare(work, rounds)));
  }
  return metrics;
}

export const sdkScenario: Scenario<Plan> = {
  name: 'sdk',
  title: 'The client library against `fetch` written by hand, for the same work',
  plans: { full: { population: population.full, rounds: 9 }, quick: { population: population.quick, rounds: 9 } },
  run: (plan) => withSetting(plan.population, (setting) => measure(setting, plan)),
};
