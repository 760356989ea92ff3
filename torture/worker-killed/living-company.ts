import { sql } from 'kysely';
import { ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import type { Day } from '../../src/domain/calendar.ts';
import { until } from '../../test/support/until.ts';
import { makePushingCompany, type PushingCompany } from '../support/company.ts';
import type { TravellingClock } from './travelling-clock.ts';
import { Workforce } from './workforce.ts';

/** A company whose months pass. Workers process its days, issue and bill its tickets and write its documents. */
export interface LivingCompany {
  company: PushingCompany;
  workforce: Workforce;
  /**
   * Pushes a roster and moves the clock to the next month, often concurrently. Resolves when the roster is applied and
   * the days are processed.
   */
  liveMonth(): Promise<void>;
  /** Resolves when the confirmations of all tickets before this month, and all other documents, are stored. */
  untilWrittenBefore(month: number): Promise<void>;
}

interface Place {
  db: Db;
  apiUrl: string;
  random: Random;
  firstMonth: Day;
  clock: TravellingClock;
}

const limitMs = 180_000;

export async function makeLivingCompany(place: Place, subscribers: number): Promise<LivingCompany> {
  const { db, apiUrl, random, firstMonth, clock } = place;
  const workforce = new Workforce(random, firstMonth, subscribers);
  const company = await makePushingCompany(db, apiUrl, random, workforce);
  const { companyId } = company;
  const plan = { plan_type: 'fully-subsidized-plan', contribution_cents: 0 } as const;
  await db.updateTable('companies').set(plan).where('id', '=', companyId).execute();

  async function countUnwritten(before: Day): Promise<number> {
    const { rows } = await sql<{ unwritten: number }>`
      select (select count(*) from documents d where ${ofCompany(companyId, 'd')} and d.content is not null
          and not (d.kind = 'ticket-confirmation' and d.about >= ${before.toString()}::date))
        + (select count(*) from tickets t where ${ofCompany(companyId, 't')} and t.month < ${before.toString()}::date)
        - (select count(*) from documents d where ${ofCompany(companyId, 'd')} and d.kind = 'ticket-confirmation'
            and d.about < ${before.toString()}::date) as unwritten`.execute(db);
    return rows[0]?.unwritten ?? 0;
  }

  return {
    company,
    workforce,
    async liveMonth() {
      await company.push(clock.month());
      if (random.chance(0.3)) await company.waitFor(0);
      await clock.moveOn();
      await company.waitFor(0);
      await clock.untilLived([companyId]);
    },
    async untilWrittenBefore(month) {
      const areWritten = async () => (await countUnwritten(workforce.monthAt(month))) === 0;
      await until('the letters are written', areWritten, limitMs);
    },
  };
}
