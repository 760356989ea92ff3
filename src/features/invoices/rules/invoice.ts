import type { Day } from '../../../domain/calendar.ts';
import type { ChargeType, InvoiceKind, TaxCategory } from '../../../domain/enums.ts';
import type { Amounts } from '../../billing/rules/charges.ts';
import type { CorrectionReason } from '../../billing/rules/correction-reasons.ts';
import { netOf, spreadNet } from '../../billing/rules/tax.ts';
import type { BuyerSettings, Seller } from '../../companies/rules/parties.ts';

/** What is taxed alike. Invoices of earlier versions have no category: it was always the standard one. */
interface Taxed {
  taxCategory?: TaxCategory;
  taxPercent: number;
}

/** Billing items of one charge type and price, taxed alike. */
export interface ChargedSum extends Required<Taxed> {
  chargeType: ChargeType;
  /** What was charged: tickets, or what a fee was multiplied with. */
  quantity: number;
  /** The price of one: gross for a ticket, net for a fee. */
  unitCents: number;
  grossCents: number;
}

/** One line per charge type, price and tax. Invoices of earlier versions have lines of several prices, and `rounding`. */
export interface InvoiceLine extends Amounts, Taxed {
  chargeType: ChargeType | 'rounding';
  quantity: number;
  unitCents?: number;
}

export interface TaxSubtotal extends Taxed {
  netCents: number;
  taxCents: number;
}

/** The company as it stands on an invoice. */
export interface Buyer {
  /** The id of the company, which is also its customer number. */
  customer: string;
  name: string;
  street: string;
  postCode: string;
  city: string;
  country: string;
  vatId: string | null;
  email: string | null;
  reference: string | null;
}

/**
 * One charge that a credit note corrects. It has no name and no text that somebody wrote: the files of invoices are
 * never deleted, and both are erased with the employee. The HR id stays with the charge.
 */
export interface CorrectedCharge {
  chargeType: ChargeType;
  /** The first day of the month in which it was charged. */
  month: string;
  hrId: string | null;
  grossCents: number;
  /** Null: an operator wrote the reason. */
  reason: CorrectionReason | null;
}

/**
 * Everything that an invoice says, except its number. It is stored with the invoice, so that its files can be written
 * later, or again, and are always the same. Dates are YYYY-MM-DD. Amounts of a credit note are positive.
 */
export interface InvoiceContent extends Amounts {
  kind: InvoiceKind;
  locale: string;
  currency: string;
  issuedOn: string;
  dueOn: string;
  paymentDays: number;
  /** The first day of the month that is invoiced, or in which a credit note is issued. */
  period: string;
  /** First and last day of the month that is invoiced, or of the months that a credit note corrects. */
  periodFrom: string;
  periodUntil: string;
  /** The months whose charges a credit note corrects. */
  corrects: string[];
  /** The first of the charges that a credit note corrects. Absent from those of earlier versions, and from invoices. */
  corrected?: { charges: CorrectedCharge[]; total: number };
  seller: Seller;
  buyer: Buyer;
  lines: InvoiceLine[];
  taxes: TaxSubtotal[];
}

const addUp = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

export const taxKey = ({ taxCategory = 'standard', taxPercent }: Taxed) => `${taxCategory} ${taxPercent}`;

/** Adds up the sums of each charge type, price and tax, in the order in which they are given. */
function mergeSums(sums: readonly ChargedSum[]): ChargedSum[] {
  const groups = Map.groupBy(sums, (sum) => `${sum.chargeType} ${sum.unitCents} ${taxKey(sum)}`);
  return [...groups.values()].map((group) => ({
    ...(group[0] as ChargedSum),
    quantity: addUp(group.map(({ quantity }) => quantity)),
    grossCents: addUp(group.map(({ grossCents }) => grossCents)),
  }));
}

const totalOf = ({ taxCategory, taxPercent }: ChargedSum, grossCents: number, netCents: number): TaxSubtotal => ({
  taxCategory,
  taxPercent,
  netCents,
  taxCents: grossCents - netCents,
});

const grossOf = (sums: readonly ChargedSum[]) => addUp(sums.map(({ grossCents }) => grossCents));

const groupByTax = (sums: readonly ChargedSum[]) =>
  [...Map.groupBy(sums, taxKey).values()].map((group) => [group[0] as ChargedSum, group] as const);

/** Returns net and tax of what is taxed alike. Gross is that of the items; net is rounded once, not per item. */
export const totalCharges = (sums: readonly ChargedSum[]): TaxSubtotal[] =>
  groupByTax(sums).map(([first, group]) => totalOf(first, grossOf(group), netOf(grossOf(group), first.taxPercent)));

/** Corrections of the charges of one invoice. */
export interface Credit {
  /** What the invoice charged. Null if the charges were on no invoice. */
  charged: readonly TaxSubtotal[] | null;
  /** What earlier credit notes have credited of it, gross, by `taxKey`. */
  creditedCents: ReadonlyMap<string, number>;
  sums: readonly ChargedSum[];
}

function creditOf({ charged, creditedCents, sums }: Credit): TaxSubtotal[] {
  return groupByTax(sums).map(([first, group]) => {
    const gross = grossOf(group);
    const total = charged?.find((one) => taxKey(one) === taxKey(first));
    const credited = creditedCents.get(taxKey(first)) ?? 0;
    const before = total === undefined ? gross : total.netCents + total.taxCents - credited;
    const netBefore = total !== undefined && credited === 0 ? total.netCents : netOf(before, first.taxPercent);
    const net = netBefore - netOf(Math.max(0, before - gross), first.taxPercent);
    return totalOf(first, gross, Math.min(Math.max(net, 0), gross));
  });
}

/**
 * Returns net and tax of corrections: per invoice, the difference of its totals before and after. So all credit notes
 * of an invoice together credit exactly the tax that was charged, however the charges are divided among them.
 */
export function totalCredits(credits: readonly Credit[]): TaxSubtotal[] {
  const groups = Map.groupBy(credits.flatMap(creditOf), taxKey);
  return [...groups.values()].map((group) => ({
    ...(group[0] as TaxSubtotal),
    netCents: addUp(group.map(({ netCents }) => netCents)),
    taxCents: addUp(group.map(({ taxCents }) => taxCents)),
  }));
}

/** Returns the lines of charges and the totals. The net amounts of lines are rounded so that they add up to `taxes`. */
function composeLines(
  sums: readonly ChargedSum[],
  unordered: readonly TaxSubtotal[],
): Pick<InvoiceContent, 'lines' | 'taxes' | keyof Amounts> {
  const taxes = unordered.toSorted((a, b) => a.taxPercent - b.taxPercent);
  const merged = mergeSums(sums);
  const nets = new Map(
    taxes.flatMap((tax) => {
      const alike = merged.filter((sum) => taxKey(sum) === taxKey(tax));
      const spread = spreadNet(
        tax.netCents,
        tax.taxPercent,
        alike.map(({ grossCents }) => grossCents),
      );
      return alike.map((sum, index) => [sum, spread[index] ?? 0] as const);
    }),
  );
  const lines = merged.map((sum) => {
    const netCents = nets.get(sum) ?? 0;
    return { ...sum, netCents, taxCents: sum.grossCents - netCents };
  });
  const netCents = addUp(taxes.map((tax) => tax.netCents));
  const taxCents = addUp(taxes.map((tax) => tax.taxCents));
  return { lines, taxes, netCents, taxCents, grossCents: netCents + taxCents };
}

interface Parties {
  seller: Seller;
  company: { id: number; name: string; locale: string; currency: string };
  buyer: BuyerSettings;
}

function buyerOf({ company, buyer }: Parties): Buyer {
  return {
    customer: String(company.id),
    name: buyer.legalName ?? company.name,
    street: buyer.street ?? '',
    postCode: buyer.postCode ?? '',
    city: buyer.city ?? '',
    country: buyer.country ?? 'DE',
    vatId: buyer.vatId,
    email: buyer.invoiceEmail,
    reference: buyer.buyerReference,
  };
}

interface Occasion {
  kind: InvoiceKind;
  /** The first day of the month. */
  period: Day;
  issuedOn: Day;
  corrects?: string[];
  corrected?: InvoiceContent['corrected'];
}

/** Returns the invoice of a period, or the credit note of the corrections made until now. */
export function composeInvoice(
  parties: Parties,
  { kind, period, issuedOn, corrects = [], corrected }: Occasion,
  sums: readonly ChargedSum[],
  taxes: readonly TaxSubtotal[] = totalCharges(sums),
): InvoiceContent {
  const { seller, company } = parties;
  const months = corrects.length === 0 ? [period.toString()] : corrects.toSorted();
  const last = Temporal.PlainDate.from(months.at(-1) ?? period);
  return {
    kind,
    locale: company.locale,
    currency: company.currency,
    issuedOn: issuedOn.toString(),
    dueOn: issuedOn.add({ days: seller.paymentDays }).toString(),
    paymentDays: seller.paymentDays,
    period: period.toString(),
    periodFrom: months[0] ?? period.toString(),
    periodUntil: last.add({ months: 1 }).subtract({ days: 1 }).toString(),
    corrects,
    ...(corrected && { corrected }),
    seller,
    buyer: buyerOf(parties),
    ...composeLines(sums, taxes),
  };
}

/** Returns a number as it stands on an invoice. */
export const formatInvoiceNumber = (number: number) => `TB-${String(number).padStart(6, '0')}`;
