import { describeExemption, describeLine, describeTerms } from '../describe.ts';
import { categoryCode, type PrintedInvoice, priceOf, referenceOf } from '../printed.ts';
import type { InvoiceLine } from '../rules/invoice.ts';
import { decimal, declaration, element, leaf, type Xml } from './element.ts';

/** XRechnung 3.0, which public authorities in Germany require. */
const customization = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';
const profile = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';
const namespacesOf = (root: string) =>
  [
    `xmlns="${ubl}:${root}-2"`,
    `xmlns:cac="${ubl}:CommonAggregateComponents-2"`,
    `xmlns:cbc="${ubl}:CommonBasicComponents-2"`,
  ].join(' ');

const amount = (name: string, currency: string, cents: number) =>
  leaf(`cbc:${name} currencyID="${currency}"`, decimal(cents));

const taxScheme = (id: string) => element('cac:TaxScheme', leaf('cbc:ID', id));

const period = ({ periodFrom, periodUntil }: PrintedInvoice) =>
  element('cac:InvoicePeriod', leaf('cbc:StartDate', periodFrom), leaf('cbc:EndDate', periodUntil));

interface Party {
  name: string;
  street: string;
  postCode: string;
  city: string;
  country: string;
  email: string | null;
  customer?: string;
  taxIds: [id: string | null, scheme: 'VAT' | 'FC'][];
  contact?: { name: string; phone: string; email: string };
}

const party = (one: Party): string =>
  element(
    'cac:Party',
    leaf('cbc:EndpointID schemeID="EM"', one.email),
    one.customer === undefined ? undefined : element('cac:PartyIdentification', leaf('cbc:ID', one.customer)),
    element(
      'cac:PostalAddress',
      leaf('cbc:StreetName', one.street),
      leaf('cbc:CityName', one.city),
      leaf('cbc:PostalZone', one.postCode),
      element('cac:Country', leaf('cbc:IdentificationCode', one.country)),
    ),
    ...one.taxIds.map(([id, scheme]) =>
      id === null ? undefined : element('cac:PartyTaxScheme', leaf('cbc:CompanyID', id), taxScheme(scheme)),
    ),
    element('cac:PartyLegalEntity', leaf('cbc:RegistrationName', one.name)),
    one.contact === undefined
      ? undefined
      : element(
          'cac:Contact',
          leaf('cbc:Name', one.contact.name),
          leaf('cbc:Telephone', one.contact.phone),
          leaf('cbc:ElectronicMail', one.contact.email),
        ),
  );

function parties({ seller, buyer }: PrintedInvoice): Xml[] {
  const { contact, phone, email } = seller;
  return [
    element(
      'cac:AccountingSupplierParty',
      party({
        ...seller,
        taxIds: [
          [seller.vatId, 'VAT'],
          [seller.taxNumber, 'FC'],
        ],
        contact: { name: contact, phone, email },
      }),
    ),
    element('cac:AccountingCustomerParty', party({ ...buyer, taxIds: [[buyer.vatId, 'VAT']] })),
  ];
}

/** A credit note is offset (97). An invoice is paid by a transfer in the SEPA area (58). */
const paymentMeans = ({ kind, number, seller }: PrintedInvoice) =>
  kind === 'credit-note'
    ? element('cac:PaymentMeans', leaf('cbc:PaymentMeansCode', '97'), leaf('cbc:PaymentID', number))
    : element(
        'cac:PaymentMeans',
        leaf('cbc:PaymentMeansCode', '58'),
        leaf('cbc:PaymentID', number),
        element(
          'cac:PayeeFinancialAccount',
          leaf('cbc:ID', seller.iban),
          leaf('cbc:Name', seller.name),
          seller.bic === null ? undefined : element('cac:FinancialInstitutionBranch', leaf('cbc:ID', seller.bic)),
        ),
      );

const taxCategory = (name: string, one: Pick<InvoiceLine, 'taxCategory' | 'taxPercent'>, exemption?: string) =>
  element(
    name,
    leaf('cbc:ID', categoryCode(one.taxCategory)),
    leaf('cbc:Percent', one.taxPercent),
    leaf('cbc:TaxExemptionReason', exemption),
    taxScheme('VAT'),
  );

const taxTotal = (invoice: PrintedInvoice) => {
  const { currency, taxCents, taxes } = invoice;
  return element(
    'cac:TaxTotal',
    amount('TaxAmount', currency, taxCents),
    ...taxes.map((tax) =>
      element(
        'cac:TaxSubtotal',
        amount('TaxableAmount', currency, tax.netCents),
        amount('TaxAmount', currency, tax.taxCents),
        taxCategory('cac:TaxCategory', tax, describeExemption(tax.taxCategory ?? 'standard', invoice)),
      ),
    ),
  );
};

const monetaryTotal = ({ currency, netCents, grossCents }: PrintedInvoice) =>
  element(
    'cac:LegalMonetaryTotal',
    amount('LineExtensionAmount', currency, netCents),
    amount('TaxExclusiveAmount', currency, netCents),
    amount('TaxInclusiveAmount', currency, grossCents),
    amount('PayableAmount', currency, grossCents),
  );

function line(invoice: PrintedInvoice, one: InvoiceLine, index: number): string {
  const { currency, kind } = invoice;
  const { quantity, price } = priceOf(one);
  const { name, detail } = describeLine(one, invoice);
  const [root, counted] =
    kind === 'invoice' ? ['InvoiceLine', 'InvoicedQuantity'] : ['CreditNoteLine', 'CreditedQuantity'];
  return element(
    `cac:${root}`,
    leaf('cbc:ID', index + 1),
    leaf(`cbc:${counted} unitCode="C62"`, quantity),
    amount('LineExtensionAmount', currency, one.netCents),
    period(invoice),
    element(
      'cac:Item',
      leaf('cbc:Description', detail),
      leaf('cbc:Name', name),
      taxCategory('cac:ClassifiedTaxCategory', one),
    ),
    element(
      'cac:Price',
      leaf(`cbc:PriceAmount currencyID="${currency}"`, price),
      leaf('cbc:BaseQuantity unitCode="C62"', 1),
    ),
  );
}

const precedingInvoice = ({ number, issuedOn }: PrintedInvoice['preceding'][number]) =>
  element(
    'cac:BillingReference',
    element('cac:InvoiceDocumentReference', leaf('cbc:ID', number), leaf('cbc:IssueDate', issuedOn)),
  );

/** Returns the invoice as XRechnung in the syntax UBL. */
export function writeUbl(invoice: PrintedInvoice): string {
  const isInvoice = invoice.kind === 'invoice';
  const root = isInvoice ? 'Invoice' : 'CreditNote';
  return `${declaration}${element(
    `${root} ${namespacesOf(root)}`,
    leaf('cbc:CustomizationID', customization),
    leaf('cbc:ProfileID', profile),
    leaf('cbc:ID', invoice.number),
    leaf('cbc:IssueDate', invoice.issuedOn),
    isInvoice ? leaf('cbc:DueDate', invoice.dueOn) : undefined,
    leaf(`cbc:${root}TypeCode`, isInvoice ? '380' : '381'),
    leaf('cbc:DocumentCurrencyCode', invoice.currency),
    leaf('cbc:BuyerReference', referenceOf(invoice)),
    period(invoice),
    ...invoice.preceding.map(precedingInvoice),
    ...parties(invoice),
    paymentMeans(invoice),
    element('cac:PaymentTerms', leaf('cbc:Note', describeTerms(invoice))),
    taxTotal(invoice),
    monetaryTotal(invoice),
    ...invoice.lines.map((one, index) => line(invoice, one, index)),
  )}\n`;
}
