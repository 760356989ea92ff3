import type { InvoiceContent, InvoiceLine } from '../domain/invoices/invoice.ts';

/** An invoice as its files show it. */
export interface PrintedInvoice extends InvoiceContent {
  /** Formatted, such as TB-000017. */
  number: string;
  /** The invoices that a credit note corrects. */
  preceding: { number: string; issuedOn: string }[];
}

/**
 * Returns the net price of a line and how many units it is for. If the price of one unit is not a whole number of cents,
 * the price is that of all units: quantity and price then always result in the net amount. A price is never negative, so
 * a line that deducts has a negative quantity.
 */
export function priceOf({ netCents, quantity }: InvoiceLine) {
  const isWhole = netCents % quantity === 0;
  return {
    quantity: netCents < 0 ? -quantity : quantity,
    priceCents: Math.abs(isWhole ? netCents / quantity : netCents),
    baseQuantity: isWhole ? 1 : quantity,
  };
}

/** Returns the reference that the buyer's system assigns the invoice by: their own, else their customer number. */
export const referenceOf = ({ buyer }: PrintedInvoice) => buyer.reference ?? buyer.customer;
