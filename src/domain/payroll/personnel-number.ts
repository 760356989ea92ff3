import type { PayrollSystem } from '../enums.ts';

/**
 * Returns the personnel number (Personalnummer) of an HR id in a payroll system, or undefined if the system cannot have
 * it. DATEV LODAS and DATEV Lohn und Gehalt number employees from 1 to 99999; leading zeros have no meaning there. A
 * CSV file takes the HR id as it is.
 */
export function toPersonnelNumber(system: PayrollSystem, hrId: string): string | undefined {
  if (system === 'csv') return hrId === '' ? undefined : hrId;
  return /^0*[1-9]\d{0,4}$/.test(hrId) ? String(Number(hrId)) : undefined;
}

/** Describes the personnel numbers that a system accepts, as the end of a sentence. */
export const numberRule = (system: PayrollSystem): string =>
  system === 'csv' ? 'an HR id' : 'an HR id that is a number from 1 to 99999';
