import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none, noneOf } from '../harness/metrics.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import { makeSubscribers } from '../harness/subscribers.ts';
import { firstOfMonth } from '../src/domain/calendar.ts';
import { createRandom } from '../src/operator/demo/random.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import type { Db } from '../src/platform/db/database.ts';
import { setBuyer, setSeller } from '../test/support/invoicing.ts';
import { type Fixture, withFixture } from './support/fixture.ts';

interface Plan {
  companies: number;
  /** Months that each company has to catch up on, each with an invoice. */
  months: number;
  workers: number;
  kills: number;
}

interface Progress {
  issued: number;
  unfinished: number;
}

async function findProgress(db: Db): Promise<Progress> {
  const { rows } = await sql<Progress>`
    select count(*) filter (where number is not null) as issued,
      count(*) filter (where number is null or files is null) as unfinished from invoices`.execute(db);
  return rows[0] ?? { issued: 0, unfinished: 0 };
}

/** Creates companies that have months to catch up on. */
async function makeCompanies(db: Db, { companies, months }: Plan): Promise<CompanyId[]> {
  await setSeller(db, Temporal.Now.instant());
  const first = firstOfMonth(Temporal.Now.plainDateISO('Europe/Berlin')).subtract({ months: months - 1 });
  const made: CompanyId[] = [];
  while (made.length < companies) {
    const company = await makeSubscribers(db, {
      count: 3,
      startOn: first,
      status: 'active',
      processedThrough: first.subtract({ days: 1 }),
    });
    await setBuyer(db, company, Temporal.Now.instant());
    made.push(company);
  }
  return made;
}

/** Waits until more invoices are issued, so that the next kill interrupts the issuing. */
async function untilMore(db: Db, count: number, total: number): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(5)) {
    const { issued } = await findProgress(db);
    if (issued >= Math.min(count, total)) return;
  }
}

async function untilFinished(db: Db, total: number): Promise<boolean> {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; await sleep(100)) {
    const { issued, unfinished } = await findProgress(db);
    if (issued === total && unfinished === 0) return true;
  }
  return false;
}

/** Returns what is wrong with the numbers: they must be 1, 2, 3 … without a gap, and none twice. */
async function compareNumbers(db: Db, { log }: Context): Promise<Metric[]> {
  const { rows } = await sql<{ number: number }>`select number from invoices order by number`.execute(db);
  const numbers = rows.map(({ number }) => number);
  const { rows: counter } = await sql<{ last: number }>`select last_number as last from invoice_numbers`.execute(db);
  const { rows: events } = await sql<{ count: number }>`
    select count(*) as count from audit_log where action = 'billing.issue-invoice'`.execute(db);
  const { rows: twice } = await sql<{ one: string }>`
    select company_id || ' ' || period as one from invoices group by company_id, period, kind having count(*) > 1`.execute(
    db,
  );
  const gaps = numbers.filter((number, index) => number !== index + 1).map(String);
  return [
    noneOf('numbers missing or used twice', gaps, log),
    none('numbers taken and not used', Math.abs((counter[0]?.last ?? 0) - numbers.length)),
    none('audit entries missing or twice', Math.abs((events[0]?.count ?? 0) - numbers.length)),
    noneOf(
      'months invoiced twice',
      twice.map(({ one }) => one),
      log,
    ),
  ];
}

async function run({ db, startWorker }: Fixture, plan: Plan, context: Context): Promise<Metric[]> {
  const random = createRandom(context.seed);
  const total = plan.companies * plan.months;
  await makeCompanies(db, plan);
  const workers = [];
  while (workers.length < plan.workers) workers.push(await startWorker());
  let [killed, interrupted] = [0, 0];
  for (; killed < plan.kills; killed++) {
    const { issued } = await findProgress(db);
    await untilMore(db, issued + random.int(1, Math.max(1, Math.floor(total / plan.kills / 2))), total);
    const victim = random.int(0, plan.workers - 1);
    await workers[victim]?.end('SIGKILL');
    const progress = await findProgress(db);
    if (progress.issued < total || progress.unfinished > 0) interrupted++;
    context.log(`killed worker ${victim + 1} after ${progress.issued} of ${total} invoices`);
    workers[victim] = await startWorker();
  }
  const isFinished = await untilFinished(db, total);
  return [
    atLeast('workers killed', killed, plan.kills),
    atLeast('of them while invoices were issued or written', interrupted, 1),
    info('invoices issued', (await findProgress(db)).issued),
    none('runs that did not finish', isFinished ? 0 : 1),
    ...(await compareNumbers(db, context)),
  ];
}

export const invoices: Scenario<Plan> = {
  name: 'invoices',
  title: 'Workers are killed while they issue invoices: numbers without gaps, none twice',
  plans: {
    full: { companies: 200, months: 3, workers: 3, kills: 20 },
    quick: { companies: 20, months: 2, workers: 2, kills: 3 },
  },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
