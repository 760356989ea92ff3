import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import { createRandom, type Random } from '../../src/demo/random.ts';
import type { Day } from '../../src/domain/calendar.ts';
import { comingFirst } from '../../test/support/environment.ts';
import { until } from '../../test/support/until.ts';
import type { Fixture } from '../support/fixture.ts';
import { RosterStream } from '../support/roster-model.ts';
import { RosterPusher } from '../support/roster-pusher.ts';
import { makeTestCompany, withoutGuard } from '../support/test-company.ts';
import { type MovingClock, startMovingClock } from './moving-clock.ts';
import { Workforce } from './workforce.ts';

/** The syncs, daily runs and documents during which workers are killed. */
export interface StreamPlan {
  /** The number of entries of the large rosters. Their syncs take long enough to be interrupted. */
  largeSize: number;
  /**
   * One company per number. The number is how many unfinished syncs that company may have. Only the queue's own
   * supervision finds the interrupted sync of a company that waits for each outcome. With several unfinished syncs,
   * each has a job that also finds the earlier ones.
   */
  pending: number[];
  /** The number of employees of the company whose months pass. */
  subscribers: number;
}

/** The clock and the companies that the workers serve. */
export interface Population {
  seed: number;
  db: Db;
  random: Random;
  clock: MovingClock;
  /** A company whose months pass. Workers process its days, issue and bill its tickets and write its documents. */
  subscribers: RosterPusher;
  workforce: Workforce;
  /** The rosters of these companies have the same effect on every day. */
  others: RosterPusher[];
}

const smallSize = 150;
const limitMs = 180_000;

/**
 * The retention time is so long that no employee is erased however far the clock moves. The plan requires a signed
 * contract, and no employee signs: the documents of so many employees would take longer than everything else.
 */
const settings = {
  ...withoutGuard,
  retention_days: 36_500,
  plan_type: 'split-pay-plan',
  contribution_cents: 2_000,
} as const;
const paidByCompany = { ...settings, plan_type: 'fully-subsidized-plan', contribution_cents: 0 } as const;

export async function makePopulation(
  { db, urls, startApi }: Fixture,
  plan: StreamPlan,
  seed: number,
): Promise<Population> {
  const firstMonth = comingFirst();
  const { url } = await startApi();
  const clock = await startMovingClock({ db, databaseUrl: urls.adminUrl, firstMonth });
  const random = createRandom(seed + 1);
  const workforce = new Workforce(random, firstMonth, plan.subscribers);
  const subscribers = new RosterPusher(await makeTestCompany(db, paidByCompany), url, workforce);
  const others: RosterPusher[] = [];
  for (const _ of plan.pending) {
    const rosters = new RosterStream(createRandom(seed + 2 + others.length));
    others.push(new RosterPusher(await makeTestCompany(db, settings), url, rosters));
  }
  await db.updateTable('companies').set({ processed_through: firstMonth.toString() }).execute();
  return { seed, db, random, clock, subscribers, workforce, others };
}

/** Pushes the next roster, and sometimes sends it a second time. */
async function push(pusher: RosterPusher, number: number, random: Random): Promise<void> {
  const syncId = await pusher.push(number);
  if (random.chance(0.3)) await pusher.deliver(syncId);
}

type IsOver = () => boolean;

interface Pushing {
  plan: StreamPlan;
  maxPending: number;
  random: Random;
}

async function pushRosters(pusher: RosterPusher, { plan, maxPending, random }: Pushing, isOver: IsOver): Promise<void> {
  for (let number = 0; number < 2 || !isOver(); number++) {
    await push(pusher, number % 3 === 0 ? plan.largeSize : random.int(smallSize, 4 * smallSize), random);
    await pusher.waitFor(isOver() ? 0 : maxPending);
  }
  await pusher.waitFor(0);
}

/** Counts the confirmations of tickets before this month, and all other documents, that are not stored. */
async function countUnwritten(db: Db, companyId: CompanyId, before: Day): Promise<number> {
  const { rows } = await sql<{ unwritten: number }>`
    select (select count(*) from documents d where ${ofCompany(companyId, 'd')} and d.content is not null
        and not (d.kind = 'ticket-confirmation' and d.about >= ${before.toString()}::date))
      + (select count(*) from tickets t where ${ofCompany(companyId, 't')} and t.month < ${before.toString()}::date)
      - (select count(*) from documents d where ${ofCompany(companyId, 'd')} and d.kind = 'ticket-confirmation'
          and d.about < ${before.toString()}::date) as unwritten`.execute(db);
  return rows[0]?.unwritten ?? 0;
}

/**
 * Pushes a roster and moves the clock to the next month, often concurrently. The documents of one month are written
 * while the next month is processed. They never fall further behind.
 */
async function processMonths({ db, random, clock, subscribers, workforce }: Population, isOver: IsOver): Promise<void> {
  const { companyId } = subscribers.company;
  const untilWrittenBefore = (month: number) =>
    until(
      'the documents are written',
      async () => (await countUnwritten(db, companyId, workforce.monthAt(month))) === 0,
      limitMs,
    );
  while (clock.month() < 2 || !isOver()) {
    await push(subscribers, clock.month(), random);
    if (random.chance(0.3)) await subscribers.waitFor(0);
    await clock.moveOn();
    await subscribers.waitFor(0);
    await clock.untilProcessed([companyId]);
    await untilWrittenBefore(clock.month());
  }
  await untilWrittenBefore(clock.month() + 1);
}

interface StreamResult {
  killed: number;
  /** The reasons why streams stopped waiting. */
  halted: string[];
}

/** Runs all streams concurrently until the kills are over. A stream that halts does not stop the others. */
export async function runStreams(
  population: Population,
  plan: StreamPlan,
  kill: () => Promise<number>,
): Promise<StreamResult> {
  const { seed, clock, subscribers, others } = population;
  // Every employee is in the database before the first month starts.
  await subscribers.push(clock.month());
  for (const pusher of others) await pusher.push(smallSize);
  const all = [subscribers, ...others];
  for (const pusher of all) await pusher.waitFor(0);
  let over = false;
  const isOver = () => over;
  const kills = kill().finally(() => {
    over = true;
  });
  const [, ...results] = await Promise.allSettled([
    kills,
    processMonths(population, isOver),
    ...others.map((pusher, index) =>
      pushRosters(
        pusher,
        { plan, maxPending: plan.pending[index] ?? 0, random: createRandom(seed * 7 + index) },
        isOver,
      ),
    ),
  ]);
  const processed = clock.untilProcessed(all.map(({ company }) => company.companyId));
  results.push(...(await Promise.allSettled([processed])));
  const halted = results.flatMap((result) => (result.status === 'rejected' ? String(result.reason) : []));
  return { killed: await kills, halted };
}
