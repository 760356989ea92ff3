import type { PayrollSystem } from '../../../domain/enums.ts';
import { numberRule } from './personnel-number.ts';
import type { ProblemCode } from './plan.ts';

/** Describes why an employee cannot be exported, and what to do. */
export function describeProblem(code: ProblemCode, system: PayrollSystem): { detail: string; remedy: string } {
  const rule = numberRule(system);
  switch (code) {
    case 'number-missing':
      return {
        detail: 'The roster has no personnel number, and no HR system has sent an HR id.',
        remedy: `Send ${rule} with the roster, or link the employee with "employee link".`,
      };
    case 'number-unusable':
      return {
        detail: `The payroll system needs ${rule}.`,
        remedy: `Send ${rule} with the roster ("personnelNumber"), or use the digits of HR ids with "company set --personnel-number-rule hr-id-digits".`,
      };
    case 'number-shared':
      return {
        detail: 'Several employees have the same personnel number.',
        remedy: 'Send the personnel number of each with the roster ("personnelNumber").',
      };
  }
}
