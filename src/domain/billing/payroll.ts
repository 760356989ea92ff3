/** The file from which payroll settles what a month's tickets cost whom: one line per charge and per correction. */

export interface PayrollLine {
  hrId: string | null;
  /** Null: the employee was removed. */
  firstName: string | null;
  lastName: string | null;
  companyShareCents: number;
  employeeShareCents: number;
  netCents: number;
  taxCents: number;
  grossCents: number;
  /** The id and the period of the billing item that the line corrects; null: it is a charge. */
  correctsItem: number | null;
  correctsPeriod: string | null;
  /** Why it was corrected. */
  reason: string | null;
}

export const payrollColumns = [
  'hrId',
  'firstName',
  'lastName',
  'companyShare',
  'employeeShare',
  'net',
  'tax',
  'gross',
  'correctsItem',
  'correctsPeriod',
  'reason',
] as const;

/** Whole cents as euros, or what the currency is, with a point: `59.85`. By text, because cents / 100 is not exact. */
export function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Where a spreadsheet would take what follows for a formula and run it: at the beginning of a cell, and after what begins
 * a cell for those who read the file with semicolons or tabs between cells, as a German spreadsheet does by itself. To
 * these, a quote after a semicolon begins and ends a cell that was meant to be text: `A;"=1+1"` would run.
 */
const formulas = /^(?=[=+\-@\t\r\n])|(?<=[;"\t\r\n])(?=[=+\-@])/g;

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** What others wrote: an apostrophe in front makes it plain text. */
const text = (cell: string | null) => quote((cell ?? '').replace(formulas, "'"));

const line = (cells: readonly string[]) => `${cells.join(',')}\r\n`;

/** With a byte order mark, by which spreadsheets know that umlauts are UTF-8. */
export const payrollHead = `\uFEFF${line(payrollColumns)}`;

/** One line as RFC 4180 has it. Amounts are our own, so a minus in front of one is left alone. */
export const formatPayrollLine = (one: PayrollLine): string =>
  line([
    text(one.hrId),
    text(one.firstName),
    text(one.lastName),
    decimal(one.companyShareCents),
    decimal(one.employeeShareCents),
    decimal(one.netCents),
    decimal(one.taxCents),
    decimal(one.grossCents),
    one.correctsItem === null ? '' : String(one.correctsItem),
    one.correctsPeriod ?? '',
    text(one.reason),
  ]);
