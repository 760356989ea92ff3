import type { CommandGroup } from '../../platform/cli/define.ts';
import { argument, id, month, oneOf, required, text, year } from '../../platform/cli/options.ts';
import { companyCommand, engineCommand } from '../company-command.ts';
import { coverSheetFormats } from './rules/formats.ts';

const period = { period: required(month('First day of the period')) };
const one = { id: argument('The id of the export', id('Id of the export')) };

export const payrollCommands: CommandGroup = {
  description: 'Export payroll files, hand them over, and void the latest one',
  commands: {
    preview: companyCommand({
      description: 'Show what an export would contain, and everybody who cannot be exported. Changes nothing.',
      options: period,
      examples: ['payroll preview --company 1 --period 2026-11-01'],
      load: async () => (await import('./preview.ts')).describePreview,
    }),
    export: companyCommand({
      description: 'Export what no export contains yet. Without anything new, returns the latest export of the period.',
      options: period,
      examples: ['payroll export --company 1 --period 2026-11-01'],
      load: async () => (await import('./export.ts')).describeExport,
    }),
    download: companyCommand({
      description: 'Write the file of an export.',
      options: { ...one, out: required(text('file', 'File to write')) },
      examples: ['payroll download 1 --company 1 --out lodas.txt'],
      load: async () => (await import('./download.ts')).savePayrollFile,
    }),
    'cover-sheet': companyCommand({
      description: 'Write the cover sheet of an export: everybody in its file by name, with amounts and totals.',
      options: {
        ...one,
        format: required(oneOf('format', coverSheetFormats, 'PDF, or a workbook for Excel')),
        out: required(text('file', 'File to write')),
      },
      examples: ['payroll cover-sheet 1 --company 1 --format pdf --out cover-sheet.pdf'],
      load: async () => (await import('./cover-sheet/save.ts')).saveCoverSheet,
    }),
    year: companyCommand({
      description:
        'Write the file of a year: months with a ticket, shares, tax treatment and line 17 of everybody, and whose exported months differ.',
      options: {
        year: required(year('The calendar year')),
        out: required(
          text('file', 'File to write: CSV if its name ends in .csv, a workbook for Excel if it ends in .xlsx'),
        ),
      },
      examples: ['payroll year --company 1 --year 2026 --out payroll-2026.csv'],
      load: async () => (await import('./year/save.ts')).saveYearFile,
    }),
    statements: engineCommand({
      description:
        'Have the yearly statements of the employees made that are missing, and new versions of those that corrections have changed.',
      options: { year: required(year('The calendar year. It must be over')) },
      examples: ['payroll statements --company 1 --year 2026'],
      load: async () => (await import('./year/statements.ts')).requestStatementsByOperator,
    }),
    'hand-over': companyCommand({
      description: 'Record that the file of an export was handed over to payroll. Doing it again has no effect.',
      options: one,
      examples: ['payroll hand-over 1 --company 1'],
      async load() {
        const { describeHandover, recordHandover } = await import('./handover.ts');
        return async (context, input) => describeHandover(await recordHandover(context, input));
      },
    }),
    'withdraw-handover': companyCommand({
      description: 'Withdraw that the file of an export was handed over.',
      options: { ...one, reason: required(text('text', 'Reason, which the company can read')) },
      examples: ['payroll withdraw-handover 1 --company 1 --reason "Wrong file"'],
      async load() {
        const { describeHandover, withdrawHandover } = await import('./handover.ts');
        return async (context, input) => describeHandover(await withdrawHandover(context, input));
      },
    }),
    void: companyCommand({
      description: 'Void the latest export of a company. The next one contains its lines again.',
      options: { ...one, reason: required(text('text', 'Reason, which the company can read')) },
      examples: ['payroll void 1 --company 1 --reason "Wrong month"'],
      async load() {
        const { voidPayrollExport } = await import('./void.ts');
        return async (context, input) => {
          const { number, period } = await voidPayrollExport(context, input);
          return { id: input.id, number, period, voidedAt: context.by.at.toString(), reason: input.reason };
        };
      },
    }),
  },
};
