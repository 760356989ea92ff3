import { sql } from 'kysely';
import { createMessage } from '../../domain/messages/message.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { lockPayroll } from './export.ts';
import { findPayrollExport, type PayrollExportRow } from './store.ts';

/** Voids an export, but keeps its file. Only the latest, because later ones may take back what it contains. */
export const voidPayrollExport = (
  { companyId, by, write }: CompanyContext,
  { id, reason }: { id: number; reason: string },
) =>
  write(async (tx): Promise<PayrollExportRow> => {
    await lockPayroll(tx, companyId);
    const found = await findPayrollExport(tx, companyId, id);
    if (found === undefined) throw notFound('payroll export');
    if (found.voided_at !== null) throw new ApiError('payroll-not-voidable', createMessage('payroll-already-voided'));
    if (found.handed_over_at !== null) {
      throw new ApiError('payroll-not-voidable', createMessage('payroll-handed-over'));
    }
    const { rows } = await sql<{ id: number }>`
      select f.id from payroll_files f where ${ofCompany(companyId, 'f')} and f.voided_at is null
      order by f.number desc limit 1`.execute(tx);
    if (rows[0]?.id !== id) throw new ApiError('payroll-not-voidable', createMessage('payroll-not-the-latest'));
    await sql`delete from payroll_file_items x where ${ofCompany(companyId, 'x')} and x.file_id = ${id}`.execute(tx);
    await sql`update payroll_files f set voided_at = ${by.at.toString()}::timestamptz, voided_by = ${by.name},
        voided_by_user = ${by.actor.type === 'user' ? by.actor.name : null}, void_reason = ${reason.trim()}
      where ${ofCompany(companyId, 'f')} and f.id = ${id}`.execute(tx);
    const { number, period } = found;
    const detail = { number, period, reason: reason.trim() };
    await insertAudit(tx, companyId, { action: 'payroll.void', target: String(id), detail, ...by });
    return (await findPayrollExport(tx, companyId, id)) ?? found;
  });
