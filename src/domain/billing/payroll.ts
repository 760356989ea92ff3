/**
 * The file from which payroll settles each employee's share of a month's tickets: one line per charge and per
 * correction.
 */

export interface PayrollLine {
  hrId: string | null;
  /** Null if the employee was removed. */
  firstName: string | null;
  lastName: string | null;
  companyShareCents: number;
  employeeShareCents: number;
  netCents: number;
  taxCents: number;
  grossCents: number;
  /** The id and the period of the billing item that the line corrects. Null if the line is a charge. */
  correctsItem: number | null;
  correctsPeriod: string | null;
  /** The reason for the correction. */
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

/** Formats cents as a decimal amount of the currency: `59.85`. It works on text, because cents / 100 is not exact. */
export function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Matches the places where a spreadsheet would run the following text as a formula. These are the beginning of a cell
 * and, for programs that separate cells by semicolons or tabs (the default of German spreadsheets), any place after
 * such a separator. For those programs, a quote after a semicolon also begins and ends a cell that was meant to be
 * text: `A;"=1+1"` would run.
 */
const formulas = /^(?=[=+\-@\t\r\n])|(?<=[;"\t\r\n])(?=[=+\-@])/g;

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Formats text from outside: an apostrophe before a formula makes it plain text. */
const text = (cell: string | null) => quote((cell ?? '').replace(formulas, "'"));

const line = (cells: readonly string[]) => `${cells.join(',')}\r\n`;

/** Starts with a byte order mark, by which spreadsheets recognise UTF-8 and read umlauts correctly. */
export const payrollHead = `\uFEFF${line(payrollColumns)}`;

/**
 * Formats one line according to RFC 4180. Amounts are computed by the service, so their minus signs need no apostrophe.
 */
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
