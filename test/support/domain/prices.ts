import type { Day } from '../../../src/domain/calendar.ts';
import type { Subscription } from '../../../src/domain/subscription/subscription.ts';
import { ticketDue } from '../../../src/domain/subscription/tickets.ts';
import {
  chargeTicket,
  priceOn,
  type TicketCharge,
  type TicketPrice,
} from '../../../src/features/billing/rules/charges.ts';
import { day } from './scenario.ts';

export const ticketPrice = (validFrom: string, listCents: number): TicketPrice => ({
  validFrom: day(validFrom),
  listCents,
  taxPercent: 7,
  discountPercent: 5,
  discountSharePercent: 25,
});

/** The prices of the contract, deliberately out of order. */
export const prices = [
  ticketPrice('2025-01-01', 5800),
  ticketPrice('2026-01-01', 6300),
  ticketPrice('2023-05-01', 4900),
];

/** Returns the charge for the month that begins on `month`, or undefined without a ticket. */
export function chargeFor(subscription: Subscription, month: Day): TicketCharge | undefined {
  const price = priceOn(prices, month);
  return price !== undefined && ticketDue(subscription, month) ? chargeTicket(price, subscription) : undefined;
}
