import type { PayrollSystem, PersonnelNumberRule } from '../../../domain/enums.ts';

/** Returns a personnel number as the system writes it, or undefined if it cannot have it. DATEV has 1 to 99999. */
export function toPersonnelNumber(system: PayrollSystem, text: string): string | undefined {
  if (system === 'csv') return text === '' ? undefined : text;
  return /^0*[1-9]\d{0,4}$/.test(text) ? String(Number(text)) : undefined;
}

/** Returns what the rule of a company makes of an HR id: `E-0042` has the digits `0042`. */
export const applyNumberRule = (rule: PersonnelNumberRule, hrId: string): string =>
  rule === 'hr-id' ? hrId : hrId.replaceAll(/\D/g, '');

/** Why an employee cannot be exported. */
export const problemCodes = ['number-missing', 'number-unusable', 'number-shared'] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** Returns what the operator can do about it. */
export function remedyOf(code: ProblemCode, system: PayrollSystem): string {
  const number = system === 'csv' ? 'a personnel number' : 'a personnel number from 1 to 99999';
  return {
    'number-missing': `Send ${number} with the roster, or link the employee with "employee link".`,
    'number-unusable': `Send ${number} with the roster ("personnelNumber"), or use the digits of HR ids with "company set --personnel-number-rule hr-id-digits".`,
    'number-shared': 'Send the personnel number of each with the roster ("personnelNumber").',
  }[code];
}
