import { buffer } from 'node:stream/consumers';
import type { InvoiceFormat } from '../../domain/enums.ts';
import { writeOutput } from '../../platform/cli/files.ts';
import { notFound, unavailable } from '../../platform/http/errors.ts';
import type { EngineContext } from '../context.ts';
import { openDocumentStore } from '../documents/files.ts';
import renderInvoice from './files.ts';
import { formatInvoiceNumber } from './rules/invoice.ts';
import { findInvoice } from './store.ts';
import { writeInvoices } from './write.ts';

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
