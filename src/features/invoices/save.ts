import { buffer } from 'node:stream/consumers';
import type { InvoiceFormat } from '../../domain/enums.ts';
import { writeOutput } from '../../platform/cli/files.ts';
import { notFound, unavailable } from '../../platform/http/errors.ts';
import type { CompanyContext, EngineContext } from '../context.ts';
import { openDocumentStore } from '../documents/files.ts';
import { renderInvoice } from './files.ts';
import { formatInvoiceNumber } from './rules/invoice.ts';
import { findInvoice, listAllInvoices } from './store.ts';
import { writeInvoices } from './write.ts';

/** Returns the invoices as the command line shows them, oldest first. */
export const describeInvoices = async ({ db, companyId }: CompanyContext) =>
  (await listAllInvoices(db, companyId)).toReversed().map((row) => ({
    id: row.id,
    number: formatInvoiceNumber(row.number),
    type: row.kind,
    period: row.period,
    issuedOn: row.issued_on,
    dueOn: row.due_on,
    netCents: row.net_cents,
    taxCents: row.tax_cents,
    grossCents: row.gross_cents,
    downloadable: row.files !== null,
  }));

interface SaveInput {
  id: number;
  format: InvoiceFormat;
  out: string;
}

/** Writes a file of an invoice to a path. Writes the stored files first if no worker has done so yet. */
export async function saveInvoice({ config, db, clock, companyId }: EngineContext, { id, format, out }: SaveInput) {
  const documents = await openDocumentStore(config.documentStore);
  if ((await findInvoice(db, companyId, id))?.files === null) {
    await writeInvoices({ db, clock, documents, renderer: { render: renderInvoice } }, companyId);
  }
  const invoice = await findInvoice(db, companyId, id);
  if (invoice === undefined) throw notFound('invoice');
  const file = invoice.files?.[format];
  if (file === undefined) throw unavailable(`The files of invoice ${id} could not be written. Try again.`);
  await writeOutput(out, await buffer(await documents.open(file.key, file.sizeBytes)));
  const { sizeBytes, sha256 } = file;
  return { id, number: formatInvoiceNumber(invoice.number), format, out, sizeBytes, sha256 };
}
