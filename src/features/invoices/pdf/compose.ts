import { moneyFormat } from '../../../domain/money.ts';
import { wordingFor } from '../../documents/pdf/wording.ts';
import { describeExemption, describeLine, describeTerms, textsOf } from '../describe.ts';
import { type PrintedInvoice, priceOf } from '../printed.ts';

type Row = [label: string, value: string];

export interface PageLine {
  name: string;
  detail: string | undefined;
  quantity: string;
  unitPrice: string;
  rate: string;
  amount: string;
}

/** One page as it is printed. */
export interface InvoicePage {
  sender: string;
  senderLine: string;
  recipient: string[];
  reference: Row[];
  title: string;
  intro: string;
  corrects: string | null;
  columns: { item: string; quantity: string; unitPrice: string; rate: string; amount: string };
  lines: PageLine[];
  totals: Row[];
  total: Row;
  /** Why some of it bears no tax. */
  exemptions: string[];
  terms: string;
  notes: string[];
  footer: string[][];
}

const isPresent = (row: [string, string | null]): row is Row => row[1] !== null;

/** Returns an IBAN in groups of four, as people read it. */
const groupIban = (iban: string) => iban.replaceAll(/(.{4})(?=.)/g, '$1 ');

const countryNames = {
  de: new Intl.DisplayNames('de', { type: 'region' }),
  en: new Intl.DisplayNames('en', { type: 'region' }),
};
const nameCountry = (country: string, language: 'de' | 'en') => countryNames[language].of(country) ?? country;

interface NumberFormats {
  /** Net prices of what is priced gross have more decimal places than amounts. */
  price: Intl.NumberFormat;
  count: Intl.NumberFormat;
  percent: Intl.NumberFormat;
}
const numberFormats = new Map<string, NumberFormats>();

/** Keeps the formats of each locale: creating one takes longer than all that it formats. */
function numberFormatsFor(locale: string, currency: string): NumberFormats {
  const key = `${locale} ${currency}`;
  const known = numberFormats.get(key);
  if (known !== undefined) return known;
  const formats = {
    count: new Intl.NumberFormat(locale),
    price: new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 }),
    percent: new Intl.NumberFormat(locale, { style: 'percent' }),
  };
  numberFormats.set(key, formats);
  return formats;
}

function recipientOf({ buyer, seller }: PrintedInvoice, language: 'de' | 'en'): string[] {
  const lines = [buyer.name, buyer.street, `${buyer.postCode} ${buyer.city}`];
  return buyer.country === seller.country ? lines : [...lines, nameCountry(buyer.country, language)];
}

export function composePage(invoice: PrintedInvoice): InvoicePage {
  const { seller, buyer, kind, currency, locale } = invoice;
  const texts = textsOf(invoice);
  const { labels } = texts;
  const { day, days } = wordingFor(locale);
  const money = moneyFormat(locale, currency);
  const { count, percent, price: prices } = numberFormatsFor(locale, currency);
  const rateOf = (taxPercent: number) => percent.format(taxPercent / 100);
  const period = days(invoice.periodFrom, invoice.periodUntil);
  const reference: [string, string | null][] = [
    [labels.number, invoice.number],
    [labels.date, day(invoice.issuedOn)],
    [labels.period, period],
    [labels.dueOn, kind === 'invoice' ? day(invoice.dueOn) : null],
    [labels.customer, buyer.customer],
    [labels.reference, buyer.reference],
    [labels.vatId, buyer.vatId],
  ];
  const bic = seller.bic === null ? [] : [`BIC ${seller.bic}`];
  const taxNumber = seller.taxNumber === null ? [] : [`${labels.taxNumber} ${seller.taxNumber}`];
  return {
    sender: seller.name,
    senderLine: `${seller.name} · ${seller.street} · ${seller.postCode} ${seller.city}`,
    recipient: recipientOf(invoice, texts.language),
    reference: reference.filter(isPresent),
    title: `${texts.titles[kind]} ${invoice.number}`,
    intro: texts.intro[kind](kind === 'invoice' ? period : day(invoice.issuedOn)),
    corrects:
      invoice.preceding.length === 0
        ? null
        : texts.corrects(invoice.preceding.map(({ number, issuedOn }) => `${number} (${day(issuedOn)})`).join(', ')),
    columns: labels,
    lines: invoice.lines.map((line) => {
      const { quantity, price } = priceOf(line);
      return {
        ...describeLine(line, invoice),
        quantity: count.format(quantity),
        unitPrice: prices.format(Number(price)),
        rate: rateOf(line.taxPercent),
        amount: money(line.netCents),
      };
    }),
    totals: [
      [labels.net, money(invoice.netCents)],
      ...invoice.taxes.map(
        ({ taxCategory = 'standard', taxPercent, netCents, taxCents }): Row => [
          taxCategory === 'standard' ? texts.tax(rateOf(taxPercent), money(netCents)) : texts.untaxed(money(netCents)),
          money(taxCents),
        ],
      ),
    ],
    total: [kind === 'invoice' ? labels.total : labels.totalCredit, money(invoice.grossCents)],
    exemptions: invoice.taxes.flatMap(({ taxCategory = 'standard' }) => describeExemption(taxCategory, invoice) ?? []),
    terms: describeTerms(invoice),
    notes: [texts.rounding, texts.embedded],
    footer: [
      [seller.name, seller.street, `${seller.postCode} ${seller.city}`, nameCountry(seller.country, texts.language)],
      [labels.contact, seller.contact, seller.phone, seller.email],
      [labels.bank, `IBAN ${groupIban(seller.iban)}`, ...bic, `${labels.vatId} ${seller.vatId}`, ...taxNumber],
    ],
  };
}
