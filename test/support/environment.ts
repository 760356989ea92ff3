import { sql } from 'kysely';
import { type Day, firstOfNextMonth } from '../../src/domain/calendar.ts';
import type { Db } from '../../src/platform/db/database.ts';

/** Processes take the time from the environment. It differs from the real time by as much as it was moved forward. */

const timeZone = 'Europe/Berlin';

/** Returns the first day of the month after the real today. */
export const comingFirst = (): Day => firstOfNextMonth(Temporal.Now.plainDateISO(timeZone));

/** Moves the environment to noon of a day after today, so that no test runs across midnight. */
export async function moveEnvironmentTo(db: Db, day: Day): Promise<void> {
  const noon = day.toZonedDateTime({ timeZone, plainTime: '12:00' }).toInstant();
  const ahead = Math.ceil(Temporal.Now.instant().until(noon).total('seconds'));
  await sql`update environment set clock_ahead_seconds = ${ahead}`.execute(db);
}
