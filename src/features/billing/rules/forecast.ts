import { type Day, isSameDay } from '../../../domain/calendar.ts';
import type { TaxCategory } from '../../../domain/enums.ts';
import type { Plan } from '../../../domain/subscription/subscription.ts';
import { chargeFees, chargeTicket, type FeePrice, type FeeQuantity, priceOn, type TicketPrice } from './charges.ts';

export interface PriceList {
  tickets: readonly TicketPrice[];
  fees: readonly FeePrice[];
}

/** What a month has, as far as it is known before. */
export interface PlannedMonth {
  month: Day;
  /** How many tickets each plan has. */
  tickets: readonly (Plan & { tickets: number })[];
  quantities: readonly FeeQuantity[];
  /** How the fees are taxed. */
  category: TaxCategory | undefined;
}

/** What a month costs. The shares add up to the charges of the tickets, VAT included. */
export interface MonthCosts {
  tickets: number;
  ticketCents: number;
  companyShareCents: number;
  employeeShareCents: number;
  /** The fees, VAT included. */
  feeCents: number;
  feeTaxCents: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Prices a month that is not billed yet by the rules that bill it. Before the first price, its tickets cost nothing. */
export function forecastMonth({ month, tickets, quantities, category }: PlannedMonth, prices: PriceList): MonthCosts {
  const price = priceOn(prices.tickets, month);
  const charges = price ? tickets.map((plan) => ({ tickets: plan.tickets, ...chargeTicket(price, plan) })) : [];
  const fees = chargeFees(quantities, { fees: prices.fees, month, category });
  return {
    tickets: sum(tickets.map((plan) => plan.tickets)),
    ticketCents: sum(charges.map((charge) => charge.tickets * charge.grossCents)),
    companyShareCents: sum(charges.map((charge) => charge.tickets * charge.companyShareCents)),
    employeeShareCents: sum(charges.map((charge) => charge.tickets * charge.employeeShareCents)),
    feeCents: sum(fees.map(({ grossCents }) => grossCents)),
    feeTaxCents: sum(fees.map(({ taxCents }) => taxCents)),
  };
}

/** Returns the prices with others from their months on. VAT and discount stay those of the price before. */
export function withPrices(
  prices: readonly TicketPrice[],
  others: readonly { from: Day; grossCents: number }[],
): TicketPrice[] {
  const added = others.flatMap(({ from, grossCents }) => {
    const price = priceOn(prices, from);
    return price ? [{ ...price, validFrom: from, listCents: grossCents }] : [];
  });
  return [...prices.filter(({ validFrom }) => !added.some((one) => isSameDay(one.validFrom, validFrom))), ...added];
}
