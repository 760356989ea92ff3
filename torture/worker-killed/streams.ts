import { createRandom } from '../../src/demo/random.ts';
import { comingFirst } from '../../test/support/environment.ts';
import { makePushingCompany, type PushingCompany } from '../support/company.ts';
import type { Stage } from '../support/stage.ts';
import { type LivingCompany, makeLivingCompany } from './living-company.ts';
import { startTravelling, type TravellingClock } from './travelling-clock.ts';

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
export interface Cast {
  clock: TravellingClock;
  living: LivingCompany;
  /** The rosters of these companies have the same effect on every day. */
  pushing: PushingCompany[];
}

const smallSize = 150;

export async function makeCast({ db, databaseUrl, startApi }: Stage, plan: StreamPlan, seed: number): Promise<Cast> {
  const firstMonth = comingFirst();
  const { url: apiUrl } = await startApi();
  const clock = await startTravelling({ db, databaseUrl, firstMonth });
  const place = { db, apiUrl, random: createRandom(seed + 1), firstMonth, clock };
  const living = await makeLivingCompany(place, plan.subscribers);
  const pushing: PushingCompany[] = [];
  for (const _ of plan.pending) {
    pushing.push(await makePushingCompany(db, apiUrl, createRandom(seed + 2 + pushing.length)));
  }
  await db.updateTable('companies').set({ processed_through: firstMonth.toString() }).execute();
  return { clock, living, pushing };
}

async function pushRosters(
  company: PushingCompany,
  plan: StreamPlan,
  { maxPending, seed, isOver }: { maxPending: number; seed: number; isOver: IsOver },
) {
  const random = createRandom(seed * 7 + company.integrationId);
  for (let number = 0; number < 2 || !isOver(); number++) {
    await company.push(number % 3 === 0 ? plan.largeSize : random.int(smallSize, 4 * smallSize));
    await company.waitFor(isOver() ? 0 : maxPending);
  }
  await company.waitFor(0);
}

type IsOver = () => boolean;

/** Writes the documents of one month while the next month is processed. They never fall further behind. */
async function liveMonths({ clock, living }: Cast, isOver: IsOver): Promise<void> {
  while (clock.month() < 2 || !isOver()) {
    await living.liveMonth();
    await living.untilWrittenBefore(clock.month());
  }
  await living.untilWrittenBefore(clock.month() + 1);
}

export interface Played {
  killed: number;
  /** The reasons why streams stopped waiting. */
  halted: string[];
}

/** Runs all streams concurrently until the kills are over. A stream that halts does not stop the others. */
export async function play(cast: Cast, plan: StreamPlan, seed: number, cause: () => Promise<number>): Promise<Played> {
  const { clock, living, pushing } = cast;
  const companies = [living.company, ...pushing];
  // Every employee is in the database before the first month starts.
  for (const company of companies) await company.push(company === living.company ? clock.month() : smallSize);
  for (const company of companies) await company.waitFor(0);
  let over = false;
  const isOver = () => over;
  const kills = cause().finally(() => {
    over = true;
  });
  const [, ...results] = await Promise.allSettled([
    kills,
    liveMonths(cast, isOver),
    ...pushing.map((company, index) =>
      pushRosters(company, plan, { maxPending: plan.pending[index] ?? 0, seed, isOver }),
    ),
  ]);
  const result = clock.untilLived(companies.map(({ companyId }) => companyId));
  results.push(...(await Promise.allSettled([result])));
  const halted = results.flatMap((result) => (result.status === 'rejected' ? String(result.reason) : []));
  return { killed: await kills, halted };
}
