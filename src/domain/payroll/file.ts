import type { PayrollSystem } from '../enums.ts';
import { formatCsv } from './csv.ts';
import { formatLodas, formatLohnUndGehalt } from './datev.ts';
import type { FileLine } from './file-line.ts';
import { type PayrollLine, type PayrollSettings, wageTypeSettings } from './plan.ts';
import { encodeWindows1252 } from './windows-1252.ts';

/** What a file needs besides its lines. */
export interface FileOptions {
  settings: PayrollSettings & { locale: string };
  period: string;
}

const prefixes: Record<PayrollSystem, string> = { csv: 'payroll', 'datev-lodas': 'lodas', 'datev-lug': 'lug' };

/** Returns the name of a file: system, month and number of the export, as in `lodas-2026-11-3.txt`. */
export const fileNameOf = (system: PayrollSystem, period: string, number: number) =>
  `${prefixes[system]}-${period.slice(0, 7)}-${number}.${system === 'csv' ? 'csv' : 'txt'}`;

export const contentTypeOf = (system: PayrollSystem) =>
  system === 'csv' ? 'text/csv; charset=utf-8' : 'text/plain; charset=windows-1252';

/** Returns a setting that was checked before. Throws if it is missing, so that no file names a wrong number. */
function get(settings: PayrollSettings, setting: keyof PayrollSettings): number {
  const value = settings[setting];
  if (typeof value !== 'number') throw new Error(`The payroll setting ${setting} is missing.`);
  return value;
}

/** Returns the bytes of a payroll file. */
export function writePayrollFile(planned: readonly PayrollLine[], { settings, period }: FileOptions): Buffer {
  const lines: FileLine[] = planned.map((line) => ({ ...line, wageType: get(settings, wageTypeSettings[line.kind]) }));
  switch (settings.payrollSystem) {
    case 'csv':
      return Buffer.from(formatCsv(lines, period, settings.locale));
    case 'datev-lodas': {
      const consultant = get(settings, 'payrollConsultant');
      return encodeWindows1252(formatLodas(lines, { consultant, client: get(settings, 'payrollClient'), period }));
    }
    case 'datev-lug':
      return encodeWindows1252(formatLohnUndGehalt(lines, period));
  }
}
