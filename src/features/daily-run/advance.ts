import { sql } from 'kysely';
import { service } from '../../domain/actor.ts';
import type { Day } from '../../domain/calendar.ts';
import { emptyEmployee, planDay } from '../../domain/employee.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Company } from '../companies/companies.ts';
import { loadAlike, loadEmployees } from '../employees/load.ts';
import { type PlannedEmployee, updateSubscriptions, writeHistoryAndDocuments } from '../employees/write.ts';

const batchSize = 2_000;

/**
 * Returns the next batch of employees who are due by this day, in the order of their ids. Employees without a due event
 * are never loaded.
 */
export async function listDue(db: Db, companyId: CompanyId, day: Day, afterId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
      and e.due_on <= ${day.toString()}::date and e.id > ${afterId}
    order by e.id limit ${batchSize}`.execute(db);
  return rows.map((row) => row.id);
}

export interface AdvanceResult {
  moved: number;
  removed: number;
  documents: number;
}

const anybody = emptyEmployee({ planType: 'fully-subsidized-plan', contributionCents: null });

/**
 * Plans the day once for all employees to whom it does the same. Those who get a document are planned one by one: it has
 * their name. Returns the employees in the order of their ids.
 */
async function planBatch(tx: Tx, companyId: CompanyId, ids: readonly number[], day: Day): Promise<PlannedEmployee[]> {
  const alike = await loadAlike(tx, companyId, ids, day);
  const planned = alike.map((one) => ({ ids: one.ids, plan: planDay({ ...anybody, ...one.employee }, day) }));
  const [silent, informed] = [false, true].map((isInformed) =>
    planned.filter(({ plan }) => plan.documents.length > 0 === isInformed),
  ) as [typeof planned, typeof planned];
  const named = await loadEmployees(
    tx,
    companyId,
    informed.flatMap((one) => one.ids),
    day,
  );
  return [
    ...silent.flatMap(({ ids, plan }) => ids.map((id) => ({ id, plan }))),
    ...[...named].map(([id, employee]) => ({ id, plan: planDay(employee, day) })),
  ].sort((a, b) => a.id - b.id);
}

/** Applies the calendar events that are due by this day to every employee who has one. */
export async function advanceEmployees(
  tx: Tx,
  company: Company,
  day: Day,
  now: Temporal.Instant,
): Promise<AdvanceResult> {
  const outcome: AdvanceResult = { moved: 0, removed: 0, documents: 0 };
  const dayBegins = day.toZonedDateTime(company.timeZone).toInstant();
  const changeContext = { actor: service, syncKey: null, hrIntegrationId: null, now, removedAt: dayBegins };
  let ids = await listDue(tx, company.id, day, 0);
  while (ids.length > 0) {
    const planned = await planBatch(tx, company.id, ids, day);
    await updateSubscriptions(tx, company.id, planned, changeContext);
    outcome.documents += await writeHistoryAndDocuments(tx, company, planned, changeContext);
    for (const { plan } of planned) {
      if (plan.subscriptionChanges.length > 0) outcome.moved += 1;
      if (plan.employee.isRemoved) outcome.removed += 1;
    }
    ids = await listDue(tx, company.id, day, ids.at(-1) ?? 0);
  }
  return outcome;
}
