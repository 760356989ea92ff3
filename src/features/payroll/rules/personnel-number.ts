import type { PayrollSystem, PersonnelNumberRule } from '../../../domain/enums.ts';

/**
 * Returns a personnel number (Personalnummer) as a payroll system writes it, or undefined if the system cannot have it.
 * DATEV LODAS and DATEV Lohn und Gehalt number employees from 1 to 99999; leading zeros have no meaning there. A CSV file
 * takes any text.
 */
export function toPersonnelNumber(system: PayrollSystem, text: string): string | undefined {
  if (system === 'csv') return text === '' ? undefined : text;
  return /^0*[1-9]\d{0,4}$/.test(text) ? String(Number(text)) : undefined;
}

/** Returns what the rule of a company makes of an HR id: `E-0042` has the digits `0042`. */
export const applyNumberRule = (rule: PersonnelNumberRule, hrId: string): string =>
  rule === 'hr-id' ? hrId : hrId.replaceAll(/\D/g, '');

/** Describes the personnel numbers that a system accepts, as the end of a sentence. */
export const numberRule = (system: PayrollSystem): string =>
  system === 'csv' ? 'a personnel number' : 'a personnel number from 1 to 99999';
