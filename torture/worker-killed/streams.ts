import { createRandom } from '../../src/demo/random.ts';
import { comingFirst } from '../../test/support/environment.ts';
import { makePushingCompany, type PushingCompany } from '../support/company.ts';
import type { Stage } from '../support/stage.ts';
import { type LivingCompany, makeLivingCompany } from './living-company.ts';
import { startTravelling, type TravellingClock } from './travelling-clock.ts';

/** Syncs, days and letters for workers to be killed in the middle of. */
export interface StreamPlan {
  /** Entries of the large rosters, whose syncs take long enough to be interrupted. */
  largeSize: number;
  /**
   * A company for each number, which has as many syncs on the way. One that waits for each outcome has nothing but the
   * queue's own supervision to find its interrupted sync; of several on the way each has a job that finds the ones before.
   */
  pending: number[];
  /** People of the company whose months go by. */
  subscribers: number;
}

/** Whom the workers serve. */
export interface Cast {
  clock: TravellingClock;
  living: LivingCompany;
  /** Their rosters mean the same on every day. */
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
  await db.updateTable('companies').set({ lived_through: firstMonth.toString() }).execute();
  return { clock, living, pushing };
}

async function pushRosters(
  company: PushingCompany,
  maxPending: number,
  plan: StreamPlan,
  seed: number,
  isOver: IsOver,
) {
  const random = createRandom(seed * 7 + company.integrationId);
  for (let number = 0; number < 2 || !isOver(); number++) {
    await company.push(number % 3 === 0 ? plan.largeSize : random.int(smallSize, 4 * smallSize));
    await company.waitFor(isOver() ? 0 : maxPending);
  }
  await company.waitFor(0);
}

type IsOver = () => boolean;

/** Letters of one month are written while the next one is lived, and no further behind. */
async function liveMonths({ clock, living }: Cast, isOver: IsOver): Promise<void> {
  while (clock.month() < 2 || !isOver()) {
    await living.liveMonth();
    await living.untilWrittenBefore(clock.month());
  }
  await living.untilWrittenBefore(clock.month() + 1);
}

export interface Played {
  killed: number;
  /** What was waited for in vain. */
  halted: string[];
}

/** All at once until the kills are over; whoever comes to a halt lets the others come to their end. */
export async function play(cast: Cast, plan: StreamPlan, seed: number, cause: () => Promise<number>): Promise<Played> {
  const { clock, living, pushing } = cast;
  const companies = [living.company, ...pushing];
  // Everybody is known before the first month comes.
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
    ...pushing.map((company, index) => pushRosters(company, plan.pending[index] ?? 0, plan, seed, isOver)),
  ]);
  const result = clock.untilLived(companies.map(({ companyId }) => companyId));
  results.push(...(await Promise.allSettled([result])));
  const halted = results.flatMap((result) => (result.status === 'rejected' ? String(result.reason) : []));
  return { killed: await kills, halted };
}
