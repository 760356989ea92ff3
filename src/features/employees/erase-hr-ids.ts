import { sql } from 'kysely';
import { formatMessage, type Message, removeEmployees } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Integration, lockIntegration } from '../companies/companies.ts';

/** A warning of a roster, as far as it names employees. */
interface Warning {
  hrId: string | null;
  records: { hrId: string | null }[];
}

/** Removes the HR ids of employees who are to be erased. Counts and places stay. */
function removeHrIds(warnings: readonly Warning[], hrIds: ReadonlySet<string>): Warning[] {
  const clear = <T extends { hrId: string | null }>(place: T): T =>
    place.hrId !== null && hrIds.has(place.hrId) ? { ...place, hrId: null } : place;
  return warnings.map((warning) => ({ ...clear(warning), records: warning.records.map(clear) }));
}

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
  const { rows } = await sql<{ id: number; warnings: Warning[] }>`
    select s.id, s.warnings from syncs s
    where ${ofCompany(companyId, 's')} and s.hr_integration_id = ${hrIntegrationId} and exists (
      select from jsonb_path_query(s.warnings, 'strict $.**.hrId') h where h #>> '{}' = any(${hrIds}))`.execute(tx);
  return rows;
}

async function eraseFromWarnings(tx: Tx, target: Integration, hrIds: string[]): Promise<void> {
  if ((await listWarnings(tx, target, hrIds)).length === 0) return;
  await lockIntegration(tx, target);
  for (const { id, warnings } of await listWarnings(tx, target, hrIds)) {
    const remaining = JSON.stringify(removeHrIds(warnings, new Set(hrIds)));
    await sql`update syncs s set warnings = ${remaining}
      where ${ofCompany(target.companyId, 's')} and s.id = ${id}`.execute(tx);
  }
}

/** Why a pull or all pulls of an integration have failed, and the columns that say so. */
const failures = [
  { table: 'pulls', id: 'id', reason: 'reason', message: 'message' },
  { table: 'hr_connectors', id: 'hr_integration_id', reason: 'failure_reason', message: 'failure_message' },
] as const;

async function eraseFromFailures(tx: Tx, { companyId, hrIntegrationId }: Integration, hrIds: string[]): Promise<void> {
  for (const { table, id, reason, message } of failures) {
    const [key, text, stored] = [sql.ref(`f.${id}`), sql.ref(reason), sql.ref(`f.${message}`)];
    const { rows } = await sql<{ key: number; stored: Message }>`
      select ${key} as key, ${stored} as stored from ${sql.table(table)} f
      where ${ofCompany(companyId, 'f')} and f.hr_integration_id = ${hrIntegrationId} and exists (
        select from jsonb_path_query(${stored}, 'strict $.**.hrId') h where h #>> '{}' = any(${hrIds}))`.execute(tx);
    for (const row of rows) {
      const remaining = removeEmployees(row.stored, new Set(hrIds));
      await sql`update ${sql.table(table)} f set ${text} = ${formatMessage(remaining)},
          ${sql.ref(message)} = ${JSON.stringify(remaining)}::jsonb
        where ${ofCompany(companyId, 'f')} and ${key} = ${row.key}`.execute(tx);
    }
  }
}

/** Erases HR ids from warnings and failures. Locks an integration before its syncs, as accepting a roster does. */
export async function eraseHrIds(tx: Tx, companyId: CompanyId, employeeIds: number[]): Promise<void> {
  for (const { hr_integration_id: hrIntegrationId, hr_ids: hrIds } of await listHrIds(tx, companyId, employeeIds)) {
    const target = { companyId, hrIntegrationId };
    await eraseFromWarnings(tx, target, hrIds);
    await eraseFromFailures(tx, target, hrIds);
  }
}
