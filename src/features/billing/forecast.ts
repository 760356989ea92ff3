import { sql } from 'kysely';
import { type Day, firstOfNextMonth, isSameDay } from '../../domain/calendar.ts';
import type { Plan } from '../../domain/subscription/subscription.ts';
import { nextTicketSeenOn } from '../../domain/subscription/tickets.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { findSettings } from '../companies/change-settings.ts';
import { loadPricesOf } from './prices.ts';
import type { FeeQuantity } from './rules/charges.ts';
import { forecastMonth, type MonthCosts } from './rules/forecast.ts';
import { feeTaxCategory } from './rules/tax.ts';
import { countQuantities, countUse, loadLatestQuantities } from './run.ts';

/**
 * Returns how many tickets of each plan the next month has, by what is known today. Employees share few next-ticket days
 * and plans, so this counts them in an index and applies the rule once per day.
 */
async function countPlannedTickets(db: Db, companyId: CompanyId, today: Day): Promise<(Plan & { tickets: number })[]> {
  const { rows } = await sql<Plan & { nextTicketOn: string; tickets: number }>`
    select e.next_ticket_on as "nextTicketOn", e.plan_type as "planType", e.contribution_cents as "contributionCents",
      count(*) as tickets
    from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null and e.next_ticket_on is not null
    group by e.next_ticket_on, e.plan_type, e.contribution_cents`.execute(db);
  const month = firstOfNextMonth(today);
  return rows.filter(({ nextTicketOn }) =>
    isSameDay(nextTicketSeenOn(Temporal.PlainDate.from(nextTicketOn), today), month),
  );
}

/** Counting the linked employees of a larger company takes too long: 0.3 s for 100,000. */
const mostCounted = 10_000;

/**
 * Returns what the fees of a coming month are charged for. For a large company, as many employees are linked as when it
 * was billed last.
 */
async function planQuantities(
  db: Db,
  companyId: CompanyId,
  coming: { tickets: number; month: Day },
): Promise<FeeQuantity[]> {
  const { rows } = await sql<{ employees: number }>`
    select coalesce(sum(c.employees), 0)::bigint as employees from employee_counts c
    where ${ofCompany(companyId, 'c')}`.execute(db);
  const latest = (rows[0]?.employees ?? 0) > mostCounted ? await loadLatestQuantities(db, companyId) : [];
  if (latest.length === 0) return countQuantities(db, companyId, coming);
  const counted = latest.filter(({ chargeType }) => chargeType === 'hr-integration-charge');
  const service: FeeQuantity = { chargeType: 'service-charge', quantity: coming.tickets, hrIntegrationId: null };
  return [service, ...counted, ...(await countUse(db, companyId, coming.month))];
}

/** Returns what the next month costs by what is known today, with the prices of that month. */
export async function forecastNextMonth(db: Db, companyId: CompanyId, today: Day): Promise<MonthCosts> {
  const tickets = await countPlannedTickets(db, companyId, today);
  const issued = tickets.reduce((sum, plan) => sum + plan.tickets, 0);
  const buyer = await findSettings(db, companyId);
  const month = firstOfNextMonth(today);
  const planned = {
    month,
    tickets,
    quantities: await planQuantities(db, companyId, { tickets: issued, month }),
    category: buyer && feeTaxCategory(buyer),
  };
  return forecastMonth(planned, await loadPricesOf(db, companyId));
}
