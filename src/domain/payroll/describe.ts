import type { PayrollSystem } from '../enums.ts';
import { numberRule } from './personnel-number.ts';
import type { ProblemCode } from './plan.ts';

/** Describes why an employee cannot be exported, and what to do. */
export function describeProblem(code: ProblemCode, system: PayrollSystem): { detail: string; remedy: string } {
  const rule = numberRule(system);
  switch (code) {
    case 'number-missing':
      return {
        detail: 'No HR system has sent an HR id, so there is no personnel number.',
        remedy: `Send ${rule} with the roster, or link the employee with "employee link".`,
      };
    case 'number-unusable':
      return {
        detail: `The payroll system needs ${rule}.`,
        remedy: `Link the employee to ${rule} with "employee link", or correct it in the HR system and sync.`,
      };
    case 'number-shared':
      return {
        detail: 'Several employees have the same personnel number.',
        remedy: 'Correct the HR id of all but one of them in the HR system, and sync.',
      };
  }
}
