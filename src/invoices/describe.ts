import { wordingFor } from '../documents/pdf/wording.ts';
import type { InvoiceLine } from '../domain/invoices/invoice.ts';
import type { PrintedInvoice } from './printed.ts';
import { type InvoiceTexts, invoiceTextsFor } from './texts.ts';

export const textsOf = ({ locale }: PrintedInvoice): InvoiceTexts => invoiceTextsFor(locale);

export const describeLine = ({ chargeType }: InvoiceLine, { lines, lineDetails }: InvoiceTexts) => ({
  name: lines[chargeType],
  detail: lineDetails[chargeType],
});

/** Returns the terms of payment. */
export const describeTerms = (invoice: PrintedInvoice): string =>
  textsOf(invoice).terms[invoice.kind](wordingFor(invoice.locale).day(invoice.dueOn), invoice.number);
