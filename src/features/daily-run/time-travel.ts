import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Actor } from '../../domain/actor.ts';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { clockRefreshMillis, type EnvironmentClock, todayIn } from '../../platform/clock/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { createLostNodeError, isNodeUnavailable } from '../../platform/db/unavailable.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, invalidValue } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import { listCompanies } from '../companies/companies.ts';
import type { TimeTravel } from './contract.ts';
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

export function assertStaging({ environment }: Config): void {
  if (environment === 'staging') return;
  const detail = 'Time travel is possible on staging only: this environment is production.';
  throw new ApiError('time-travel-not-allowed', detail);
}

interface TravelInput {
  to: Day;
  timeZone: string;
  /** The user who travels, for the audit log of their company. Absent: the operator, who belongs to no company. */
  traveller?: { companyId: CompanyId; actor: Actor };
}

/**
 * Moves the environment's clock forward day by day, to the same time of the target day, and processes each day when the
 * clock reaches it. After an interruption, the days up to the clock's time are processed and the travel can continue
 * from there.
 */
export async function travel(
  { config, db, ...deps }: DailyRunDeps & { config: Config; db: Db; clock: EnvironmentClock },
  { to, timeZone, traveller }: TravelInput,
) {
  assertStaging(config);
  const { clock } = deps;
  const today = todayIn(clock, timeZone);
  if (!isBefore(today, to)) throw invalidValue('/to', 'past', createMessage('value-later-than-today', { today }));
  const travelled = { from: today.toString(), to: to.toString() };
  if (traveller !== undefined) {
    const { companyId, actor } = traveller;
    const entry = {
      actor,
      action: 'environment.time-travel',
      target: travelled.to,
      detail: travelled,
      at: clock.now(),
    };
    await writeCompany(db, companyId, (tx) => insertAudit(tx, companyId, entry));
  }
  const { companies: _companies, ...total } = await runDueDays(db, deps);
  let here = clock.now().toZonedDateTimeISO(timeZone);
  while (isBefore(here.toPlainDate(), to)) {
    here = here.add({ days: 1 });
    await moveClock(db, here.toInstant());
    await clock.refresh();
    addResult(total, await runDueDays(db, deps));
  }
  // Every other process refreshes its clock within this time, so that all agree on the day before this function returns.
  await setTimeout(2 * clockRefreshMillis);
  return { ...travelled, ...total };
}

/**
 * Returns the companies that time travel moves, or undefined if only the operator may move them and the portal may not.
 */
export async function listMovedCompanies(
  db: Db,
  { environment, timeTravel }: Pick<Config, 'environment' | 'timeTravel'>,
): Promise<TimeTravel['companies'] | undefined> {
  if (environment !== 'staging' || timeTravel === 'operator') return undefined;
  const companies = await listCompanies(db);
  return timeTravel === 'portal' || companies.length === 1 ? companies : undefined;
}
