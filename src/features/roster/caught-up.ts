import { catchUpEmployee } from '../../domain/employee.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Company } from '../companies/companies.ts';
import { projectDays } from '../daily-run/project.ts';
import { loadEmployees } from '../employees/load.ts';
import { type KnownRow, loadKnownEmployees } from './load.ts';
import type { LeftOut } from './rules/match.ts';
import type { SyncTarget } from './target.ts';

/** What planning a sync needs. */
export interface PlanContext {
  db: Db;
  target: SyncTarget;
  company: Company;
  today: Temporal.PlainDate;
  /**
   * Days up to today that the daily run has not processed. A real run processes them first. A dry run only projects
   * them.
   */
  missedDays: readonly Temporal.PlainDate[];
  leftOut?: LeftOut | undefined;
}

/** Returns everything that the rules need about these employees, as of after the days that the daily run has missed. */
export async function loadCaughtUp({ db, company, today, missedDays }: PlanContext, ids: readonly number[]) {
  const employees = await loadEmployees(db, company.id, ids, missedDays[0] ?? today);
  if (missedDays.length === 0) return employees;
  return new Map(Array.from(employees, ([id, known]) => [id, catchUpEmployee(known, missedDays).employee]));
}

/** Returns the same employees as `loadKnownEmployees`, as of after the days that the daily run has missed. */
export async function loadKnownCaughtUp({ db, target, company, today, missedDays }: PlanContext): Promise<KnownRow[]> {
  const known = await loadKnownEmployees(db, target, today);
  if (missedDays.length === 0) return known;
  const { states, erasedIds } = await projectDays(db, company, missedDays);
  return known.flatMap((row) => {
    if (erasedIds.has(row.id)) return [];
    const state = states.get(row.id);
    if (state === undefined) return [row];
    const { isRemoved, isLeaving, isRunning } = state;
    return [{ ...row, isRemoved, isLeaving, isRemovedImmediately: !isRunning }];
  });
}
