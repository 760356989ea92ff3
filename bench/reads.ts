import { atLeast, info, type Metric } from '../harness/metrics.ts';
import { median } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { listBillingItems } from '../src/billing/queries.ts';
import { asCompanyId } from '../src/db/company-scope.ts';
import type { Db } from '../src/db/database.ts';
import { findEmployee, listEmployees } from '../src/employees/queries.ts';
import type { EmployeesQuery } from '../src/employees/schema.ts';
import { listHrIntegrations } from '../src/hr-integrations/queries.ts';
import { captureStatement } from '../test/support/statements.ts';
import { companies, type Population, period } from './database.ts';
import { load, type Running, startBare } from './processes/index.ts';
import { population, type Setting, withSetting } from './setting.ts';
import { clients, executeAlone } from './statement.ts';

interface Plan {
  population: Population;
  rounds: number;
  seconds: number;
}

interface Read {
  name: string;
  path: string;
  company: number;
  atLeast: number;
  query(db: Db): Promise<unknown>;
}

const today = Temporal.Now.plainDateISO('Europe/Berlin');
const firstPage = { page: 1, sortOrder: 'asc', sortField: 'id' } as const;

const employees = (
  name: string,
  path: string,
  { company, atLeast }: { company: number; atLeast: number },
  query: Partial<EmployeesQuery>,
): Read => ({
  name,
  path,
  company,
  atLeast,
  query: (db) => listEmployees(db, asCompanyId(company), { ...firstPage, perPage: 10, ...query }, today),
});

async function listReads(db: Db): Promise<Read[]> {
  const { thousand, large } = companies;
  const company = asCompanyId(thousand);
  const { id } = await db
    .selectFrom('employees')
    .select('id')
    .where('company_id', '=', thousand)
    .limit(1)
    .executeTakeFirstOrThrow();
  const charges = { ...firstPage, perPage: 10, period, chargeType: 'ticket-charge' } as const;
  return [
    employees('GET /employees, 10 rows', '/employees', { company: thousand, atLeast: 0.6 }, {}),
    employees(
      'GET /employees, 100 rows',
      '/employees?perPage=100',
      { company: thousand, atLeast: 0.6 },
      { perPage: 100 },
    ),
    {
      name: 'GET /employees/{id}',
      path: `/employees/${id}`,
      company: thousand,
      atLeast: 0.5,
      query: (db) => findEmployee(db, company, id, today),
    },
    {
      name: 'GET /billing/items of a period',
      path: `/billing/items?period=${period}&chargeType=ticket-charge`,
      company: thousand,
      atLeast: 0.5,
      query: (db) => listBillingItems(db, company, charges),
    },
    {
      name: 'GET /hr-integrations',
      path: '/hr-integrations',
      company: thousand,
      atLeast: 0.5,
      query: (db) => listHrIntegrations(db, company, { ...firstPage, perPage: 10 }),
    },
    employees(
      'search of two words',
      '/employees?search=anna%20krause',
      { company: large, atLeast: 0.4 },
      { search: 'anna krause' },
    ),
  ];
}

interface Measured {
  bare: number;
  statements: number;
  /** What remains of the bound with Fastify and the driver alone, without any code of the service. */
  driver: number;
  service: number;
}

/** Measures requests or statements per second of each in turn, so that other load of the machine affects all three. */
async function measureRead(
  { url, bare, service, headersOf }: Setting & { bare: Running },
  { path: requestPath, company, query }: Read,
  { rounds, seconds }: Plan,
): Promise<Measured> {
  const headers = await headersOf(company);
  const statement = await captureStatement(url, query);
  const target = `${service.url}${requestPath}`;
  const body = await (await fetch(target, { headers })).arrayBuffer();
  const requests = { headers, connections: clients, seconds };
  // Warms up, so that compiling code and preparing statements are not measured.
  const warm = (url: string) => load({ ...requests, url, seconds: Math.min(3, seconds) });
  await warm(target);
  const driver = await startBare({ executing: { url, ...statement } });
  const path = `/${body.byteLength}`;
  const measured: Measured[] = [];
  try {
    await warm(`${driver.url}${path}`);
    for (let round = 0; round < rounds; round++) {
      measured.push({
        bare: (await load({ ...requests, url: `${bare.url}${path}` })).perSecond,
        statements: await executeAlone(url, statement, seconds),
        driver: (await load({ ...requests, url: `${driver.url}${path}` })).perSecond,
        service: (await load({ ...requests, url: target })).perSecond,
      });
    }
  } finally {
    await driver.stop();
  }
  const middle = (pick: keyof Measured) => median(measured.map((one) => one[pick]));
  return {
    bare: middle('bare'),
    statements: middle('statements'),
    driver: middle('driver'),
    service: middle('service'),
  };
}

function metricsOf({ name, atLeast: limit }: Read, { bare, statements, driver, service }: Measured): Metric[] {
  const bound = 1 / (1 / bare + 1 / statements);
  return [
    info(`${name}: bare Fastify H, a second`, bare),
    info(`${name}: statement alone P, a second`, statements),
    info(`${name}: bare Fastify and pg, a second`, driver),
    info(`${name}: the service, a second`, service),
    info(`${name}: bare Fastify and pg / bound B`, driver / bound),
    atLeast(`${name}: the service / bound B`, service / bound, limit),
  ];
}

export const readsScenario: Scenario<Plan> = {
  name: 'reads',
  title:
    'Reads a second against the bound B of a bare Fastify that returns as many bytes (H) and the same statement alone (P): 1/B = 1/H + 1/P',
  plans: {
    full: { population: population.full, rounds: 3, seconds: 4 },
    quick: { population: population.quick, rounds: 1, seconds: 1 },
  },
  run: (plan, { log }) =>
    withSetting(plan.population, async (setting) => {
      const bare = await startBare();
      try {
        const metrics: Metric[] = [];
        for (const read of await listReads(setting.db)) {
          metrics.push(...metricsOf(read, await measureRead({ ...setting, bare }, read, plan)));
          log(`${read.name}: ${metrics.at(-1)?.value} B`);
        }
        return metrics;
      } finally {
        await bare.stop();
      }
    }),
};
