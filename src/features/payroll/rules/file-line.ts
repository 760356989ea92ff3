import type { PayrollLine } from './plan.ts';

/** A line as a file contains it, with the number of its wage type. */
export interface FileLine extends PayrollLine {
  wageType: number;
}

/**
 * Formats cents as an amount with a decimal comma: `57,46`. It works on text, because cents / 100 is not exact.
 */
export function formatAmount(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`;
}
