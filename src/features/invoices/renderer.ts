import { createThread } from '../../platform/threads/thread.ts';
import type { InvoiceFiles } from './files.ts';
import type { PrintedInvoice } from './printed.ts';

/** Writes the files of invoices on a separate thread, so that the API in the same process stays responsive. */
export interface InvoiceRenderer {
  render(invoice: PrintedInvoice): Promise<InvoiceFiles>;
  stop(): Promise<void>;
}

export function startInvoiceRenderer(): InvoiceRenderer {
  const thread = createThread<PrintedInvoice, InvoiceFiles>(new URL('./files.ts', import.meta.url));
  return { render: thread.run, stop: thread.stop };
}
