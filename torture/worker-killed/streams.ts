import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { Day } from '../../src/domain/calendar.ts';
import { createRandom, type Random } from '../../src/operator/demo/random.ts';
import { clockRefreshMillis } from '../../src/platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { comingFirst, moveEnvironmentTo } from '../../test/support/environment.ts';
import { until } from '../../test/support/until.ts';
import type { Fixture } from '../support/fixture.ts';
import { RosterStream } from '../support/roster-model.ts';
import { RosterPusher } from '../support/roster-pusher.ts';
import { makeTestCompany, withoutGuard } from '../support/test-company.ts';
import { Workforce } from './workforce.ts';

export interface StreamPlan {
  /** The number of entries of the large rosters. Their syncs take long enough to be interrupted. */
  largeSize: number;
  /** One company per number, with at most so many unfinished syncs. The job of a later one also finds the earlier ones. */
  pending: number[];
  subscribers: number;
}

const limitMs = 180_000;
/** Longer than a worker's death may delay a day. Workers have to detect the death themselves. */
const checkAgainMs = 40_000;

/** Starts the environment's clock. It only moves from the first of one month to the first of the next. */
async function startClock(db: Db, connectionString: string, firstMonth: Day) {
  const boss = new PgBoss({ connectionString, schema: 'queue', max: 1, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await moveEnvironmentTo(db, firstMonth);
  let month = 0;
  const today = () => firstMonth.add({ months: month });
  return {
    month: () => month,
    /** Moves to the next month and makes workers check for due days, as the queue's schedule does every few minutes. */
    async moveOn() {
      month += 1;
      await moveEnvironmentTo(db, today());
      // After this time every worker has read the clock. A worker that was too busy gets another job below.
      await sleep(2 * clockRefreshMillis);
      await boss.send('schedule-daily-runs', {});
    },
    async untilProcessed(...companyIds: CompanyId[]) {
      let checkAgainAt = Date.now() + checkAgainMs;
      const isProcessed = async () => {
        if (Date.now() > checkAgainAt) {
          checkAgainAt += checkAgainMs;
          await boss.send('schedule-daily-runs', {});
        }
        const { rows } = await sql`
          select from companies c
          where c.id = any(${companyIds}) and c.processed_through < ${today().toString()}::date`.execute(db);
        return rows.length === 0;
      };
      await until(`${today()} is processed`, isProcessed, limitMs);
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

/** Nobody is erased however far the clock moves, and nobody signs: so many documents would take longer than all else. */
const common = { ...withoutGuard, retention_days: 36_500 } as const;
const settings = { ...common, plan_type: 'split-pay-plan', contribution_cents: 2_000 } as const;
const paidByCompany = { ...common, plan_type: 'fully-subsidized-plan', contribution_cents: 0 } as const;

export async function makePopulation({ db, urls, startApi }: Fixture, plan: StreamPlan, seed: number) {
  const firstMonth = comingFirst();
  const { url } = await startApi();
  const random = createRandom(seed + 1);
  const workforce = new Workforce(random, firstMonth, plan.subscribers);
  const others: RosterPusher[] = [];
  for (const _ of plan.pending) {
    const rosters = new RosterStream(createRandom(seed + 2 + others.length));
    others.push(new RosterPusher(await makeTestCompany(db, settings), url, rosters));
  }
  const population = {
    seed,
    db,
    random,
    clock: await startClock(db, urls.adminUrl, firstMonth),
    /** A company whose months pass. Workers process its days, issue and bill its tickets and write its documents. */
    subscribers: new RosterPusher(await makeTestCompany(db, paidByCompany), url, workforce),
    workforce,
    /** The rosters of these companies have the same effect on every day. */
    others,
  };
  await db.updateTable('companies').set({ processed_through: firstMonth.toString() }).execute();
  return population;
}

export type Population = Awaited<ReturnType<typeof makePopulation>>;

async function push(pusher: RosterPusher, number: number, random: Random): Promise<void> {
  const syncId = await pusher.push(number);
  if (random.chance(0.3)) await pusher.deliver(syncId);
}

/** Pushes a roster and moves the clock to the next month, while the documents of the month before are written. */
async function processMonths({ db, random, clock, subscribers, workforce }: Population, over: AbortSignal) {
  const { companyId } = subscribers.company;
  const untilWrittenBefore = async (month: number) => {
    const before = workforce.monthAt(month).toString();
    // Counts the confirmations of tickets before this month, and all other documents, that are not stored.
    const isWritten = async () => {
      const { rows } = await sql<{ unwritten: number }>`
        select (select count(*) from documents d where ${ofCompany(companyId, 'd')} and d.content is not null
            and not (d.kind = 'ticket-confirmation' and d.about >= ${before}::date))
          + (select count(*) from tickets t where ${ofCompany(companyId, 't')} and t.month < ${before}::date)
          - (select count(*) from documents d where ${ofCompany(companyId, 'd')} and d.kind = 'ticket-confirmation'
              and d.about < ${before}::date) as unwritten`.execute(db);
      return rows[0]?.unwritten === 0;
    };
    await until('the documents are written', isWritten, limitMs);
  };
  while (clock.month() < 2 || !over.aborted) {
    await push(subscribers, clock.month(), random);
    if (random.chance(0.3)) await subscribers.waitFor(0);
    await clock.moveOn();
    await subscribers.waitFor(0);
    await clock.untilProcessed(companyId);
    await untilWrittenBefore(clock.month());
  }
  await untilWrittenBefore(clock.month() + 1);
}

const smallSize = 150;

/** Runs all streams until the kills are over. Returns how many workers were killed, and why streams halted. */
export async function runStreams(population: Population, plan: StreamPlan, kill: () => Promise<number>) {
  const { seed, clock, subscribers, others } = population;
  const all = [subscribers, ...others];
  // Every employee is in the database before the first month starts.
  await subscribers.push(clock.month());
  for (const pusher of others) await pusher.push(smallSize);
  for (const pusher of all) await pusher.waitFor(0);
  const over = new AbortController();
  const kills = kill().finally(() => over.abort());
  const pushRosters = async (pusher: RosterPusher, index: number) => {
    const random = createRandom(seed * 7 + index);
    for (let number = 0; number < 2 || !over.signal.aborted; number++) {
      await push(pusher, number % 3 === 0 ? plan.largeSize : random.int(smallSize, 4 * smallSize), random);
      await pusher.waitFor(plan.pending[index] ?? 0);
    }
    await pusher.waitFor(0);
  };
  const streams = [processMonths(population, over.signal), ...others.map(pushRosters)];
  const [, ...results] = await Promise.allSettled([kills, ...streams]);
  const processed = clock.untilProcessed(...all.map(({ company }) => company.companyId));
  results.push(...(await Promise.allSettled([processed])));
  const halted = results.flatMap((result) => (result.status === 'rejected' ? String(result.reason) : []));
  return { killed: await kills, halted };
}
