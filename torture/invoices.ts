import { sql } from 'kysely';
import { atLeast, info, type Metric, none, noneOf } from '../harness/metrics.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import { makeSubscribers } from '../harness/subscribers.ts';
import { firstOfMonth } from '../src/domain/calendar.ts';
import { createRandom } from '../src/operator/demo/random.ts';
import type { Db } from '../src/platform/db/database.ts';
import { setBuyer, setSeller } from '../test/support/invoicing.ts';
import { holdsWithin } from '../test/support/until.ts';
import { type Fixture, withFixture } from './support/fixture.ts';

/** Each company has to catch up on so many months, each with an invoice. */
const full = { companies: 200, months: 3, workers: 3, kills: 20 };
type Plan = typeof full;

async function findProgress(db: Db): Promise<{ issued: number; unfinished: number }> {
  const { rows } = await sql<{ issued: number; unfinished: number }>`
    select count(*) filter (where number is not null) as issued,
      count(*) filter (where number is null or files is null) as unfinished from invoices`.execute(db);
  return rows[0] ?? { issued: 0, unfinished: 0 };
}

async function makeCompanies(db: Db, { companies, months }: Plan): Promise<void> {
  await setSeller(db, Temporal.Now.instant());
  const startOn = firstOfMonth(Temporal.Now.plainDateISO('Europe/Berlin')).subtract({ months: months - 1 });
  const processedThrough = startOn.subtract({ days: 1 });
  for (let made = 0; made < companies; made++) {
    const company = await makeSubscribers(db, { count: 3, startOn, status: 'active', processedThrough });
    await setBuyer(db, company, Temporal.Now.instant());
  }
}

async function compareNumbers(db: Db, { log }: Context): Promise<Metric[]> {
  const { rows } = await sql<{ number: number }>`select number from invoices order by number`.execute(db);
  const gaps = rows.flatMap(({ number }, index) => (number === index + 1 ? [] : String(number)));
  const { rows: counted } = await sql<{ last: number; entries: number; twice: string[] | null }>`
    select last_number as last, (select count(*) from audit_log where action = 'billing.issue-invoice') as entries,
      (select array_agg(one) from (select company_id || ' ' || period as one from invoices
        group by company_id, period, kind having count(*) > 1) t) as twice
    from invoice_numbers`.execute(db);
  const { last = 0, entries = 0, twice } = counted[0] ?? {};
  return [
    noneOf('numbers missing or used twice', gaps, log),
    none('numbers taken and not used', Math.abs(last - rows.length)),
    none('audit entries missing or twice', Math.abs(entries - rows.length)),
    noneOf('months invoiced twice', twice ?? [], log),
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
    // Waits until more are issued, so that the kill interrupts the issuing.
    const enough = Math.min(total, issued + random.int(1, Math.max(1, Math.floor(total / plan.kills / 2))));
    await holdsWithin(120_000, async () => (await findProgress(db)).issued >= enough);
    const victim = random.int(0, plan.workers - 1);
    await workers[victim]?.end('SIGKILL');
    const progress = await findProgress(db);
    if (progress.issued < total || progress.unfinished > 0) interrupted++;
    context.log(`killed worker ${victim + 1} after ${progress.issued} of ${total} invoices`);
    workers[victim] = await startWorker();
  }
  const isFinished = await holdsWithin(300_000, async () => {
    const { issued, unfinished } = await findProgress(db);
    return issued === total && unfinished === 0;
  });
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
  plans: { full, quick: { companies: 20, months: 2, workers: 2, kills: 3 } },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
