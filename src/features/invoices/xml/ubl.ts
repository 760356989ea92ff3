import { testMark } from '../../../domain/test-mark.ts';
import {
  categoryCode,
  describeExemption,
  describeLine,
  describeTerms,
  legalInformationOf,
  type Party,
  type PrintedInvoice,
  paymentCode,
  priceOf,
  referenceOf,
  typeCode,
} from '../printed.ts';
import type { TaxSubtotal } from '../rules/invoice.ts';
import { decimal, writeXml, type Xml } from './write-xml.ts';

/** XRechnung 3.0, which public authorities in Germany require. */
const customization = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';
const profile = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';
const namespacesOf = (root: string) => ({
  xmlns: `${ubl}:${root}-2`,
  'xmlns:cac': `${ubl}:CommonAggregateComponents-2`,
  'xmlns:cbc': `${ubl}:CommonBasicComponents-2`,
});

const taxScheme = (id: string): Xml => ({ TaxScheme: { ID: id } });

const party = (one: Party, invoice: PrintedInvoice): Xml => ({
  Party: {
    'EndpointID schemeID="EM"': one.email,
    PartyIdentification: { ID: one.customer },
    PostalAddress: {
      StreetName: one.street,
      CityName: one.city,
      PostalZone: one.postCode,
      Country: { IdentificationCode: one.country },
    },
    PartyTaxScheme: [
      one.vatId ? { CompanyID: one.vatId, ...taxScheme('VAT') } : null,
      one.taxNumber ? { CompanyID: one.taxNumber, ...taxScheme('FC') } : null,
    ],
    PartyLegalEntity: { RegistrationName: one.name, CompanyLegalForm: legalInformationOf(one, invoice) },
    Contact: one.contact ? { Name: one.contact, Telephone: one.phone, ElectronicMail: one.email } : null,
  },
});

const taxCategory = (one: Pick<TaxSubtotal, 'taxCategory' | 'taxPercent'>, exemption?: string): Xml => ({
  ID: categoryCode(one.taxCategory),
  Percent: one.taxPercent,
  TaxExemptionReason: exemption,
  ...taxScheme('VAT'),
});

/** Returns the invoice as XRechnung in the syntax UBL. */
export function writeUbl(invoice: PrintedInvoice): string {
  const { kind, number, currency, seller, buyer, netCents, grossCents } = invoice;
  const isInvoice = kind === 'invoice';
  const root = isInvoice ? 'Invoice' : 'CreditNote';
  const inCurrency = (name: string, value: string): Xml => ({ [`${name} currencyID="${currency}"`]: value });
  const amount = (name: string, cents: number) => inCurrency(name, decimal(cents));
  const period = { InvoicePeriod: { StartDate: invoice.periodFrom, EndDate: invoice.periodUntil } };
  const content: Xml = {
    CustomizationID: customization,
    ProfileID: profile,
    ID: number,
    IssueDate: invoice.issuedOn,
    DueDate: isInvoice ? invoice.dueOn : null,
    [`${root}TypeCode`]: typeCode(invoice),
    Note: invoice.isTest ? testMark : null,
    DocumentCurrencyCode: currency,
    BuyerReference: referenceOf(invoice),
    ...period,
    BillingReference: invoice.preceding.map((one) => ({
      InvoiceDocumentReference: { ID: one.number, IssueDate: one.issuedOn },
    })),
    AccountingSupplierParty: party(seller, invoice),
    AccountingCustomerParty: party(buyer, invoice),
    PaymentMeans: {
      PaymentMeansCode: paymentCode(invoice),
      PaymentID: number,
      PayeeFinancialAccount: isInvoice
        ? { ID: seller.iban, Name: seller.name, FinancialInstitutionBranch: { ID: seller.bic } }
        : null,
    },
    PaymentTerms: { Note: describeTerms(invoice) },
    TaxTotal: {
      ...amount('TaxAmount', invoice.taxCents),
      TaxSubtotal: invoice.taxes.map((tax) => ({
        ...amount('TaxableAmount', tax.netCents),
        ...amount('TaxAmount', tax.taxCents),
        TaxCategory: taxCategory(tax, describeExemption(tax.taxCategory, invoice)),
      })),
    },
    LegalMonetaryTotal: {
      ...amount('LineExtensionAmount', netCents),
      ...amount('TaxExclusiveAmount', netCents),
      ...amount('TaxInclusiveAmount', grossCents),
      ...amount('PayableAmount', grossCents),
    },
    [`${root}Line`]: invoice.lines.map((line, index) => {
      const { quantity, price } = priceOf(line);
      const { name, detail } = describeLine(line, invoice);
      return {
        ID: index + 1,
        [`${isInvoice ? 'Invoiced' : 'Credited'}Quantity unitCode="C62"`]: quantity,
        ...amount('LineExtensionAmount', line.netCents),
        ...period,
        Item: { Description: detail, Name: name, ClassifiedTaxCategory: taxCategory(line) },
        Price: { ...inCurrency('PriceAmount', price), 'BaseQuantity unitCode="C62"': 1 },
      };
    }),
  };
  return writeXml(root, namespacesOf(root), content, (isText) => (isText ? 'cbc:' : 'cac:'));
}
