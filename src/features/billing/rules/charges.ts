import { type Day, isBefore, isDue } from '../../../domain/calendar.ts';
import type { FeeType, TaxCategory } from '../../../domain/enums.ts';
import { divideHalfUp } from '../../../domain/money.ts';
import type { Plan } from '../../../domain/subscription/subscription.ts';
import { taxPercentOf } from './tax.ts';

/** Price lists are data: each price applies from its first day until a newer one does. */

/** Ticket prices are gross. Percentages are integers. */
export interface TicketPrice {
  validFrom: Day;
  listCents: number;
  taxPercent: number;
  /** Deducted from the list price if the company pays at least `discountSharePercent` of it. */
  discountPercent: number;
  discountSharePercent: number;
}

/** Fee prices are net, per unit charged. */
export interface FeePrice {
  chargeType: FeeType;
  validFrom: Day;
  netCents: number;
  taxPercent: number;
}

/** Net and tax always add up to the gross amount. */
export interface Amounts {
  netCents: number;
  taxCents: number;
  grossCents: number;
}

/** The two shares always add up to the gross amount too. */
export interface TicketCharge extends Amounts {
  companyShareCents: number;
  employeeShareCents: number;
}

/** Returns the newest price that applies on a day, or undefined before the first one. The list may be in any order. */
export function priceOn<P extends { validFrom: Day }>(prices: readonly P[], day: Day): P | undefined {
  return prices
    .filter(({ validFrom }) => isDue(validFrom, day))
    .reduce<P | undefined>(
      (newest, price) => (newest === undefined || isBefore(newest.validFrom, price.validFrom) ? price : newest),
      undefined,
    );
}

export const feeOn = (fees: readonly FeePrice[], chargeType: FeeType, day: Day): FeePrice | undefined =>
  priceOn(
    fees.filter((fee) => fee.chargeType === chargeType),
    day,
  );

/** Returns the part of a price that the employee pays, at most the whole price. */
function employeePart({ planType, contributionCents }: Plan, priceCents: number): number {
  switch (planType) {
    case 'fully-subsidized-plan':
      return 0;
    case 'split-pay-plan':
      return Math.min(contributionCents ?? 0, priceCents);
    case 'deferred-plan':
      return priceCents;
  }
}

/** Returns whether the company pays enough of the list price. The discount itself must not influence that. */
export function hasDiscount({ listCents, discountPercent, discountSharePercent }: TicketPrice, plan: Plan): boolean {
  const companyPart = listCents - employeePart(plan, listCents);
  return discountPercent > 0 && companyPart * 100 >= listCents * discountSharePercent;
}

/** Returns the gross price. */
const grossOf = (price: TicketPrice, plan: Plan): number =>
  hasDiscount(price, plan) ? divideHalfUp(price.listCents * (100 - price.discountPercent), 100) : price.listCents;

/** Only the company benefits from the discount: the contribution stays, unless the price is lower than it. */
export function chargeTicket(price: TicketPrice, plan: Plan): TicketCharge {
  const grossCents = grossOf(price, plan);
  const taxCents = divideHalfUp(grossCents * price.taxPercent, 100 + price.taxPercent);
  const employeeShareCents = employeePart(plan, grossCents);
  return {
    netCents: grossCents - taxCents,
    taxCents,
    grossCents,
    companyShareCents: grossCents - employeeShareCents,
    employeeShareCents,
  };
}

/** Returns the tax on a net amount. */
export const taxOfNet = (netCents: number, taxPercent: number): number => divideHalfUp(netCents * taxPercent, 100);

/** Returns null for a fee of 0, which makes no item. Tax is rounded once, on the whole item. */
export function chargeFee({ netCents: unitCents, taxPercent }: FeePrice, quantity: number): Amounts | null {
  const netCents = unitCents * quantity;
  if (netCents === 0) return null;
  const taxCents = taxOfNet(netCents, taxPercent);
  return { netCents, taxCents, grossCents: netCents + taxCents };
}

/** How much of a fee a month has. */
export interface FeeQuantity {
  chargeType: FeeType;
  quantity: number;
  hrIntegrationId: number | null;
}

/** Fees that are charged only for months in which the company used what they are for. Known when such a month is over. */
const usageFees: readonly FeeType[] = ['hr-payroll-integration-charge', 'api-charge'];

/** Returns the month for whose use a fee is charged in a month. */
export const usedMonth = (chargeType: FeeType, month: Day): Day =>
  usageFees.includes(chargeType) ? month.subtract({ months: 1 }) : month;

interface FeeRules {
  fees: readonly FeePrice[];
  month: Day;
  /** Undefined: it is unknown how the company is taxed. Its fees bear the domestic tax. */
  category: TaxCategory | undefined;
}

/** Returns the fees of a month, without those of 0. */
export const chargeFees = (quantities: readonly FeeQuantity[], { fees, month, category }: FeeRules) =>
  quantities.flatMap((fee) => {
    const price = feeOn(fees, fee.chargeType, month);
    const amounts =
      price && chargeFee({ ...price, taxPercent: taxPercentOf(category, price.taxPercent) }, fee.quantity);
    return amounts ? [{ ...fee, ...amounts }] : [];
  });
