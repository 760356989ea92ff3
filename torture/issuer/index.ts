import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none } from '../../harness/metrics.ts';
import type { WorkerProcess } from '../../harness/processes.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { type Faults, startFakeIssuer } from '../../src/features/issuers/fake/fake-issuer.ts';
import { createRandom } from '../../src/operator/demo/random.ts';
import { until } from '../../test/support/until.ts';
import { deliveringWorker } from '../../test/support/webhooks.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { compare } from './compare.ts';
import { commandsOf, type FakeIssuer, type Months, monthCount, openMonths, replace, replaceFailed } from './months.ts';

const full = {
  companies: 4,
  employees: 150,
  workers: 2,
  kills: 40,
  outages: 4,
  /** The rate limit of the issuer. */
  perSecond: 25,
  /** Per company and month. */
  changes: 5,
  /** Does not wait until the queue notices that a worker is gone. Only for one worker. */
  skipsTimeout: false,
};
type Plan = typeof full;

/** What goes wrong all the time. */
const faults: Partial<Faults> = {
  ...{ loseEvery: 17, busyEvery: 13, retryEvery: 19, repeatEvery: 7 },
  ...{ wrongPersonEvery: 43, duplicateBarcodeEvery: 59, failEvery: 71 },
};

/** Orders that a killed worker has placed, and whose answer nobody has applied. */
async function countUnanswered({ db }: Fixture, issuer: FakeIssuer): Promise<number> {
  const placed = issuer.list().map(({ orderId }) => orderId);
  const { rows } = await sql<{ orders: number }>`
    select count(*) as orders from ticket_orders o where o.state = 'required' and o.order_id = any(${placed}::text[])`.execute(
    db,
  );
  return rows[0]?.orders ?? 0;
}

/** Kills workers while orders are placed, spread over all of them. */
function startKilling(fixture: Fixture, issuer: FakeIssuer, plan: Plan, { seed, log }: Context) {
  const random = createRandom(seed + 1);
  const perKill = Math.floor((plan.companies * plan.employees * monthCount) / plan.kills);
  let isLast = false;
  const workers: WorkerProcess[] = [];
  const start = () => fixture.startWorker(undefined, undefined, deliveringWorker);
  let [killed, interrupted] = [0, 0];

  async function killOne() {
    const slot = random.int(0, workers.length - 1);
    await workers[slot]?.end('SIGKILL');
    const unanswered = await countUnanswered(fixture, issuer);
    if (unanswered > 0) interrupted += 1;
    killed += 1;
    log(`killed worker ${slot + 1} after ${issuer.seen.orders} orders, ${unanswered} of them unanswered`);
    if (plan.skipsTimeout) {
      await sql`update queue.job set heartbeat_on = heartbeat_on - heartbeat_seconds * interval '1 s'
        where state = 'active'`.execute(fixture.db);
    }
    workers[slot] = await start();
  }

  const killing = (async () => {
    while (workers.length < plan.workers) workers.push(await start());
    while (killed < plan.kills) {
      const before = issuer.seen.orders;
      const few = random.int(1, 3);
      const more = random.int(few, Math.max(few, perKill));
      await until('more is ordered', () => issuer.seen.orders >= before + (isLast ? few : more), 3_600_000);
      await killOne();
    }
  })();
  // Awaited in the end. Until then, what waits for orders reports the failure.
  killing.catch(() => {});
  return {
    /** Repeats what makes orders until all kills are done. */
    async finish(order: () => Promise<void>) {
      isLast = true;
      while (killed < plan.kills) await order();
      await killing;
      return { killed, interrupted, ended: workers.filter((worker) => !worker.isRunning()).length };
    },
  };
}

/** Replaces some tickets of employees who have lost theirs. */
async function replaceLost({ db }: Fixture, months: Months, commands: ReturnType<typeof commandsOf>, number: number) {
  const month = months.monthAt(number).toString();
  const { rows } = await sql<{ companyId: number; employeeId: number; month: string }>`
    select distinct on (o.company_id) o.company_id as "companyId", o.employee_id as "employeeId", o.month
    from ticket_orders o where o.month = ${month}::date and o.state = 'issued'
    order by o.company_id, o.employee_id`.execute(db);
  for (const ticket of rows) await replace(commands, ticket, 'lost');
}

/** Lives through the months: orders, changes, both firsts of a month in the middle of an outage, and reconciliations. */
async function passMonths(
  fixture: Fixture,
  { issuer, months, plan }: { issuer: FakeIssuer; months: Months; plan: Plan },
  { log }: Context,
) {
  const commands = commandsOf(fixture);
  let outages = 0;
  const fail = (outage: Faults['outage']) => {
    if (outages >= plan.outages && outage !== null) return;
    if (outage !== null) outages += 1;
    issuer.faults.outage = outage;
    log(outage === null ? 'the issuer works again' : `the issuer fails: ${outage}`);
  };
  await months.settle();
  let replaced = await replaceFailed(fixture.db, months, commands, 0);
  for (let number = 1; number < monthCount; number++) {
    const before = months.monthAt(number - 1);
    const first = months.monthAt(number);
    const begun = issuer.seen.orders;
    await months.moveTo(before.with({ day: 15 }));
    await months.passUntil('orders are placed', () => issuer.seen.orders > begun + plan.employees / 2);
    fail(number === 1 ? 503 : 'drop');
    await months.moveTo(before.with({ day: 16 }));
    fail(null);
    await months.settle();
    await replaceLost(fixture, months, commands, number);
    await months.settle();
    replaced += await replaceFailed(fixture.db, months, commands, number);
    await months.cancel(number - 1, plan.changes);
    await months.moveTo(first.subtract({ days: 3 }));
    await months.settle();
    // Across the first: those who have joined last get their tickets late.
    fail(number === 1 ? 'drop' : 500);
    await months.join(number - 1, plan.changes);
    await months.moveTo(first.subtract({ days: 1 }));
    await months.moveTo(first);
    await months.moveTo(first.add({ days: 1 }));
    fail(null);
    await months.moveTo(first.add({ days: 2 }));
    await months.settle();
    await replaceLost(fixture, months, commands, number);
    await months.settle();
    replaced += await replaceFailed(fixture.db, months, commands, number);
  }
  return { outages, replaced };
}

async function run(fixture: Fixture, plan: Plan, context: Context): Promise<Metric[]> {
  const [token = '', ...otherTokens] = Array.from({ length: plan.companies }, (_, index) => `token-${index + 1}`);
  await using issuer = await startFakeIssuer({
    token,
    otherTokens,
    late: 1,
    delayMillis: 5,
    perSecond: plan.perSecond,
  });
  Object.assign(issuer.faults, faults);
  const commands = commandsOf(fixture);
  const months = await openMonths(fixture, createRandom(context.seed), { ...plan, tokens: [token, ...otherTokens] });
  try {
    const tokenFile = join(fixture.folder, 'token');
    const prices = join(fixture.folder, 'prices.json');
    await writeFile(prices, JSON.stringify([{ from: '2026-01-01', grossCents: 5_985 }]));
    for (const { companyId, token } of months.members) {
      await writeFile(tokenFile, token);
      const words = ['--company', String(companyId), '--issuer', 'http', '--url', issuer.url];
      words.push('--token-file', tokenFile, '--price-file', prices);
      await commands.succeed('issuer', 'set', ...words);
    }
    const kills = startKilling(fixture, issuer, plan, context);
    await months.schedule();
    const { outages, replaced } = await passMonths(fixture, { issuer, months, plan }, context);
    const { killed, interrupted, ended } = await kills.finish(async () => {
      await replaceLost(fixture, months, commands, monthCount - 1);
      await months.settle();
      await replaceFailed(fixture.db, months, commands, monthCount - 1);
    });
    await months.settle();
    await replaceFailed(fixture.db, months, commands, monthCount - 1);
    return [
      atLeast('workers killed', killed, plan.kills),
      atLeast('of them with orders that were placed and not answered', interrupted, 1),
      atLeast('outages of the issuer', outages, plan.outages),
      atLeast('tickets that came back wrong or not at all, and were ordered again', replaced, 1),
      info('requests to the issuer', issuer.seen.requests),
      info('of them refused by its rate limit', issuer.seen.limited),
      none('workers that ended by themselves', ended),
      ...(await compare(fixture.db, { issuer, months, commands, folder: fixture.folder }, context)),
    ];
  } finally {
    await months.stop();
  }
}

export const issuerScenario: Scenario<Plan> = {
  name: 'issuer',
  title: 'Tickets of a fake issuer with every fault, while workers are killed and the issuer fails, also on the first',
  plans: {
    full,
    quick: {
      ...full,
      companies: 1,
      employees: 60,
      workers: 1,
      kills: 3,
      perSecond: 40,
      changes: 2,
      skipsTimeout: true,
    },
  },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
