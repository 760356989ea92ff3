import { sql } from 'kysely';
import { pino } from 'pino';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { median, watchMemory } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { makeSubscribers } from '../harness/subscribers.ts';
import { catchUp, type DailyRunDeps } from '../src/features/daily-run/run.ts';
import { createEmployeeMails, noEmployeeMails } from '../src/features/employee-mails/queue.ts';
import { noNotices } from '../src/features/notices/notices.ts';
import { createEncryption } from '../src/platform/crypto/encryption.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../src/platform/db/database.ts';
import { openQueue, type Queue } from '../src/platform/jobs/queue.ts';
import { clockOn } from '../test/support/sync.ts';
import { type Server, withServer } from './database.ts';
import { startProcessorTime } from './processor.ts';

type Plan = Record<'employees' | 'rounds', number>;

/** In an ordinary month one subscription in twenty changes. In the month after a company has joined, all of them start. */
const statusOf = {
  ordinary: sql`case when n % 100 < 2 then 'scheduled' when n % 100 = 2 then 'scheduled-pause' when n % 100 = 3 then 'paused'
    when n % 100 = 4 then 'scheduled-cancellation' else 'active' end`,
  starting: sql`'scheduled'`,
};

const first = Temporal.PlainDate.from('2026-12-01');

const makeMonth = (db: Db, kind: keyof typeof statusOf, count: number) =>
  makeSubscribers(db, { count, startOn: first, status: statusOf[kind], processedThrough: first.subtract({ days: 1 }) });

/** Does the minimum: it writes given rows, makes no decisions and does not prevent duplicates. */
async function insertPlainly(db: Db, companyId: CompanyId, count: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token, plan_type)
      select company_id, id, '2026-12-01', 'DT-' || id, '2026-12-01', '2026-12-31', md5(id::text) || md5(id::text || 'x'),
        plan_type from employees where company_id = ${companyId} order by id limit ${count}`.execute(tx);
    await sql`
      insert into billing_items (company_id, period, charge_type, net_cents, tax_cents, gross_cents, employee_id,
        first_name, last_name, email, hr_id, plan_type, company_share_cents, employee_share_cents, billed_at)
      select company_id, '2026-12-01', 'ticket-charge', 5593, 392, 5985, id, first_name, last_name, email, 'E-' || id,
        plan_type, 5985, 0, now() from employees where company_id = ${companyId} order by id limit ${count}`.execute(
      tx,
    );
  });
}

/** Returns how long work takes, and the processor time of this process and of PostgreSQL, in milliseconds. */
async function timeOf<T>(db: Db, work: () => Promise<T>) {
  const processor = await startProcessorTime(db, [process.pid]);
  const begun = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begun, processorMs: await processor.stop() };
}

interface Round {
  tickets: number;
  ms: number;
  processorMs: number;
  plainMs: number;
  ratio: number;
}

async function playRound(db: Db, deps: DailyRunDeps, kind: keyof typeof statusOf, employees: number): Promise<Round> {
  const companyId = await makeMonth(db, kind, employees);
  const { result, ms, processorMs } = await timeOf(db, () => catchUp(db, deps, companyId));
  const { tickets } = result;
  const other = await makeMonth(db, kind, employees);
  const plain = await timeOf(db, () => insertPlainly(db, other, tickets));
  return { tickets, ms, processorMs, plainMs: plain.ms, ratio: processorMs / plain.processorMs };
}

/** Returns the processor time of a run, with or without mails about its tickets. */
async function measureProcessor(db: Db, deps: DailyRunDeps, employees: number): Promise<number> {
  const companyId = await makeMonth(db, 'ordinary', employees);
  return (await timeOf(db, () => catchUp(db, deps, companyId))).processorMs;
}

async function measureMails(
  url: string,
  deps: DailyRunDeps & { queue: Queue },
  { employees, rounds }: Plan,
): Promise<Metric[]> {
  // One connection, so that its process at the server does all the work.
  const { db, close } = connectDatabase({ url, max: 1, applicationName: 'bench', streaming: true });
  const encryption = createEncryption('the benchmark encrypts nothing');
  const mailing = {
    ...deps,
    employeeMails: createEmployeeMails({ isConfigured: true, encryption, queue: deps.queue }),
  };
  try {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const plain = await measureProcessor(db, deps, employees);
      ratios.push((await measureProcessor(db, mailing, employees)) / plain);
    }
    return [atMost('ordinary month, processor time with ticket mails / without', median(ratios), 1.1)];
  } finally {
    await close();
  }
}

async function measure({ url, db, stops }: Server, plan: Plan): Promise<Metric[]> {
  const { employees, rounds } = plan;
  const queue = await openQueue({ url, worker: false, log: pino({ level: 'silent' }) });
  stops.defer(queue.stop);
  const deps = { clock: clockOn('2026-12-01'), queue, notices: noNotices, employeeMails: noEmployeeMails };
  const memory = await watchMemory(process.pid);
  const metrics: Metric[] = [];
  for (const [kind, limit] of [
    ['ordinary', 1.5],
    ['starting', 3],
  ] as const) {
    const played: Round[] = [];
    for (let round = 0; round < rounds; round++) played.push(await playRound(db, deps, kind, employees));
    const middle = (name: keyof Round) => median(played.map((round) => round[name]));
    metrics.push(
      info(`${kind} month, tickets`, middle('tickets')),
      info(`${kind} month, plain SQL, ms`, middle('plainMs')),
      info(`${kind} month, the run, ms`, middle('ms')),
      info(`${kind} month, processor time of the run, ms`, middle('processorMs')),
      atMost(`${kind} month, the run / plain SQL, processor time`, middle('ratio'), limit),
    );
  }
  metrics.push(...(await measureMails(url, deps, plan)));
  return [...metrics, info('memory growth, MB', await memory.stop())];
}

export const monthScenario: Scenario<Plan> = {
  name: 'month',
  title:
    'The run of a first of a month (subscriptions move, tickets are issued and billed) against plain SQL that inserts as many tickets and as many charges, one statement each, into the same tables with all their indexes',
  plans: { full: { employees: 100_000, rounds: 3 }, quick: { employees: 10_000, rounds: 1 } },
  run: (plan) => withServer((server) => measure(server, plan)),
};
