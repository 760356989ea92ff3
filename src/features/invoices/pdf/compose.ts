import { moneyFormat } from '../../../domain/money.ts';
import { wordingFor } from '../../documents/pdf/wording.ts';
import { describeExemption, describeLine, describeTerms, type PrintedInvoice, priceOf, textsOf } from '../printed.ts';

type Row = [label: string, value: string];

const isPresent = (row: [string, string | null]): row is Row => row[1] !== null;

/** Returns an IBAN in groups of four, as people read it. */
const groupIban = (iban: string) => iban.replaceAll(/(.{4})(?=.)/g, '$1 ');

const nameCountry = (country: string, language: string) =>
  new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country;

function recipientOf({ buyer, seller }: PrintedInvoice, language: string): string[] {
  const lines = [buyer.name, buyer.street, `${buyer.postCode} ${buyer.city}`];
  return buyer.country === seller.country ? lines : [...lines, nameCountry(buyer.country, language)];
}

/** Returns what stands on the page, as it is printed. */
export function composePage(invoice: PrintedInvoice) {
  const { seller, buyer, kind, currency, locale } = invoice;
  const texts = textsOf(invoice);
  const { labels } = texts;
  const { day, days, month } = wordingFor(locale);
  const money = moneyFormat(locale, currency);
  const count = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  // Net prices of what is priced gross have more decimal places than amounts.
  const prices = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 });
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
  const register = seller.register ? [seller.register] : [];
  const directors = seller.managingDirectors ? [`${labels.managingDirectors}: ${seller.managingDirectors}`] : [];
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
      [labels.net, money(invoice.netCents)] as Row,
      ...invoice.taxes.map(
        ({ taxCategory = 'standard', taxPercent, netCents, taxCents }): Row => [
          taxCategory === 'standard' ? texts.tax(rateOf(taxPercent), money(netCents)) : texts.untaxed(money(netCents)),
          money(taxCents),
        ],
      ),
    ],
    total: [kind === 'invoice' ? labels.total : labels.totalCredit, money(invoice.grossCents)] as const,
    /** Why some of it bears no tax. */
    exemptions: invoice.taxes.flatMap(({ taxCategory }) => describeExemption(taxCategory, invoice) ?? []),
    terms: describeTerms(invoice),
    corrected:
      invoice.corrected === undefined
        ? null
        : {
            title: texts.corrected(invoice.number),
            rows: invoice.corrected.charges.map((charge) => ({
              month: month(charge.month),
              charge: texts.lines[charge.chargeType],
              hrId: charge.hrId ?? '',
              amount: money(charge.grossCents),
              reason: charge.reason === null ? texts.otherReason : texts.reasons[charge.reason],
            })),
            note: texts.moreCorrected(invoice.corrected.total - invoice.corrected.charges.length),
          },
    notes: [texts.rounding, texts.embedded],
    footer: [
      [
        ...[seller.name, seller.street, `${seller.postCode} ${seller.city}`],
        ...[nameCountry(seller.country, texts.language), ...register],
      ],
      [labels.contact, seller.contact, seller.phone, seller.email, ...directors],
      [labels.bank, `IBAN ${groupIban(seller.iban)}`, ...bic, `${labels.vatId} ${seller.vatId}`, ...taxNumber],
    ],
  };
}

export type InvoicePage = ReturnType<typeof composePage>;
