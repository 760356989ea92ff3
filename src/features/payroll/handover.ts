import { sql } from 'kysely';
import { createMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { lockPayroll } from './export.ts';
import { findPayrollExport, type PayrollExportRow } from './store.ts';

async function getExport(tx: Tx, companyId: CompanyId, id: number): Promise<PayrollExportRow> {
  const found = await findPayrollExport(tx, companyId, id);
  if (found === undefined) throw notFound('payroll export');
  return found;
}

/**
 * Records that the file of an export was handed over to payroll. The first record stays, also if others repeat it: the result
 * says who it was. The primary key enforces the same. An export that replaces a voided one is handed over on its own.
 */
export const recordHandover = ({ companyId, by, write }: CompanyContext, { id }: { id: number }) =>
  write(async (tx): Promise<PayrollExportRow> => {
    await lockPayroll(tx, companyId);
    const { number, period, voided_at } = await getExport(tx, companyId, id);
    if (voided_at !== null) throw new ApiError('payroll-export-voided', createMessage('payroll-export-voided'));
    const { rows } = await sql`
      insert into payroll_handovers (company_id, file_id, handed_over_at, handed_over_by, handed_over_by_user)
      values (${companyId}, ${id}, ${by.at.toString()}, ${by.name}, ${by.actor.type === 'user' ? by.actor.name : null})
      on conflict (company_id, file_id) do nothing returning file_id`.execute(tx);
    if (rows.length > 0) {
      const detail = { number, period };
      await insertAudit(tx, companyId, { action: 'payroll.hand-over', target: String(id), detail, ...by });
    }
    return getExport(tx, companyId, id);
  });

/** Withdraws that record. Changes nothing if there is none. */
export const withdrawHandover = (
  { companyId, by, write }: CompanyContext,
  { id, reason }: { id: number; reason: string },
) =>
  write(async (tx): Promise<PayrollExportRow> => {
    await lockPayroll(tx, companyId);
    const { number, period } = await getExport(tx, companyId, id);
    const { rows } = await sql`delete from payroll_handovers h
      where ${ofCompany(companyId, 'h')} and h.file_id = ${id} returning h.file_id`.execute(tx);
    if (rows.length > 0) {
      const detail = { number, period, reason: reason.trim() };
      await insertAudit(tx, companyId, { action: 'payroll.withdraw-handover', target: String(id), detail, ...by });
    }
    return getExport(tx, companyId, id);
  });

/** Returns an export with its handover, as the command line shows it. */
export const describeHandover = ({ id, number, period, handed_over_at, handed_over_by }: PayrollExportRow) => ({
  ...{ id, number, period, handedOverAt: handed_over_at, handedOverBy: handed_over_by },
});
