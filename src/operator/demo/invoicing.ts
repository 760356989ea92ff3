import { updateSettings } from '../../features/companies/change-settings.ts';
import type { Seller } from '../../features/invoices/rules/parties.ts';
import { findSeller, insertSeller } from '../../features/invoices/seller.ts';
import type { DemoContext } from './context.ts';

/** An operator that does not exist. The numbers are those that documentation uses. */
const demoSeller: Seller = {
  name: 'Transit Benefits GmbH',
  street: 'Lindenstraße 12',
  postCode: '10969',
  city: 'Berlin',
  country: 'DE',
  vatId: 'DE123456789',
  taxNumber: '37/123/45678',
  email: 'rechnungen@transit-benefits.example',
  phone: '+49 30 1234567',
  contact: 'Team Abrechnung',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  paymentDays: 14,
};

const demoBuyer = {
  legalName: 'Musterwerk GmbH',
  street: 'Industriestraße 7',
  postCode: '70565',
  city: 'Stuttgart',
  country: 'DE',
  vatId: 'DE987654321',
  invoiceEmail: 'rechnung@musterwerk.example',
  buyerReference: 'Kostenstelle 4711',
};

/** Enters what invoices need. Keeps the data of an operator who has set their own. */
export async function setUpInvoicing({ tx, companyId, deps }: DemoContext): Promise<void> {
  const at = deps.clock.now();
  if ((await findSeller(tx)) === undefined) await insertSeller(tx, demoSeller, at);
  await updateSettings(tx, companyId, demoBuyer, { at });
}
