import type { TaxCategory } from '../../domain/enums.ts';
import { divideHalfUp, moneyFormat } from '../../domain/money.ts';
import type { Seller } from '../companies/rules/parties.ts';
import { wordingFor } from '../documents/pdf/wording.ts';
import type { Buyer, InvoiceContent, InvoiceLine } from './rules/invoice.ts';
import { type InvoiceTexts, invoiceTextsFor } from './texts.ts';

/** An invoice as its files show it. */
export interface PrintedInvoice extends InvoiceContent {
  /** Formatted, such as TB-000017. */
  number: string;
  /** The invoices that a credit note corrects. */
  preceding: { number: string; issuedOn: string }[];
  /** Whether it is marked as valid nowhere. */
  isTest?: boolean;
}

/** The seller or the buyer: what both have, and what only one has. */
export type Party = Pick<Buyer, keyof Buyer & keyof Seller> & {
  [Name in 'customer' | 'taxNumber' | 'contact' | 'phone' | 'register' | 'managingDirectors']?: string | null;
};

/** Returns what a company must state about itself in letters, in one line (BT-33), or null if nothing is known. */
export const legalInformationOf = ({ register, managingDirectors }: Party, invoice: PrintedInvoice): string | null =>
  [register, managingDirectors && `${textsOf(invoice).labels.managingDirectors}: ${managingDirectors}`]
    .filter(Boolean)
    .join('; ') || null;

/** The decimal places of a net price: enough that a hundred thousand times the price is the amount of the line. */
const priceDecimals = 8;

/** Returns the net price of one unit in euros. It is never negative: a line that deducts has a negative quantity. */
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

export const typeCode = ({ kind }: PrintedInvoice) => (kind === 'invoice' ? '380' : '381');

/** An invoice is paid by a transfer in the SEPA area (58). A credit note is offset (97). */
export const paymentCode = ({ kind }: PrintedInvoice) => (kind === 'invoice' ? '58' : '97');

export const textsOf = ({ locale }: PrintedInvoice): InvoiceTexts => invoiceTextsFor(locale);

/** Returns the name of a line, and what it consists of. Names the gross price of a ticket: the line itself has the net one. */
export function describeLine({ chargeType, unitCents }: InvoiceLine, invoice: PrintedInvoice) {
  const { lines, lineDetails, ticketDetail } = textsOf(invoice);
  const money = moneyFormat(invoice.locale, invoice.currency);
  const isPriced = chargeType === 'ticket-charge' && unitCents !== undefined;
  return { name: lines[chargeType], detail: isPriced ? ticketDetail(money(unitCents)) : lineDetails[chargeType] };
}

/** Returns why a category bears no tax, or undefined if it does. */
export const describeExemption = (category: TaxCategory = 'standard', invoice: PrintedInvoice): string | undefined =>
  category === 'standard' ? undefined : textsOf(invoice).exemptions[category];

/** Returns the terms of payment. */
export const describeTerms = (invoice: PrintedInvoice): string =>
  textsOf(invoice).terms[invoice.kind](wordingFor(invoice.locale).day(invoice.dueOn), invoice.number);
