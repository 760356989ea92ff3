import { writeFile } from 'node:fs/promises';
import { operator } from '../audit.ts';
import { type ExportRefusal, exportPayroll } from '../billing/payroll/export.ts';
import { previewPayroll } from '../billing/payroll/preview.ts';
import { findPayrollFile } from '../billing/payroll/queries.ts';
import type { CompanyId } from '../db/company-scope.ts';
import type { Day } from '../domain/calendar.ts';
import { describeProblem } from '../domain/payroll/describe.ts';
import { fileNameOf } from '../domain/payroll/file.ts';
import { OperatorError } from '../operator-error.ts';
import { changeCompany, createNoCompanyError, inTransaction } from './context.ts';
import type { CommandContext } from './define.ts';
import { toFlag } from './options.ts';

interface PeriodOptions {
  company: CompanyId;
  period: Day;
}

export const showPayrollPreview = ({ company: companyId, period }: PeriodOptions, { config }: CommandContext) =>
  inTransaction(config, async (tx) => {
    const preview = await previewPayroll(tx, { companyId, period: period.toString() });
    if (preview === undefined) throw createNoCompanyError(companyId);
    const { settings, lines, employees, totals, missingSettings, problems } = preview;
    return {
      period: period.toString(),
      system: settings.payrollSystem,
      isExportable: lines.length > 0 && problems.length === 0 && missingSettings.length === 0,
      lines: lines.length,
      employees,
      taxFreeCents: totals['tax-free'],
      flatTaxCents: totals['flat-tax'],
      deductionCents: totals.deduction,
      line17Cents: totals['tax-free'],
      missingSettings: missingSettings.map((setting) => ({ setting, option: toFlag(setting) })),
      problems: problems.map((problem) => ({
        ...problem,
        remedy: describeProblem(problem.code, settings.payrollSystem).remedy,
      })),
    };
  });

function describeRefusal(refusal: ExportRefusal, period: Day): string {
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
    return { id, number, lines, sha256: sha256.toString('hex') };
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
    throw new OperatorError(`Company ${companyId} has no payroll export ${id}: check --company and the id.`);
  }
  try {
    await writeFile(out, file.content);
  } catch (error) {
    throw new OperatorError(`${out} cannot be written: ${(error as Error).message}. Check --out.`);
  }
  const { number, period, system, sha256, size_bytes: sizeBytes } = file;
  return { id, fileName: fileNameOf(system, period, number), out, sizeBytes, sha256: sha256.toString('hex') };
}
