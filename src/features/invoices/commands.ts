import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { InvoiceFormat } from '../../domain/enums.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { assertCompany, withEngine } from '../command-context.ts';
import { openDocumentStore } from '../documents/files.ts';
import { renderInvoice } from './files.ts';
import { formatInvoiceNumber } from './rules/invoice.ts';
import { findInvoice, listAllInvoices } from './store.ts';
import { writeInvoices } from './write.ts';

export const listInvoices = ({ company: companyId }: { company: CompanyId }, { config }: CommandContext) =>
  withEngine(config, async ({ db }) => {
    await assertCompany(db, companyId);
    return (await listAllInvoices(db, companyId)).toReversed().map((row) => ({
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
  });

interface DownloadOptions {
  id: number;
  company: CompanyId;
  format: InvoiceFormat;
  out: string;
}

/** Writes a file of an invoice. Writes the stored files first if no worker has done so yet. */
export const downloadInvoice = ({ id, company, format, out }: DownloadOptions, { config }: CommandContext) =>
  withEngine(config, async ({ db, clock }) => {
    await assertCompany(db, company);
    const documents = await openDocumentStore(config.documentStore);
    if ((await findInvoice(db, company, id))?.files === null) {
      await writeInvoices({ db, clock, documents, renderer: { render: renderInvoice } }, company);
    }
    const invoice = await findInvoice(db, company, id);
    if (invoice === undefined) {
      throw new OperatorError(`Company ${company} has no invoice ${id}: run "invoice list --company ${company}".`);
    }
    const file = invoice.files?.[format];
    if (file === undefined) throw new OperatorError(`The files of invoice ${id} could not be written. Try again.`);
    const content = await buffer(await documents.open(file.key, file.sizeBytes));
    await writeFile(out, content).catch((error: Error) => {
      throw new OperatorError(`The file ${out} cannot be written (${error.message}): choose another --out.`);
    });
    return {
      id,
      number: formatInvoiceNumber(invoice.number),
      format,
      out,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
    };
  });
