import type { InvoiceDifferenceKind, OrderState } from '../../../domain/enums.ts';
import type { InvoiceLine } from './invoice-lines.ts';

/** What the service knows about the order of a line. */
export interface BilledOrder {
  employeeId: number;
  /** The first day of the month. */
  month: string;
  state: OrderState;
  /** Whether a ticket of the employee was in force in the month. */
  wasInForce: boolean;
}

export interface InvoiceDifference {
  kind: InvoiceDifferenceKind;
  /** Null: the invoice has no line. */
  row: number | null;
  employeeId: number | null;
  /** What the line names: the ticket, or else the order. */
  number: string | null;
  billedCents: number | null;
  expectedCents: number | null;
}

/** Where the comparison of a month stands. */
export interface InvoiceComparison {
  month: string;
  priceCents: number;
  /** By employee, the row that bills their ticket. */
  billed: Map<number, number>;
}

/**
 * Compares a line with the order that it bills. A ticket of a month costs its price once, however often it was replaced.
 * Undefined: they agree.
 */
export function compareLine(
  line: InvoiceLine,
  order: BilledOrder | undefined,
  { month, priceCents, billed }: InvoiceComparison,
): InvoiceDifference | undefined {
  const { row, cents, orderId } = line;
  const number = line.number ?? orderId;
  const differs = (kind: InvoiceDifferenceKind, expectedCents: number): InvoiceDifference => ({
    ...{ kind, row, number, billedCents: cents, expectedCents },
    employeeId: order?.employeeId ?? null,
  });
  if (cents < 0) return differs('credit', 0);
  if (number === null) return differs('other-charge', 0);
  if (order === undefined) return differs('unknown', 0);
  const isOther = order.month !== month || (line.month !== null && `${line.month}-01` !== month);
  if (isOther) return differs('other-month', 0);
  if (billed.has(order.employeeId)) return differs('double', 0);
  if (!order.wasInForce) return differs('not-in-force', 0);
  billed.set(order.employeeId, row);
  return cents === priceCents ? undefined : differs('price', priceCents);
}

/** Returns the price of a month. Undefined: none is agreed. */
export function priceOf(month: string, priceList: readonly { from: string; grossCents: number }[]): number | undefined {
  const begun = priceList.filter(({ from }) => from <= month).sort((a, b) => a.from.localeCompare(b.from));
  return begun.at(-1)?.grossCents;
}
