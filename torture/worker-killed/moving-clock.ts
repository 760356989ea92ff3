import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { clockRefreshMillis } from '../../src/clock.ts';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Day } from '../../src/domain/calendar.ts';
import { moveEnvironmentTo } from '../../test/support/environment.ts';

/** The environment's clock. It only moves from the first of one month to the first of the next. */
export interface MovingClock {
  /** The number of the current month. The first month is 0. */
  month(): number;
  /**
   * Moves to the next month and makes workers check for due days, as the queue's own schedule does every few minutes.
   */
  moveOn(): Promise<void>;
  /** Resolves when workers have processed the current day for these companies. */
  untilProcessed(companyIds: readonly CompanyId[]): Promise<void>;
  stop(): Promise<void>;
}

interface Place {
  db: Db;
  databaseUrl: string;
  firstMonth: Day;
}

/** Longer than a worker's death may delay a day. Workers have to detect the death themselves. */
const checkAgainMs = 40_000;
const limitMs = 180_000;

export async function startMovingClock({ db, databaseUrl, firstMonth }: Place): Promise<MovingClock> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: 'queue',
    max: 1,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  await boss.start();
  await moveEnvironmentTo(db, firstMonth);
  let month = 0;
  const today = () => firstMonth.add({ months: month });

  async function countBehind(companyIds: readonly CompanyId[]): Promise<number> {
    const { rows } = await sql<{ behind: number }>`
      select count(*) as behind from companies c
      where c.id = any(${companyIds}) and c.processed_through < ${today().toString()}::date`.execute(db);
    return rows[0]?.behind ?? 0;
  }

  return {
    month: () => month,
    async moveOn() {
      month += 1;
      await moveEnvironmentTo(db, today());
      // After this time every worker has read the clock. A worker that was too busy gets another job below.
      await sleep(2 * clockRefreshMillis);
      await boss.send('schedule-daily-runs', {});
    },
    async untilProcessed(companyIds) {
      const begun = Date.now();
      for (let checks = 1; (await countBehind(companyIds)) > 0; await sleep(50)) {
        const waitedMs = Date.now() - begun;
        if (waitedMs > limitMs) throw new Error(`${today()} was not processed within ${limitMs / 1_000} s.`);
        if (waitedMs < checks * checkAgainMs) continue;
        checks += 1;
        await boss.send('schedule-daily-runs', {});
      }
    },
    stop: () => boss.stop({ graceful: false }),
  };
}
