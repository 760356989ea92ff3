import type { TaxCategory } from '../../domain/enums.ts';
import { divideHalfUp } from '../../domain/money.ts';
import type { InvoiceContent, InvoiceLine } from './rules/invoice.ts';

/** An invoice as its files show it. */
export interface PrintedInvoice extends InvoiceContent {
  /** Formatted, such as TB-000017. */
  number: string;
  /** The invoices that a credit note corrects. */
  preceding: { number: string; issuedOn: string }[];
}

/** The decimal places of a net price: enough that a hundred thousand times the price is the amount of the line. */
const priceDecimals = 8;

/**
 * Returns the net price of one unit of a line, in euros. Tickets have gross prices, so it has more decimal places than
 * two. A price is never negative: a line that deducts has a negative quantity.
 */
export function priceOf({ netCents, quantity }: InvoiceLine) {
  const scaled = divideHalfUp(Math.abs(netCents) * 10 ** (priceDecimals - 2), quantity);
  const digits = String(scaled).padStart(priceDecimals + 1, '0');
  const decimals = digits.slice(-priceDecimals).replace(/0{1,6}$/, '');
  return {
    quantity: netCents < 0 ? -quantity : quantity,
    price: `${digits.slice(0, -priceDecimals)}.${decimals}`,
  };
}

/** Returns the reference that the buyer's system assigns the invoice by: their own, else their customer number. */
export const referenceOf = ({ buyer }: PrintedInvoice) => buyer.reference ?? buyer.customer;

/** The codes of UNTDID 5305. `G` stands for what is not taxable: `O` cannot be on an invoice with any other category. */
const categoryCodes: Record<TaxCategory, string> = { standard: 'S', 'reverse-charge': 'AE', 'not-taxable': 'G' };

export const categoryCode = (category: TaxCategory = 'standard') => categoryCodes[category];
