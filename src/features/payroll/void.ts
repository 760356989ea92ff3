import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { insertAudit } from '../activity/record.ts';
import { type Exporter, lockPayroll } from './export.ts';
import { findPayrollExport, type PayrollExportRow } from './store.ts';

/** Why an export cannot be voided. Nothing has changed. */
export type VoidRefusal = 'not-found' | 'already-voided' | 'not-the-latest';

/**
 * Voids the latest export, so that the next one contains its lines again. Its file stays, for it may have been booked.
 * Only the latest, because later ones may take back what this one contains.
 */
export async function voidPayrollExport(
  tx: Tx,
  { companyId, id, reason }: { companyId: CompanyId; id: number; reason: string },
  by: Exporter,
): Promise<{ export: PayrollExportRow } | { refusal: VoidRefusal }> {
  await lockPayroll(tx, companyId);
  const found = await findPayrollExport(tx, companyId, id);
  if (found === undefined) return { refusal: 'not-found' };
  if (found.voided_at !== null) return { refusal: 'already-voided' };
  const { rows } = await sql<{ id: number }>`
    select f.id from payroll_files f where ${ofCompany(companyId, 'f')} and f.voided_at is null
    order by f.number desc limit 1`.execute(tx);
  if (rows[0]?.id !== id) return { refusal: 'not-the-latest' };
  await sql`delete from payroll_file_items x where ${ofCompany(companyId, 'x')} and x.file_id = ${id}`.execute(tx);
  await sql`update payroll_files f set voided_at = ${by.at.toString()}::timestamptz, voided_by = ${by.name},
      voided_by_user = ${by.actor.type === 'user' ? by.actor.name : null}, void_reason = ${reason}
    where ${ofCompany(companyId, 'f')} and f.id = ${id}`.execute(tx);
  const { number, period } = found;
  await insertAudit(tx, companyId, {
    action: 'payroll.void',
    target: String(id),
    detail: { number, period, reason },
    actor: by.actor,
    at: by.at,
  });
  return { export: (await findPayrollExport(tx, companyId, id)) ?? found };
}
