import { updateSettings } from '../../src/features/companies/change-settings.ts';
import type { BuyerSettings, Seller } from '../../src/features/companies/rules/parties.ts';
import type { DocumentStore } from '../../src/features/documents/files.ts';
import { composeInvoice } from '../../src/features/invoices/rules/invoice.ts';
import { insertSeller } from '../../src/features/invoices/seller.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { writeCompany, writeShared } from '../../src/platform/db/write.ts';

export const testSeller: Seller = {
  name: 'Transit Benefits GmbH',
  street: 'Lindenstr. 12',
  postCode: '10969',
  city: 'Berlin',
  country: 'DE',
  vatId: 'DE123456789',
  taxNumber: '37/123/45678',
  email: 'billing@example.com',
  phone: '+49 30 1234567',
  contact: 'Billing team',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  register: 'Amtsgericht Charlottenburg, HRB 123456 B',
  managingDirectors: 'Anna Beispiel, Max Muster',
  paymentDays: 14,
};

export const testBuyer: BuyerSettings = {
  legalName: 'Müller & Söhne GmbH',
  street: 'Hauptstr. 1',
  postCode: '10115',
  city: 'Berlin',
  country: 'DE',
  vatId: 'DE987654321',
  invoiceEmail: 'invoices@example.com',
  buyerReference: '04011000-1234512345-06',
};

export const setSeller = (db: Db, now: Temporal.Instant) => writeShared(db, (tx) => insertSeller(tx, testSeller, now));

export const setBuyer = (
  db: Db,
  companyId: CompanyId,
  at: Temporal.Instant,
  buyer: Partial<BuyerSettings> = testBuyer,
) => writeCompany(db, companyId, (tx) => updateSettings(tx, companyId, buyer, { at }));

const month = Temporal.PlainDate.from('2026-11-01');

/** Returns what an invoice of one ticket says. */
export const anInvoice = (companyId: CompanyId, name = 'Company') =>
  composeInvoice(
    { seller: testSeller, buyer: testBuyer, company: { id: companyId, name, locale: 'de-DE', currency: 'EUR' } },
    { kind: 'invoice', period: month, issuedOn: month },
    [
      {
        chargeType: 'ticket-charge',
        taxCategory: 'standard',
        taxPercent: 7,
        quantity: 1,
        unitCents: 5985,
        grossCents: 5985,
      },
    ],
  );

/** Inserts an issued invoice, with a file for each format if there is a store. */
export async function makeInvoice(
  db: Db,
  companyId: CompanyId,
  documents?: Pick<DocumentStore, 'put'>,
  fields: { period?: string; number?: number } = {},
): Promise<number> {
  const content = anInvoice(companyId);
  const file = await documents?.put(companyId, 'pdf', Buffer.from('%PDF-1.7 sample %%EOF'));
  const stored = file && { key: file.key, sha256: file.sha256.toString('hex'), sizeBytes: file.sizeBytes };
  const { id } = await db
    .insertInto('invoices')
    .values({
      company_id: companyId,
      kind: 'invoice',
      period: content.period,
      number: companyId,
      issued_on: content.issuedOn,
      due_on: content.dueOn,
      net_cents: content.netCents,
      tax_cents: content.taxCents,
      gross_cents: content.grossCents,
      content: JSON.stringify(content),
      through_item_id: 0,
      files: stored === undefined ? null : JSON.stringify({ pdf: stored, xrechnung: stored, cii: stored }),
      created_at: '2026-11-01T00:05:00Z',
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
