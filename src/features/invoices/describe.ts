import type { TaxCategory } from '../../domain/enums.ts';
import { moneyFormat } from '../../domain/money.ts';
import { wordingFor } from '../documents/pdf/wording.ts';
import type { PrintedInvoice } from './printed.ts';
import type { InvoiceLine } from './rules/invoice.ts';
import { type InvoiceTexts, invoiceTextsFor } from './texts.ts';

export const textsOf = ({ locale }: PrintedInvoice): InvoiceTexts => invoiceTextsFor(locale);

/** Returns the name of a line, and what it consists of. Names the gross price of a ticket: the line itself has the net one. */
export function describeLine({ chargeType, unitCents }: InvoiceLine, invoice: PrintedInvoice) {
  const { lines, lineDetails, ticketDetail } = textsOf(invoice);
  const money = moneyFormat(invoice.locale, invoice.currency);
  const isPriced = chargeType === 'ticket-charge' && unitCents !== undefined;
  return { name: lines[chargeType], detail: isPriced ? ticketDetail(money(unitCents)) : lineDetails[chargeType] };
}

/** Returns why a category bears no tax, or undefined if it does. */
export const describeExemption = (category: TaxCategory, invoice: PrintedInvoice): string | undefined =>
  category === 'standard' ? undefined : textsOf(invoice).exemptions[category];

/** Returns the terms of payment. */
export const describeTerms = (invoice: PrintedInvoice): string =>
  textsOf(invoice).terms[invoice.kind](wordingFor(invoice.locale).day(invoice.dueOn), invoice.number);
