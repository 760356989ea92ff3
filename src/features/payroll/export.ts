import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import { createMessage, type Message } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import { findSettings } from '../companies/change-settings.ts';
import type { CompanyContext } from '../context.ts';
import { appendEvents } from '../events/append.ts';
import type { PayrollPeriod } from './load.ts';
import { type PayrollPreview, previewPayroll, warnOf } from './preview.ts';
import { writePayrollFile } from './rules/file.ts';
import { ageOfPeriod, type PlannedItem } from './rules/plan.ts';
import { findLatestExport, type PayrollExportRow } from './store.ts';

const itemsPerStatement = 5_000;

async function insertItems(tx: Tx, companyId: CompanyId, fileId: number, items: PlannedItem[]): Promise<void> {
  for (let start = 0; start < items.length; start += itemsPerStatement) {
    const values = items.slice(start, start + itemsPerStatement).map((item) => ({
      company_id: companyId,
      item_id: item.id,
      file_id: fileId,
      personnel_number: item.personnelNumber,
      tax_treatment: item.taxTreatment,
      benefit_cents: item.benefitCents,
      deduction_cents: item.deductionCents,
    }));
    await tx.insertInto('payroll_file_items').values(values).execute();
  }
}

async function insertExport(
  tx: Tx,
  file: PayrollPeriod,
  preview: PayrollPreview,
  by: CompanyContext['by'],
): Promise<number> {
  const { companyId, period } = file;
  const { settings, lines, totals, employees } = preview;
  const content = writePayrollFile(lines, { settings, period });
  const sha256 = createHash('sha256').update(content).digest();
  const { rows } = await sql<{ number: number }>`
    select coalesce(max(f.number), 0)::integer + 1 as number from payroll_files f
    where ${ofCompany(companyId, 'f')}`.execute(tx);
  const number = rows[0]?.number ?? 1;
  const { id } = await tx
    .insertInto('payroll_files')
    .values({
      company_id: companyId,
      number,
      period,
      system: settings.payrollSystem,
      lines: lines.length,
      employees,
      tax_free_cents: totals['tax-free'],
      flat_tax_cents: totals['flat-tax'],
      deduction_cents: totals.deduction,
      content,
      size_bytes: content.length,
      sha256,
      exported_at: by.at.toString(),
      exported_by: by.name,
      exported_by_user: by.actor.type === 'user' ? by.actor.name : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertItems(tx, companyId, id, preview.items);
  await insertAudit(tx, companyId, {
    action: 'payroll.export',
    target: String(id),
    detail: { number, period, system: settings.payrollSystem, lines: lines.length, sha256: sha256.toString('hex') },
    actor: by.actor,
    at: by.at,
  });
  appendEvents(tx, companyId, [
    { type: 'payroll-export-ready', occurredAt: by.at, payload: { id, resource: 'payroll-export', period } },
  ]);
  return id;
}

/** Throws if the planned file cannot be written as a whole. */
function assertExportable({ periodAge, problems, missingSettings }: PayrollPreview, isEmpty: boolean): void {
  const refuse = (message: Message) => new ApiError('payroll-not-exportable', message);
  if (periodAge === 'future') throw refuse(createMessage('payroll-period-not-begun'));
  if (problems.length > 0) throw refuse(createMessage('payroll-employees-unusable'));
  if (missingSettings.length > 0) throw refuse(createMessage('payroll-settings-missing'));
  if (isEmpty) throw refuse(createMessage('payroll-nothing-to-export'));
}

/** Makes everything that writes exports of a company wait for each other. */
export const lockPayroll = (tx: Tx, companyId: CompanyId) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`payroll ${companyId}`}, 0))`.execute(tx);

/**
 * Exports what no export contains yet. If there is nothing, returns the newest export of the period, so that a repeated
 * request gets the same file. A file is written whole or not at all. Exports of a company wait for each other: the
 * second finds the items of the first exported. Unique keys on the item and on the number enforce the same. A month that
 * has not begun is refused: a correction would be booked in it before anything else is.
 */
export const exportPayroll = ({ companyId, by, write }: CompanyContext, { period }: { period: string }) =>
  write(async (tx): Promise<PayrollExportRow> => {
    const file = { companyId, period };
    await lockPayroll(tx, companyId);
    const preview = await previewPayroll(tx, file, by.at);
    const isEmpty = preview.lines.length === 0 && preview.problems.length === 0;
    const latest = isEmpty ? await findLatestExport(tx, file) : undefined;
    if (latest !== undefined) return latest;
    assertExportable(preview, isEmpty);
    await insertExport(tx, file, preview, by);
    const made = await findLatestExport(tx, file);
    if (made === undefined) throw new Error('The payroll export was not written.');
    return made;
  });

/** Returns an export as the command line shows it. */
export async function describeExport(context: CompanyContext, { period }: { period: Day }) {
  const { id, number, lines, sha256 } = await exportPayroll(context, { period: period.toString() });
  const settings = await findSettings(context.db, context.companyId);
  const today = context.by.at.toZonedDateTimeISO(settings?.timeZone ?? 'UTC').toPlainDate();
  return { id, number, lines, sha256: sha256.toString('hex'), ...warnOf(ageOfPeriod(period, today)) };
}
