import { sql } from 'kysely';
import { emailKey } from '../../domain/search.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Actor, insertAudit } from '../activity/record.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../daily-run/run.ts';
import type { RosterEntry } from '../roster/rules/entry.ts';
import { planPresent } from '../roster/rules/plan.ts';
import { refreshEmployeeCounts } from './counts.ts';
import { findCustomLink, insertCustomLink } from './custom-link.ts';
import { allocateIds, insertPlannedEmployees, writeHistoryAndDocuments } from './write.ts';

export type NewEmployeeEntry = Omit<RosterEntry, 'hrId' | 'absences'> & { hrId: string | null };

export type AddedEmployee =
  | { kind: 'added'; employeeId: number }
  /** Another employee has the address or the id. */
  | { kind: 'email-taken' | 'hr-id-taken'; employeeId: number };

async function findByEmail(tx: Tx, companyId: CompanyId, email: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e
    where ${ofCompany(companyId, 'e')} and e.email_key = ${emailKey(email)} and e.removed_at is null`.execute(tx);
  return rows[0]?.id;
}

/**
 * Adds an employee by hand, by the same rules as one of a roster. No integration links them, so no roster removes them,
 * until a roster contains their email address.
 */
export async function addEmployee(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  { entry: { hrId, ...entry }, actor }: { entry: NewEmployeeEntry; actor: Actor },
): Promise<AddedEmployee> {
  const { company, today } = await lockAndCatchUp(tx, deps, companyId);
  const holder = await findByEmail(tx, companyId, entry.email);
  if (holder !== undefined) return { kind: 'email-taken', employeeId: holder };
  const linked = hrId === null ? undefined : await findCustomLink(tx, companyId, hrId);
  if (linked !== undefined) return { kind: 'hr-id-taken', employeeId: linked };
  const plan = planPresent(undefined, { ...entry, hrId: hrId ?? '' }, today, company);
  const [id] = await allocateIds(tx, 1);
  if (id === undefined) throw new Error('no id was allocated');
  const now = deps.clock.now();
  const changeContext = { actor, syncKey: null, hrIntegrationId: null, now, removedAt: now };
  await insertPlannedEmployees(tx, companyId, [{ id, plan }], changeContext);
  const documents = await writeHistoryAndDocuments(tx, company, [{ id, plan }], changeContext);
  if (documents > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
  await insertAudit(tx, companyId, { actor, action: 'employee.add', target: String(id), at: now });
  if (hrId !== null) await insertCustomLink(tx, companyId, id, { hrId, now, actor });
  await refreshEmployeeCounts(tx, companyId);
  return { kind: 'added', employeeId: id };
}
