import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import { clockRefreshMillis, type EnvironmentClock } from '../../platform/clock/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { createLostNodeError, isNodeUnavailable } from '../../platform/db/unavailable.ts';
import { addResult, catchUp, type DailyRunDeps, type DailyRunResult, emptyResult, listDueCompanies } from './run.ts';

/**
 * Processes every missed day of all companies, one company after the other. Throws at the end if a node of a Citus
 * cluster does not respond, after the days of the other companies.
 */
export async function runDueDays(db: Db, deps: DailyRunDeps): Promise<DailyRunResult & { companies: number }> {
  const { companyIds, isComplete } = await listDueCompanies(db, deps.clock);
  const total = emptyResult();
  let outage = isComplete ? undefined : createLostNodeError();
  for (const companyId of companyIds) {
    try {
      addResult(total, await catchUp(db, deps, companyId));
    } catch (error) {
      if (!isNodeUnavailable(error)) throw error;
      outage = error;
    }
  }
  if (outage !== undefined) throw outage;
  return { companies: companyIds.length, ...total };
}

/** Moves the clock forward only, even if two time travels run at once. */
async function moveClock(db: Db, to: Temporal.Instant): Promise<void> {
  const ahead = Math.ceil(Temporal.Now.instant().until(to).total('seconds'));
  await sql`update environment set clock_ahead_seconds = greatest(clock_ahead_seconds, ${ahead})`.execute(db);
}

/**
 * Moves the environment's clock forward day by day, to the same time of the target day, and processes each day when the
 * clock reaches it. After an interruption, the days up to the clock's time are processed and the travel can continue
 * from there.
 */
export async function travelTo(
  db: Db,
  deps: DailyRunDeps & { clock: EnvironmentClock },
  to: Day,
  timeZone: string,
): Promise<DailyRunResult> {
  const { companies: _companies, ...total } = await runDueDays(db, deps);
  let here = deps.clock.now().toZonedDateTimeISO(timeZone);
  while (Temporal.PlainDate.compare(here.toPlainDate(), to) < 0) {
    here = here.add({ days: 1 });
    await moveClock(db, here.toInstant());
    await deps.clock.refresh();
    addResult(total, await runDueDays(db, deps));
  }
  // Every other process refreshes its clock within this time, so that all agree on the day before this function
  // returns.
  await setTimeout(2 * clockRefreshMillis);
  return total;
}
