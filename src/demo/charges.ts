import type { NewBillingItem } from '../billing/insert.ts';
import type { ChargeType, PlanType } from '../domain/vocabulary.ts';
import type { Calendar } from './calendar.ts';
import type { Integration } from './integrations.ts';
import type { Member } from './members.ts';

/** Gross list prices of a ticket and the first month of each, newest first. */
const listPrices = [
  { from: '2026-01-01', cents: 6300 },
  { from: '2025-01-01', cents: 5800 },
  { from: '2023-05-01', cents: 4900 },
] as const;

/** Net, per month. */
const fees = { perTicket: 150, perLinkedEmployee: 100, payrollIntegration: 2500, api: 1900 };

const halfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

export interface TicketPrice {
  grossCents: number;
  companyCents: number;
  employeeCents: number;
}

/** A company that bears at least a quarter of the list price gets 5 % off. */
export function priceTicket(
  month: Temporal.PlainDate,
  planType: PlanType,
  contributionCents: number | null,
): TicketPrice {
  const list = listPrices.find(({ from }) => from <= month.toString())?.cents ?? 4900;
  const employeePart = { 'fully-subsidized-plan': 0, 'split-pay-plan': contributionCents ?? 0, 'deferred-plan': list }[
    planType
  ];
  const hasDiscount = 4 * (list - employeePart) >= list;
  const grossCents = hasDiscount ? halfUp(list * 95, 100) : list;
  const employeeCents = Math.min(employeePart, grossCents);
  return { grossCents, companyCents: grossCents - employeeCents, employeeCents };
}

function ticketCharge({ id, person, links }: Member, month: Temporal.PlainDate, billedAt: string): NewBillingItem {
  const { grossCents, companyCents, employeeCents } = priceTicket(month, person.planType, person.contributionCents);
  const tax = halfUp(grossCents * 7, 107);
  return {
    period: month.toString(),
    charge_type: 'ticket-charge',
    net_cents: grossCents - tax,
    tax_cents: tax,
    gross_cents: grossCents,
    employee_id: id,
    first_name: person.firstName,
    last_name: person.lastName,
    email: person.email,
    hr_id: links[0]?.hr_id ?? null,
    plan_type: person.planType,
    company_share_cents: companyCents,
    employee_share_cents: employeeCents,
    hr_integration_id: null,
    billed_at: billedAt,
  };
}

const isThere = ({ person }: Member, month: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(person.createdOn, month) < 0 &&
  (person.removedOn === null || Temporal.PlainDate.compare(person.removedOn, month) > 0);

/** Everything that was billed for a month: a charge per ticket, then the company's fees. A fee of 0 is not billed. */
export function chargesOf(
  month: Temporal.PlainDate,
  calendar: Calendar,
  ticketHolders: Member[],
  members: Member[],
  integrations: Integration[],
): NewBillingItem[] {
  const billedAt = calendar.at(month, '00:05');
  const fee = (type: ChargeType, net: number, integration?: Integration): NewBillingItem => {
    const tax = halfUp(net * 19, 100);
    return {
      period: month.toString(),
      charge_type: type,
      net_cents: net,
      tax_cents: tax,
      gross_cents: net + tax,
      employee_id: null,
      first_name: null,
      last_name: null,
      email: null,
      hr_id: null,
      plan_type: null,
      company_share_cents: null,
      employee_share_cents: null,
      hr_integration_id: integration?.id ?? null,
      billed_at: billedAt,
    };
  };
  const billable = integrations.filter(
    ({ isActive, since }) => isActive && Temporal.PlainDate.compare(since, month) <= 0,
  );
  const linkedBy = ({ id }: Integration) =>
    members.filter((member) => isThere(member, month) && member.links.some((link) => link.hr_integration_id === id))
      .length;
  return [
    ...ticketHolders.map((member) => ticketCharge(member, month, billedAt)),
    fee('service-charge', fees.perTicket * ticketHolders.length),
    ...billable.map((one) => fee('hr-integration-charge', fees.perLinkedEmployee * linkedBy(one), one)),
    fee('hr-payroll-integration-charge', fees.payrollIntegration),
    fee('api-charge', fees.api),
  ].filter((item) => item.gross_cents > 0);
}
