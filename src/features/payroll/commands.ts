import { writeFile } from 'node:fs/promises';
import type { Day } from '../../domain/calendar.ts';
import { createMessage, formatMessage } from '../../domain/messages/message.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { toFlag } from '../../platform/cli/options.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { operator } from '../activity/record.ts';
import { changeCompany, createNoCompanyError, inTransaction } from '../command-context.ts';
import { findSettings } from '../companies/change-settings.ts';
import { type ExportRefusal, exportPayroll } from './export.ts';
import { previewPayroll } from './preview.ts';
import { describeProblem } from './rules/describe.ts';
import { fileNameOf } from './rules/file.ts';
import { ageOfPeriod, type PeriodAge } from './rules/period.ts';
import { findPayrollFile } from './store.ts';
import { voidPayrollExport } from './void.ts';

interface PeriodOptions {
  company: CompanyId;
  period: Day;
}

const createNoExportError = (companyId: CompanyId, id: number) =>
  new OperatorError(`Company ${companyId} has no payroll export ${id}: check --company and the id.`);

const warnOf = (age: PeriodAge) =>
  age === 'old'
    ? { warning: 'This month is neither the present one nor the one before. Check the period before you book it.' }
    : {};

export const showPayrollPreview = ({ company: companyId, period }: PeriodOptions, { config }: CommandContext) =>
  inTransaction(config, async (tx, now) => {
    const preview = await previewPayroll(tx, { companyId, period: period.toString() }, now);
    if (preview === undefined) throw createNoCompanyError(companyId);
    const { settings, lines, employees, totals, missingSettings, problems, periodAge, leavers } = preview;
    return {
      period: period.toString(),
      system: settings.payrollSystem,
      ...warnOf(periodAge),
      isExportable: lines.length > 0 && problems.length === 0 && missingSettings.length === 0 && periodAge !== 'future',
      lines: lines.length,
      employees,
      taxFreeCents: totals['tax-free'],
      flatTaxCents: totals['flat-tax'],
      deductionCents: totals.deduction,
      line17Cents: totals['tax-free'],
      leavers,
      missingSettings: missingSettings.map((setting) => ({ setting, option: toFlag(setting) })),
      problems: problems.map((problem) => ({
        ...problem,
        remedy: describeProblem(problem.code, settings.payrollSystem).remedy,
      })),
    };
  });

function describeRefusal(refusal: ExportRefusal, period: Day): string {
  if (refusal.reason === 'period-not-begun') {
    return `Nothing was exported: ${period} has not begun. Export the month from its first day on.`;
  }
  if (refusal.reason === 'nothing-to-export') {
    return `Nothing to export: no ticket of ${period} was billed. Run "payroll preview" for another period.`;
  }
  if (refusal.reason === 'settings-missing') {
    const options = refusal.missing.map(toFlag).join(', ');
    return `Nothing was exported: the company has no ${options}. Ask its tax adviser and run "company set" with them.`;
  }
  const { problems } = refusal.preview;
  const first = problems
    .slice(0, 5)
    .map(({ name, employeeId, hrId }) => name ?? (employeeId === null ? `HR id ${hrId}` : `employee ${employeeId}`));
  const others = problems.length > first.length ? ` and ${problems.length - first.length} more` : '';
  return `Nothing was exported: ${first.join(', ')}${others} cannot be exported. Run "payroll preview" to see everybody and the remedy.`;
}

export const makePayrollExport = ({ company: companyId, period }: PeriodOptions, { config }: CommandContext) =>
  changeCompany(config, companyId, async (tx, now) => {
    const by = { actor: operator, name: 'Operator', at: now };
    const result = await exportPayroll(tx, { companyId, period: period.toString() }, by);
    if (result === undefined) throw createNoCompanyError(companyId);
    if ('refusal' in result) throw new OperatorError(describeRefusal(result.refusal, period));
    const { id, number, lines, sha256 } = result.export;
    const today = now.toZonedDateTimeISO((await findSettings(tx, companyId))?.timeZone ?? 'UTC').toPlainDate();
    return { id, number, lines, sha256: sha256.toString('hex'), ...warnOf(ageOfPeriod(period, today)) };
  });

interface VoidOptions {
  id: number;
  company: CompanyId;
  reason: string;
}

export const voidExport = ({ id, company: companyId, reason }: VoidOptions, { config }: CommandContext) =>
  changeCompany(config, companyId, async (tx, at) => {
    const result = await voidPayrollExport(tx, { companyId, id, reason }, { actor: operator, name: 'Operator', at });
    if ('export' in result) {
      const { number, period } = result.export;
      return { id, number, period, voidedAt: at.toString(), reason };
    }
    if (result.refusal === 'not-found') throw createNoExportError(companyId, id);
    throw new OperatorError(formatMessage(createMessage(`payroll-${result.refusal}`)));
  });

interface DownloadOptions {
  id: number;
  company: CompanyId;
  out: string;
}

export async function downloadPayrollExport(
  { id, company: companyId, out }: DownloadOptions,
  { config }: CommandContext,
) {
  const file = await inTransaction(config, (tx) => findPayrollFile(tx, companyId, id));
  if (file === undefined) {
    throw createNoExportError(companyId, id);
  }
  try {
    await writeFile(out, file.content);
  } catch (error) {
    throw new OperatorError(`${out} cannot be written: ${(error as Error).message}. Check --out.`);
  }
  const { number, period, system, sha256, size_bytes: sizeBytes } = file;
  return { id, fileName: fileNameOf(system, period, number), out, sizeBytes, sha256: sha256.toString('hex') };
}
