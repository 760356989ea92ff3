import { describeExemption, describeLine, describeTerms } from '../describe.ts';
import { categoryCode, type PrintedInvoice, priceOf, referenceOf } from '../printed.ts';
import type { InvoiceLine } from '../rules/invoice.ts';
import { decimal, declaration, element, leaf, type Xml } from './element.ts';

/** The profile EN 16931 of Factur-X and ZUGFeRD, which has no identifier beyond that of the standard. */
const guideline = 'urn:cen.eu:en16931:2017';

const namespaces = [
  'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"',
  'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"',
  'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"',
  'xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100"',
].join(' ');

const compactDate = (date: string) => date.replaceAll('-', '');
const dateTime = (date: string, prefix = 'udt') => leaf(`${prefix}:DateTimeString format="102"`, compactDate(date));

const period = ({ periodFrom, periodUntil }: PrintedInvoice) =>
  element(
    'ram:BillingSpecifiedPeriod',
    element('ram:StartDateTime', dateTime(periodFrom)),
    element('ram:EndDateTime', dateTime(periodUntil)),
  );

function line(invoice: PrintedInvoice, one: InvoiceLine, index: number): string {
  const { quantity, price } = priceOf(one);
  const { name, detail } = describeLine(one, invoice);
  return element(
    'ram:IncludedSupplyChainTradeLineItem',
    element('ram:AssociatedDocumentLineDocument', leaf('ram:LineID', index + 1)),
    element('ram:SpecifiedTradeProduct', leaf('ram:Name', name), leaf('ram:Description', detail)),
    element(
      'ram:SpecifiedLineTradeAgreement',
      element(
        'ram:NetPriceProductTradePrice',
        leaf('ram:ChargeAmount', price),
        leaf('ram:BasisQuantity unitCode="C62"', 1),
      ),
    ),
    element('ram:SpecifiedLineTradeDelivery', leaf('ram:BilledQuantity unitCode="C62"', quantity)),
    element(
      'ram:SpecifiedLineTradeSettlement',
      element(
        'ram:ApplicableTradeTax',
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:CategoryCode', categoryCode(one.taxCategory)),
        leaf('ram:RateApplicablePercent', one.taxPercent),
      ),
      period(invoice),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', leaf('ram:LineTotalAmount', decimal(one.netCents))),
    ),
  );
}

const address = (party: { street: string; postCode: string; city: string; country: string }) =>
  element(
    'ram:PostalTradeAddress',
    leaf('ram:PostcodeCode', party.postCode),
    leaf('ram:LineOne', party.street),
    leaf('ram:CityName', party.city),
    leaf('ram:CountryID', party.country),
  );

const electronicAddress = (email: string | null): Xml =>
  email === null ? undefined : element('ram:URIUniversalCommunication', leaf('ram:URIID schemeID="EM"', email));

const taxRegistration = (scheme: 'VA' | 'FC', id: string | null): Xml =>
  id === null ? undefined : element('ram:SpecifiedTaxRegistration', leaf(`ram:ID schemeID="${scheme}"`, id));

function agreement(invoice: PrintedInvoice): string {
  const { seller, buyer } = invoice;
  return element(
    'ram:ApplicableHeaderTradeAgreement',
    leaf('ram:BuyerReference', referenceOf(invoice)),
    element(
      'ram:SellerTradeParty',
      leaf('ram:Name', seller.name),
      element(
        'ram:DefinedTradeContact',
        leaf('ram:PersonName', seller.contact),
        element('ram:TelephoneUniversalCommunication', leaf('ram:CompleteNumber', seller.phone)),
        element('ram:EmailURIUniversalCommunication', leaf('ram:URIID', seller.email)),
      ),
      address(seller),
      electronicAddress(seller.email),
      taxRegistration('FC', seller.taxNumber),
      taxRegistration('VA', seller.vatId),
    ),
    element(
      'ram:BuyerTradeParty',
      leaf('ram:ID', buyer.customer),
      leaf('ram:Name', buyer.name),
      address(buyer),
      electronicAddress(buyer.email),
      taxRegistration('VA', buyer.vatId),
    ),
  );
}

/** A credit note is offset (97). An invoice is paid by a transfer in the SEPA area (58). */
const paymentMeans = ({ kind, seller }: PrintedInvoice) =>
  element(
    'ram:SpecifiedTradeSettlementPaymentMeans',
    ...(kind === 'credit-note'
      ? [leaf('ram:TypeCode', '97')]
      : [
          leaf('ram:TypeCode', '58'),
          element(
            'ram:PayeePartyCreditorFinancialAccount',
            leaf('ram:IBANID', seller.iban),
            leaf('ram:AccountName', seller.name),
          ),
          seller.bic === null
            ? undefined
            : element('ram:PayeeSpecifiedCreditorFinancialInstitution', leaf('ram:BICID', seller.bic)),
        ]),
  );

const paymentTerms = (invoice: PrintedInvoice) =>
  element(
    'ram:SpecifiedTradePaymentTerms',
    leaf('ram:Description', describeTerms(invoice)),
    invoice.kind === 'invoice' ? element('ram:DueDateDateTime', dateTime(invoice.dueOn)) : undefined,
  );

function settlement(invoice: PrintedInvoice): string {
  const { currency, taxes, netCents, taxCents, grossCents } = invoice;
  return element(
    'ram:ApplicableHeaderTradeSettlement',
    leaf('ram:PaymentReference', invoice.number),
    leaf('ram:InvoiceCurrencyCode', currency),
    paymentMeans(invoice),
    ...taxes.map((tax) =>
      element(
        'ram:ApplicableTradeTax',
        leaf('ram:CalculatedAmount', decimal(tax.taxCents)),
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:ExemptionReason', describeExemption(tax.taxCategory ?? 'standard', invoice)),
        leaf('ram:BasisAmount', decimal(tax.netCents)),
        leaf('ram:CategoryCode', categoryCode(tax.taxCategory)),
        leaf('ram:RateApplicablePercent', tax.taxPercent),
      ),
    ),
    period(invoice),
    paymentTerms(invoice),
    element(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      leaf('ram:LineTotalAmount', decimal(netCents)),
      leaf('ram:TaxBasisTotalAmount', decimal(netCents)),
      leaf(`ram:TaxTotalAmount currencyID="${currency}"`, decimal(taxCents)),
      leaf('ram:GrandTotalAmount', decimal(grossCents)),
      leaf('ram:DuePayableAmount', decimal(grossCents)),
    ),
    ...invoice.preceding.map(({ number, issuedOn }) =>
      element(
        'ram:InvoiceReferencedDocument',
        leaf('ram:IssuerAssignedID', number),
        element('ram:FormattedIssueDateTime', dateTime(issuedOn, 'qdt')),
      ),
    ),
  );
}

/** Returns the invoice in the syntax CII, as it is embedded in the PDF under the name factur-x.xml. */
export function writeCii(invoice: PrintedInvoice): string {
  return `${declaration}${element(
    `rsm:CrossIndustryInvoice ${namespaces}`,
    element(
      'rsm:ExchangedDocumentContext',
      element('ram:GuidelineSpecifiedDocumentContextParameter', leaf('ram:ID', guideline)),
    ),
    element(
      'rsm:ExchangedDocument',
      leaf('ram:ID', invoice.number),
      leaf('ram:TypeCode', invoice.kind === 'invoice' ? '380' : '381'),
      element('ram:IssueDateTime', dateTime(invoice.issuedOn)),
    ),
    element(
      'rsm:SupplyChainTradeTransaction',
      ...invoice.lines.map((one, index) => line(invoice, one, index)),
      agreement(invoice),
      '<ram:ApplicableHeaderTradeDelivery/>',
      settlement(invoice),
    ),
  )}\n`;
}
