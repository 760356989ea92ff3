import { sql } from 'kysely';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { catchUpEmployee } from '../../domain/employee.ts';
import { isRunning } from '../../domain/subscription/subscription.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Company } from '../companies/companies.ts';
import { hasExpired } from '../employees/erase.ts';
import { loadEmployees } from '../employees/load.ts';
import { listDue } from './advance.ts';

/** The state in which the daily run would leave an employee, reduced to what roster matching needs. */
export interface ProjectedState {
  isRemoved: boolean;
  isLeaving: boolean;
  isRunning: boolean;
}

/** What the daily run would have changed by the last missed day. Employees who are not listed stay unchanged. */
export interface Projection {
  states: Map<number, ProjectedState>;
  erasedIds: Set<number>;
}

async function listExpired(db: Db, company: Company, today: Day): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(company.id, 'e')} and ${hasExpired(company, today)}`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Returns what the daily run would do on the missed days, without writing and without a lock. Only a few fields per
 * employee stay in memory, because every employee may be due on the first of a month.
 */
export async function projectDays(db: Db, company: Company, missedDays: readonly Day[]): Promise<Projection> {
  const states = new Map<number, ProjectedState>();
  const [first] = missedDays;
  const today = missedDays.at(-1);
  if (first === undefined || today === undefined) return { states, erasedIds: new Set() };
  const erasedIds = new Set(await listExpired(db, company, today));
  let ids = await listDue(db, company.id, today, 0);
  while (ids.length > 0) {
    for (const [id, known] of await loadEmployees(db, company.id, ids, first)) {
      const { employee, removedOn } = catchUpEmployee(known, missedDays);
      const { facts, subscription, isRemoved } = employee;
      states.set(id, {
        isRemoved,
        isLeaving: facts.offboarded && !isRemoved,
        isRunning: isRunning(subscription.status),
      });
      const keptUntil = removedOn?.add({ days: company.retentionDays });
      if (keptUntil && isBefore(keptUntil, today)) erasedIds.add(id);
    }
    ids = await listDue(db, company.id, today, ids.at(-1) ?? 0);
  }
  return { states, erasedIds };
}
