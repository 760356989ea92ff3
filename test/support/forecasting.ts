import type { Forecast } from '../../src/features/forecast/contract.ts';
import type { TestCompany } from './daily-run.ts';

/** Returns what a month has cost, as a forecast says it. */
export async function costsBilled(company: TestCompany, period: string) {
  const items = await company.items(period);
  const sum = (of: (item: (typeof items)[number]) => number) => items.reduce((total, item) => total + of(item), 0);
  const isTicket = ({ charge }: (typeof items)[number]) => charge.type === 'ticket-charge';
  return [
    period,
    items.filter(isTicket).length,
    sum(({ charge }) => charge.plan?.companyAmount.value ?? 0),
    sum(({ charge }) => charge.plan?.employeeAmount.value ?? 0),
    sum((item) => (isTicket(item) ? item.billing.overall.value : 0)),
    sum((item) => (isTicket(item) ? 0 : item.billing.total.value)),
    sum((item) => (isTicket(item) ? 0 : item.billing.tax.value)),
    sum((item) => item.billing.overall.value),
  ];
}

export const costsForecast = (months: Forecast['asPlanned']) =>
  months.map(({ period, tickets, ticketCharges, fees, overall }) => [
    ...[period, tickets, ticketCharges.company.value, ticketCharges.employee.value, ticketCharges.overall.value],
    ...[fees.total.value, fees.tax.value, overall.value],
  ]);
