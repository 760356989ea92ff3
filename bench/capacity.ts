import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type LoadProcess, startLoadProcess } from '../harness/load.ts';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { startApi } from '../harness/processes.ts';
import type { Scenario } from '../harness/scenario.ts';
import { type Day, firstOfNextMonth } from '../src/domain/calendar.ts';
import type { Integration } from '../src/features/companies/companies.ts';
import { catchUp, type DailyRunDeps } from '../src/features/daily-run/run.ts';
import { openDocumentStore } from '../src/features/documents/files.ts';
import { startRenderer } from '../src/features/documents/pdf/renderer.ts';
import { type WriteDocumentsDeps, writeDocuments } from '../src/features/documents/write.ts';
import { createEmployeeMails } from '../src/features/employee-mails/queue.ts';
import { type EmployeeSendDeps, sendPaced } from '../src/features/employee-mails/send.ts';
import { writeTicketMails } from '../src/features/employee-mails/write-tickets.ts';
import { noNotices } from '../src/features/notices/notices.ts';
import { type RunSyncsDeps, runOldestSync } from '../src/features/roster/run.ts';
import { createEncryption } from '../src/platform/crypto/encryption.ts';
import { connectDatabase, type Db } from '../src/platform/db/database.ts';
import { openQueue } from '../src/platform/jobs/queue.ts';
import { openTransport } from '../src/platform/mail-transport/transport.ts';
import { basic } from '../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../test/support/factories.ts';
import { clockOn } from '../test/support/sync.ts';
import {
  type Cost,
  type Costs,
  coresFor,
  costPerMonth,
  mailsPerMinute,
  type Place,
  places,
  type Unit,
  units,
} from './capacity-model.ts';
import { type Server, withServer } from './database.ts';
import { load, startServer } from './processes/index.ts';
import { openProcessorTimes } from './processor.ts';

interface Plan {
  /** How many employees are measured, and for how many the same work is predicted. */
  measured: number;
  predicted: number;
  /** How many companies get documents and mails. All would take hours. */
  sampled: number;
  requests: number;
}

const companySize = 1_000;
/** Three employees in five have a ticket. */
const makeRoster = (size: number) =>
  JSON.stringify(
    Array.from({ length: size }, (_, index) => ({
      hrId: `E-${index}`,
      firstName: 'Anna',
      lastName: `Muster ${index}`,
      email: `employee.${index}@example.com`,
      dateOfBirth: '1990-03-15',
      startDate: '2020-03-01',
      autoSyncEmployee: index % 5 < 3,
    })),
  );

/** As many as the companies that a worker syncs at the same time. */
const atOnce = 2;

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const workSome = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, workSome));
}

interface Company extends Integration {
  authorization: string;
}

async function makeCompanies(db: Db, count: number, today: Day): Promise<Company[]> {
  const companies: Company[] = [];
  while (companies.length < count) {
    const companyId = await makeCompany(db);
    const hrIntegrationId = await makeIntegration(db, companyId);
    companies.push({ companyId, hrIntegrationId, authorization: basic(await makeKey(db, companyId)) });
  }
  await sql`update companies set processed_through = ${today.toString()}::date
    where id = any(${companies.map(({ companyId }) => companyId)})`.execute(db);
  return companies;
}

/** The parts of a worker, in this process, one job at a time: so what each needs can be told apart. */
interface Setting extends Pick<Server, 'db'> {
  apiUrl: string;
  today: Day;
  syncs: RunSyncsDeps;
  days: Omit<DailyRunDeps, 'clock'>;
  documents: Omit<WriteDocumentsDeps, 'clock' | 'onFinished'>;
  mails: Omit<EmployeeSendDeps, 'report'>;
  generator: LoadProcess;
  measureTimes: Awaited<ReturnType<typeof openProcessorTimes<'API' | 'worker'>>>;
}

async function openSetting({ url, folder, stops }: Server): Promise<Setting> {
  const { db, close } = connectDatabase({ url, max: 2 * atOnce + 2, applicationName: 'bench', streaming: true });
  stops.defer(close);
  const queue = await openQueue({ url, worker: false, log: pino({ level: 'silent' }) });
  stops.defer(queue.stop);
  const api = await startApi(url, folder);
  stops.defer(() => api.end('SIGTERM'));
  const mailServer = await startServer('fake-mail-server', {});
  stops.defer(mailServer.stop);
  const transport = openTransport({ url: mailServer.url, from: 'benefits@example.com', requireTls: false });
  stops.defer(() => transport.close());
  const renderer = startRenderer(false);
  stops.defer(renderer.stop);
  const generator = startLoadProcess();
  stops.defer(() => void generator.end());
  const encryption = createEncryption('the benchmark encrypts nothing');
  const { signal } = new AbortController();
  // Before every cut-off, so that subscriptions begin on the first of the next month.
  const today = Temporal.Now.plainDateISO('Europe/Berlin').with({ day: 1 });
  const days = {
    queue,
    notices: noNotices,
    employeeMails: createEmployeeMails({ isConfigured: true, encryption, queue }),
  };
  const fail = (error: unknown) => {
    throw error;
  };
  return {
    ...{ db, apiUrl: api.url, today, days, generator },
    syncs: {
      ...{ db, queue, signal, deps: { ...days, clock: clockOn(today.toString()) } },
      report: { applied: () => {}, failed: (_attempt, error) => fail(error) },
    },
    documents: {
      db,
      queue,
      signal,
      renderer,
      documents: await openDocumentStore(join(folder, 'documents')),
      onError: fail,
    },
    mails: {
      ...{ db, queue, signal, transport, encryption },
      config: {
        ...{ environment: 'production', mailAllow: undefined, mailRatePerMinute: 100_000 },
        publicUrl: 'https://benefits.example.com',
      },
    },
    measureTimes: await openProcessorTimes(db, { API: api.pid, worker: process.pid }),
  };
}

/** Work that was done, and its processor time in milliseconds. */
interface Done {
  count: number;
  total: Cost;
}
type Run = Record<Unit, Done>;

const noCost = (): Cost => ({ API: 0, worker: 0, database: 0 });

/** Does the work of a month for these companies, step by step. */
async function runMonth(
  setting: Setting,
  companies: Company[],
  plan: Pick<Plan, 'sampled' | 'requests'>,
  log = (_line: string) => {},
) {
  const { db, apiUrl, syncs, days, documents, mails, generator, measureTimes, today } = setting;
  const month = firstOfNextMonth(today);
  const run = Object.fromEntries(units.map((unit) => [unit, { count: 0, total: noCost() }])) as unknown as Run;
  /** Adds what work costs in some places to a unit, or to some by their shares. */
  const add = (shares: Partial<Record<Unit, number>>, at: readonly Place[], times: Cost) => {
    for (const unit of Object.keys(shares) as Unit[]) {
      for (const place of at) run[unit].total[place] += times[place] * (shares[unit] ?? 0);
    }
  };
  const measure = async (unit: Unit, at: readonly Place[], work: () => Promise<unknown>) => {
    const { times, seconds } = await measureTimes(work);
    add({ [unit]: 1 }, at, times);
    log(`${unit}: ${at.join(', ')}: ${Math.round(seconds)} s`);
  };

  const roster = makeRoster(companySize);
  for (const unit of ['new roster entry', 'unchanged roster entry'] as const) {
    const body = Buffer.from(`{"syncId":"${unit}","employees":${roster}}`);
    await measure(unit, ['API', 'database'], () =>
      forEach(companies, async ({ hrIntegrationId, authorization }) => {
        const headers = { authorization, 'content-type': 'application/json' };
        const path = `${apiUrl}/hr-integrations/${hrIntegrationId}/sync`;
        const { status } = await fetch(path, { method: 'POST', headers, body });
        if (status !== 204) throw new Error(`The roster was answered ${status}.`);
      }),
    );
    await measure(unit, ['worker', 'database'], () => forEach(companies, (company) => runOldestSync(syncs, company)));
    run[unit].count = companies.length * companySize;
  }

  const runDays = (day: Day, onDay?: DailyRunDeps['onDay']) => {
    const deps = { ...days, clock: clockOn(day.toString()), ...(onDay ? { onDay } : {}) };
    return measureTimes(() => forEach(companies, ({ companyId }) => catchUp(db, deps, companyId)));
  };
  await sql`update companies set processed_through = ${month.subtract({ days: 1 }).toString()}::date
    where id = any(${companies.map(({ companyId }) => companyId)})`.execute(db);
  const spent = { all: 0, billing: 0 };
  const first = await runDays(month, ({ result, millis, billingMillis = 0 }) => {
    spent.all += millis;
    spent.billing += billingMillis;
    run.ticket.count += result.tickets;
    run.charge.count += result.charges;
  });
  const billing = spent.billing / spent.all;
  // Billing is a part of the same transaction: its share of the time is taken for its share of the processor time.
  add({ ticket: 1 - billing, charge: billing }, ['worker', 'database'], first.times);
  log(`ticket, charge: ${Math.round(first.seconds)} s`);
  const quiet = await runDays(month.add({ days: 1 }));
  add({ 'day of a company': 1 }, ['worker', 'database'], quiet.times);
  run['day of a company'].count = companies.length;

  const some = companies.slice(0, plan.sampled);
  const clock = clockOn(month.toString());
  await measure('document', ['worker', 'database'], async () => {
    for (const { companyId } of some) {
      let confirmed: string | null = month.toString();
      for (let written = -1; written !== 0; ) {
        written = 0;
        const onFinished: WriteDocumentsDeps['onFinished'] = (result) => {
          written = result.written;
          run.document.count += written;
        };
        await writeDocuments({ ...documents, clock, onFinished }, companyId, confirmed);
        confirmed = null;
      }
    }
  });
  await measure('mail', ['worker', 'database'], async () => {
    for (const { companyId } of some) {
      await writeTicketMails({ db, clock }, companyId, month);
      for (let sent = -1; sent !== 0; ) {
        sent = 0;
        const report: EmployeeSendDeps['report'] = {
          sent: () => {
            sent += 1;
            run.mail.count += 1;
          },
          failed: (_mail, { code }) => {
            throw new Error(`A mail was not sent: ${code}`);
          },
        };
        await sendPaced({ ...mails, report }, companyId);
      }
    }
  });

  const requests = Array.from({ length: plan.requests }, (_, index) => {
    const { authorization } = companies[index % companies.length] as Company;
    const page = 1 + (Math.floor(index / companies.length) % (companySize / 10));
    return { path: `/employees?perPage=10&page=${page}`, headers: { authorization } };
  });
  await measure('request', ['API', 'database'], () =>
    load(generator, apiUrl, { requests, seconds: 3_600, isSentOnce: true }),
  );
  run.request.count = requests.length;
  return run;
}

const runFor = (employees: number, plan: Plan, log: (line: string) => void): Promise<Run> =>
  withServer(async (server) => {
    const setting = await openSetting(server);
    const { db, today } = setting;
    // Warms up, so that compiling code and preparing statements are not measured.
    await runMonth(setting, await makeCompanies(db, 2, today), { sampled: 1, requests: 100 });
    const companies = await makeCompanies(db, employees / companySize, today);
    log(`${employees} employees`);
    return runMonth(setting, companies, plan, log);
  });

function costsOf(run: Run): Costs {
  const costOf = ({ count, total }: Done): Cost => ({
    API: total.API / count,
    worker: total.worker / count,
    database: total.database / count,
  });
  return Object.fromEntries(units.map((unit) => [unit, costOf(run[unit])])) as Costs;
}

const presentCosts = (employees: number, costs: Costs): Metric[] =>
  units.flatMap((unit) =>
    places
      .filter((place) => costs[unit][place] > 0)
      .map((place) => info(`${employees} employees, ${unit}: ${place}, ms`, costs[unit][place])),
  );

const sumOf = (cost: Cost) => places.reduce((total, place) => total + cost[place], 0);

/** Compares what the costs of the smaller run predict for the work of the larger one with what that needed. */
function compare(costs: Costs, run: Run): Metric[] {
  const predicted = units.map((unit) => (run[unit].count * sumOf(costs[unit])) / 1_000);
  const measured = units.map((unit) => sumOf(run[unit].total) / 1_000);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const ratio = sum(predicted) / sum(measured);
  return [
    ...units.flatMap((unit, index) => [
      info(`${unit}: how many`, run[unit].count),
      info(`${unit}: predicted, s`, predicted[index] ?? 0),
      info(`${unit}: predicted / measured`, (predicted[index] ?? 0) / (measured[index] ?? 0)),
    ]),
    info('all: predicted, s', sum(predicted)),
    info('all: measured, s', sum(measured)),
    info('all: predicted / measured', ratio),
    atMost('error of the prediction, %', 100 * Math.abs(ratio - 1), 25),
  ];
}

export const capacityScenario: Scenario<Plan> = {
  name: 'capacity',
  title: `Processor time of API, worker and PostgreSQL for what employees of companies with ${companySize} employees cause in a month, what follows for more of them, and whether it predicts the same work for ten times as many`,
  plans: {
    full: { measured: 100_000, predicted: 1_000_000, sampled: 5, requests: 10_000 },
    quick: { measured: 1_000, predicted: 10_000, sampled: 1, requests: 100 },
  },
  async run(plan, { log }) {
    const costs = costsOf(await runFor(plan.measured, plan, log));
    const run = await runFor(plan.predicted, plan, log);
    const model = [100_000, 1_000_000, 10_000_000].flatMap((employees) => [
      ...places.map((place) => info(`${employees} employees: ${place}, cores`, coresFor(costs, place, employees))),
      info(`${employees} employees: mails a minute on the first of a month`, mailsPerMinute(employees)),
    ]);
    return [
      ...presentCosts(plan.measured, costs),
      ...places.map((place) => info(`an employee in a month: ${place}, ms`, costPerMonth(costs, place))),
      ...model,
      ...presentCosts(plan.predicted, costsOf(run)),
      ...compare(costs, run),
    ];
  },
};
