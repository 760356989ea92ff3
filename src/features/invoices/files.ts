import type { InvoiceFormat } from '../../domain/enums.ts';
import { renderInvoicePdf } from './pdf/render.ts';
import type { PrintedInvoice } from './printed.ts';
import { writeCii } from './xml/cii.ts';
import { writeUbl } from './xml/ubl.ts';

/** The bytes of an invoice in each format. */
export type InvoiceFiles = Record<InvoiceFormat, Uint8Array>;

/** Returns the files of an invoice. The same invoice always results in the same bytes. The thread of the renderer runs it. */
export default async function renderInvoice(invoice: PrintedInvoice): Promise<InvoiceFiles> {
  const cii = Buffer.from(writeCii(invoice));
  return { pdf: await renderInvoicePdf(invoice, cii), xrechnung: Buffer.from(writeUbl(invoice)), cii };
}
