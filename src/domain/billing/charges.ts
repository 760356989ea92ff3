import { type Day, isBefore, isDue } from '../calendar.ts';
import type { FeeType } from '../enums.ts';
import { divideHalfUp } from '../money.ts';
import type { Plan } from '../subscription/subscription.ts';

/** What things cost, by price lists that are data: each price holds from its first day until a newer one does. */

/** Tickets are priced gross. Percents are whole numbers. */
export interface TicketPrice {
  validFrom: Day;
  listCents: number;
  taxPercent: number;
  /** Off the list price, when the company bears at least `discountSharePercent` of it. */
  discountPercent: number;
  discountSharePercent: number;
}

/** Fees are priced net, for one of what they are charged for. */
export interface FeePrice {
  chargeType: FeeType;
  validFrom: Day;
  netCents: number;
  taxPercent: number;
}

/** Net and tax are always the gross amount. */
export interface Amounts {
  netCents: number;
  taxCents: number;
  grossCents: number;
}

/** The shares are always the gross amount too. */
export interface TicketCharge extends Amounts {
  companyShareCents: number;
  employeeShareCents: number;
}

/** The newest price that holds on a day, whatever the order of the list; undefined before the first one. */
export function priceOn<P extends { validFrom: Day }>(prices: readonly P[], day: Day): P | undefined {
  return prices
    .filter(({ validFrom }) => isDue(validFrom, day))
    .reduce<P | undefined>(
      (newest, price) => (newest === undefined || isBefore(newest.validFrom, price.validFrom) ? price : newest),
      undefined,
    );
}

/** What the employee bears of a price: never more than all of it. */
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

/** Whether the company bears enough is judged on the list price: the discount itself must not decide about it. */
function grossOf(price: TicketPrice, plan: Plan): number {
  const { listCents, discountPercent, discountSharePercent } = price;
  const companyPart = listCents - employeePart(plan, listCents);
  const hasDiscount = companyPart * 100 >= listCents * discountSharePercent;
  return hasDiscount ? divideHalfUp(listCents * (100 - discountPercent), 100) : listCents;
}

/** The discount is the company's alone: the employee's contribution stays what it is, as long as the price is not less. */
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

/** Tax is rounded once, on the whole item. Null: a fee of 0 makes no item. */
export function chargeFee({ netCents: unitCents, taxPercent }: FeePrice, quantity: number): Amounts | null {
  const netCents = unitCents * quantity;
  if (netCents === 0) return null;
  const taxCents = divideHalfUp(netCents * taxPercent, 100);
  return { netCents, taxCents, grossCents: netCents + taxCents };
}
