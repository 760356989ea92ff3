import type { Amounts } from '../billing/charges.ts';
import type { Day } from '../calendar.ts';
import type { ChargeType, InvoiceKind } from '../enums.ts';
import { divideHalfUp } from '../money.ts';
import type { BuyerSettings, Seller } from './parties.ts';

/** The sum of billing items of one charge type, with the rate that applied when they were charged. */
export interface ChargedSum extends Amounts {
  chargeType: ChargeType;
  taxPercent: number;
  /** What was charged: tickets, or what a fee was multiplied with. */
  quantity: number;
}

/** One line per charge type and tax rate. A line of type `rounding` changes net and tax by opposite amounts. */
export interface InvoiceLine extends Omit<ChargedSum, 'chargeType'> {
  chargeType: ChargeType | 'rounding';
}

export interface TaxSubtotal {
  taxPercent: number;
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
  seller: Seller;
  buyer: Buyer;
  lines: InvoiceLine[];
  taxes: TaxSubtotal[];
}

const addAmounts = (amounts: readonly Amounts[]): Amounts =>
  amounts.reduce(
    (sum, { netCents, taxCents, grossCents }) => ({
      netCents: sum.netCents + netCents,
      taxCents: sum.taxCents + taxCents,
      grossCents: sum.grossCents + grossCents,
    }),
    { netCents: 0, taxCents: 0, grossCents: 0 },
  );

/** Adds up the sums of each charge type and tax rate, in the order in which they are given. */
function mergeLines(sums: readonly ChargedSum[]): InvoiceLine[] {
  const groups = Map.groupBy(sums, ({ chargeType, taxPercent }) => `${chargeType} ${taxPercent}`);
  return [...groups.values()].map((group) => ({
    ...(group[0] as ChargedSum),
    quantity: group.reduce((sum, { quantity }) => sum + quantity, 0),
    ...addAmounts(group),
  }));
}

/**
 * The largest difference in cents that EN 16931 permits between the tax of a rate and the rate of its net amount
 * (BR-CO-17, BR-S-09): less than one euro.
 */
const maxTaxDifference = 99;

/**
 * Returns a line that keeps the tax of a rate within what EN 16931 permits, or none. Tickets have gross prices, and the
 * tax of each is rounded on its own: with more than about 200 tickets the sum of the roundings exceeds one euro. The
 * line moves the difference from tax to net and leaves the gross amount as it is.
 */
function roundingLine(taxPercent: number, { netCents, taxCents, grossCents }: Amounts): InvoiceLine[] {
  const expected = divideHalfUp(netCents * taxPercent, 100);
  if (Math.abs(taxCents - expected) <= maxTaxDifference) return [];
  const tax = divideHalfUp(grossCents * taxPercent, 100 + taxPercent);
  const moved = taxCents - tax;
  return [{ chargeType: 'rounding', taxPercent, quantity: 1, netCents: moved, taxCents: -moved, grossCents: 0 }];
}

/** Returns the lines of charges, the tax of each rate and the totals. Requires positive sums. */
export function composeLines(sums: readonly ChargedSum[]): Pick<InvoiceContent, 'lines' | 'taxes' | keyof Amounts> {
  const charged = mergeLines(sums);
  const byRate = Map.groupBy(charged, ({ taxPercent }) => taxPercent);
  const rates = [...byRate.keys()].sort((a, b) => a - b);
  const rounding = rates.flatMap((rate) => roundingLine(rate, addAmounts(byRate.get(rate) ?? [])));
  const lines = [...charged, ...rounding];
  const taxes = rates.map((taxPercent) => {
    const { netCents, taxCents } = addAmounts(lines.filter((line) => line.taxPercent === taxPercent));
    return { taxPercent, netCents, taxCents };
  });
  return { lines, taxes, ...addAmounts(lines) };
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
}

/** Returns the invoice of a period, or the credit note of the corrections made until now. */
export function composeInvoice(
  parties: Parties,
  { kind, period, issuedOn, corrects = [] }: Occasion,
  sums: readonly ChargedSum[],
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
    seller,
    buyer: buyerOf(parties),
    ...composeLines(sums),
  };
}

/** Returns a number as it stands on an invoice. */
export const formatInvoiceNumber = (number: number) => `TB-${String(number).padStart(6, '0')}`;
