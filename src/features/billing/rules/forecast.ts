import type { Day } from '../../../domain/calendar.ts';
import type { TaxCategory } from '../../../domain/enums.ts';
import type { Plan } from '../../../domain/subscription/subscription.ts';
import { chargeFees, chargeTicket, type FeePrice, type FeeQuantity, priceOn, type TicketPrice } from './charges.ts';

/** What a month has, as far as it is known before. */
export interface PlannedMonth {
  month: Day;
  /** How many tickets each plan has. */
  tickets: readonly (Plan & { tickets: number })[];
  quantities: readonly FeeQuantity[];
  /** How the fees are taxed. */
  category: TaxCategory | undefined;
}

/** What a month costs, VAT included. */
export interface MonthCosts {
  tickets: number;
  ticketCents: number;
  feeCents: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Prices a month that is not billed yet by the rules that bill it. Before the first price, its tickets cost nothing. */
export function forecastMonth(
  { month, tickets, quantities, category }: PlannedMonth,
  prices: { tickets: readonly TicketPrice[]; fees: readonly FeePrice[] },
): MonthCosts {
  const price = priceOn(prices.tickets, month);
  const fees = chargeFees(quantities, { fees: prices.fees, month, category });
  return {
    tickets: sum(tickets.map((plan) => plan.tickets)),
    ticketCents: price ? sum(tickets.map((plan) => plan.tickets * chargeTicket(price, plan).grossCents)) : 0,
    feeCents: sum(fees.map(({ grossCents }) => grossCents)),
  };
}
