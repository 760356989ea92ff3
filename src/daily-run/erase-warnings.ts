import { sql } from 'kysely';
import { type Integration, lockIntegration } from '../companies.ts';
import { type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import { type RosterWarning, removeHrIds } from '../domain/roster/warnings.ts';

/** Returns the ids that the employees have or had in the HR systems, by integration. */
async function listHrIds(tx: Tx, companyId: CompanyId, employeeIds: number[]) {
  const { rows } = await sql<{ hr_integration_id: number; hr_ids: string[] }>`
    select t.hr_integration_id, array_agg(t.hr_id) as hr_ids from (
      select l.hr_integration_id, l.hr_id from hr_links l
      where ${ofCompany(companyId, 'l')} and l.employee_id = any(${employeeIds}) and l.hr_integration_id is not null
      union
      select s.hr_integration_id, r.hr_id from sync_records r
      join syncs s on ${ofCompany(companyId, 's')} and s.id = r.sync_key
      where ${ofCompany(companyId, 'r')} and r.employee_id = any(${employeeIds})
    ) t group by t.hr_integration_id order by t.hr_integration_id`.execute(tx);
  return rows;
}

async function listWarnings(tx: Tx, { companyId, hrIntegrationId }: Integration, hrIds: string[]) {
  const { rows } = await sql<{ id: number; warnings: RosterWarning[] }>`
    select s.id, s.warnings from syncs s
    where ${ofCompany(companyId, 's')} and s.hr_integration_id = ${hrIntegrationId} and exists (
      select from jsonb_path_query(s.warnings, 'strict $.**.hrId') h where h #>> '{}' = any(${hrIds}))`.execute(tx);
  return rows;
}

/**
 * Removes the HR ids of employees from the warnings of syncs, which report that dates of these employees are odd. Locks
 * the integration before its syncs, in the same order as accepting a roster does.
 */
export async function eraseFromWarnings(tx: Tx, companyId: CompanyId, employeeIds: number[]): Promise<void> {
  for (const { hr_integration_id: hrIntegrationId, hr_ids: hrIds } of await listHrIds(tx, companyId, employeeIds)) {
    const target = { companyId, hrIntegrationId };
    if ((await listWarnings(tx, target, hrIds)).length === 0) continue;
    await lockIntegration(tx, target);
    for (const { id, warnings } of await listWarnings(tx, target, hrIds)) {
      const remaining = JSON.stringify(removeHrIds(warnings, new Set(hrIds)));
      await sql`update syncs s set warnings = ${remaining} where ${ofCompany(companyId, 's')} and s.id = ${id}`.execute(
        tx,
      );
    }
  }
}
