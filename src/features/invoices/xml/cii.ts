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
import type { InvoiceLine, TaxSubtotal } from '../rules/invoice.ts';
import { decimal, writeXml, type Xml } from './write-xml.ts';

/** The profile EN 16931 of Factur-X and ZUGFeRD, which has no identifier beyond that of the standard. */
const guideline = 'urn:cen.eu:en16931:2017';

const uncefact = 'urn:un:unece:uncefact:data:standard';
const namespaces = {
  'xmlns:rsm': `${uncefact}:CrossIndustryInvoice:100`,
  'xmlns:ram': `${uncefact}:ReusableAggregateBusinessInformationEntity:100`,
  'xmlns:udt': `${uncefact}:UnqualifiedDataType:100`,
  'xmlns:qdt': `${uncefact}:QualifiedDataType:100`,
};

const dateTime = (date: string, prefix = 'udt'): Xml => ({
  [`${prefix}:DateTimeString format="102"`]: date.replaceAll('-', ''),
});

const period = ({ periodFrom, periodUntil }: PrintedInvoice): Xml => ({
  StartDateTime: dateTime(periodFrom),
  EndDateTime: dateTime(periodUntil),
});

const taxOf = ({ taxCategory, taxPercent }: Pick<TaxSubtotal, 'taxCategory' | 'taxPercent'>) => ({
  CategoryCode: categoryCode(taxCategory),
  RateApplicablePercent: taxPercent,
});

function line(invoice: PrintedInvoice, one: InvoiceLine, index: number): Xml {
  const { quantity, price } = priceOf(one);
  const { name, detail } = describeLine(one, invoice);
  return {
    AssociatedDocumentLineDocument: { LineID: index + 1 },
    SpecifiedTradeProduct: { Name: name, Description: detail },
    SpecifiedLineTradeAgreement: {
      NetPriceProductTradePrice: { ChargeAmount: price, 'BasisQuantity unitCode="C62"': 1 },
    },
    SpecifiedLineTradeDelivery: { 'BilledQuantity unitCode="C62"': quantity },
    SpecifiedLineTradeSettlement: {
      ApplicableTradeTax: { TypeCode: 'VAT', ...taxOf(one) },
      BillingSpecifiedPeriod: period(invoice),
      SpecifiedTradeSettlementLineMonetarySummation: { LineTotalAmount: decimal(one.netCents) },
    },
  };
}

const addressesOf = ({ street, postCode, city, country, email, vatId, taxNumber }: Party): Xml => ({
  PostalTradeAddress: { PostcodeCode: postCode, LineOne: street, CityName: city, CountryID: country },
  URIUniversalCommunication: { 'URIID schemeID="EM"': email },
  SpecifiedTaxRegistration: [{ 'ID schemeID="FC"': taxNumber }, { 'ID schemeID="VA"': vatId }],
});

function agreement(invoice: PrintedInvoice): Xml {
  const { seller, buyer } = invoice;
  return {
    BuyerReference: referenceOf(invoice),
    SellerTradeParty: {
      Name: seller.name,
      Description: legalInformationOf(seller, invoice),
      DefinedTradeContact: {
        PersonName: seller.contact,
        TelephoneUniversalCommunication: { CompleteNumber: seller.phone },
        EmailURIUniversalCommunication: { URIID: seller.email },
      },
      ...addressesOf(seller),
    },
    BuyerTradeParty: { ID: buyer.customer, Name: buyer.name, ...addressesOf(buyer) },
  };
}

function settlement(invoice: PrintedInvoice): Xml {
  const { kind, number, currency, seller, netCents, taxCents, grossCents } = invoice;
  const isInvoice = kind === 'invoice';
  return {
    PaymentReference: number,
    InvoiceCurrencyCode: currency,
    SpecifiedTradeSettlementPaymentMeans: {
      TypeCode: paymentCode(invoice),
      PayeePartyCreditorFinancialAccount: isInvoice ? { IBANID: seller.iban, AccountName: seller.name } : null,
      PayeeSpecifiedCreditorFinancialInstitution: isInvoice ? { BICID: seller.bic } : null,
    },
    ApplicableTradeTax: invoice.taxes.map((tax) => ({
      CalculatedAmount: decimal(tax.taxCents),
      TypeCode: 'VAT',
      ExemptionReason: describeExemption(tax.taxCategory, invoice),
      BasisAmount: decimal(tax.netCents),
      ...taxOf(tax),
    })),
    BillingSpecifiedPeriod: period(invoice),
    SpecifiedTradePaymentTerms: {
      Description: describeTerms(invoice),
      DueDateDateTime: isInvoice ? dateTime(invoice.dueOn) : null,
    },
    SpecifiedTradeSettlementHeaderMonetarySummation: {
      LineTotalAmount: decimal(netCents),
      TaxBasisTotalAmount: decimal(netCents),
      [`TaxTotalAmount currencyID="${currency}"`]: decimal(taxCents),
      GrandTotalAmount: decimal(grossCents),
      DuePayableAmount: decimal(grossCents),
    },
    InvoiceReferencedDocument: invoice.preceding.map(({ number: preceding, issuedOn }) => ({
      IssuerAssignedID: preceding,
      FormattedIssueDateTime: dateTime(issuedOn, 'qdt'),
    })),
  };
}

/** Returns the invoice in the syntax CII, as it is embedded in the PDF under the name factur-x.xml. */
export function writeCii(invoice: PrintedInvoice): string {
  const content: Xml = {
    'rsm:ExchangedDocumentContext': { GuidelineSpecifiedDocumentContextParameter: { ID: guideline } },
    'rsm:ExchangedDocument': {
      ID: invoice.number,
      TypeCode: typeCode(invoice),
      IssueDateTime: dateTime(invoice.issuedOn),
      IncludedNote: { Content: invoice.isTest ? testMark : null },
    },
    'rsm:SupplyChainTradeTransaction': {
      IncludedSupplyChainTradeLineItem: invoice.lines.map((one, index) => line(invoice, one, index)),
      ApplicableHeaderTradeAgreement: agreement(invoice),
      ApplicableHeaderTradeDelivery: {},
      ApplicableHeaderTradeSettlement: settlement(invoice),
    },
  };
  return writeXml('rsm:CrossIndustryInvoice', namespaces, content, () => 'ram:');
}
