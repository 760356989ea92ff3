import { type RawBuilder, sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import { type FeeType, feeTypes, type PlanType } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { findSettings } from '../companies/change-settings.ts';
import {
  type AddedCharges,
  appendBillingItems,
  countItems,
  insertBillingItems,
  type NewBillingItem,
} from './insert.ts';
import { loadPrices } from './prices.ts';
import {
  chargeFees,
  chargeTicket,
  type FeePrice,
  type FeeQuantity,
  priceOn,
  type TicketPrice,
} from './rules/charges.ts';
import { feeTaxCategory } from './rules/tax.ts';

interface Period {
  companyId: CompanyId;
  /** The first day of the month. */
  month: Day;
  now: Temporal.Instant;
}

/** Returns what each plan in use costs this month. There are few plans, even with many employees. */
async function chargesByPlan(tx: Tx, { companyId, month }: Period, prices: TicketPrice[]) {
  const { rows } = await sql<{ plan_type: PlanType; contribution_cents: number | null }>`
    select distinct t.plan_type, t.contribution_cents from tickets t
    where ${ofCompany(companyId, 't')} and t.month = ${month.toString()}::date`.execute(tx);
  const price = priceOn(prices, month);
  if (rows.length === 0) return [];
  if (price === undefined) throw new Error(`No ticket price holds on ${month}, but tickets were issued.`);
  return rows.map(({ plan_type: planType, contribution_cents: contributionCents }) => ({
    planType,
    contributionCents,
    ...chargeTicket(price, { planType, contributionCents }),
  }));
}

/**
 * Orders the HR ids of an employee, link `l` of integration `i`: those of a current roster first, then those entered
 * manually, then those of an integration that is disabled or no longer contains them. Of several, the oldest is first.
 */
export const linkOrder = sql`l.is_current and i.status <> 'inactive' desc nulls last, l.hr_integration_id is not null, l.id`;

/** Selects the HR id under which an employee with several is billed. */
const billedLink = (companyId: CompanyId, employeeId: RawBuilder<unknown>) => sql`
  select l.hr_id from hr_links l
  left join hr_integrations i on ${ofCompany(companyId, 'i')} and i.id = l.hr_integration_id
  where ${ofCompany(companyId, 'l')} and l.employee_id = ${employeeId}
  order by ${linkOrder} limit 1`;

/**
 * Inserts one charge per ticket, with a snapshot of its employee as of now. Returns the new ones. The unique key
 * skips a ticket that was billed before. The rows are selected before they are inserted: on a Citus cluster, an insert
 * cannot select from a join of tables that are each restricted to the company.
 */
async function billTickets(tx: Tx, period: Period, prices: TicketPrice[]): Promise<AddedCharges> {
  const { companyId, now } = period;
  const month = period.month.toString();
  const charges = await chargesByPlan(tx, period, prices);
  const none: AddedCharges = { chargeType: 'ticket-charge', items: 0, overallCents: 0 };
  if (charges.length === 0) return none;
  const { rows } = await sql<Pick<AddedCharges, 'items' | 'overallCents'>>`
    with due as materialized (
      select c."netCents", c."taxCents", c."grossCents", t.employee_id, e.first_name, e.last_name, e.email, l.hr_id,
        t.plan_type, c."companyShareCents", c."employeeShareCents"
      from tickets t
      join json_to_recordset(${JSON.stringify(charges)}::json) as c("planType" text, "contributionCents" integer,
        "netCents" bigint, "taxCents" bigint, "grossCents" bigint, "companyShareCents" bigint, "employeeShareCents" bigint)
        on c."planType" = t.plan_type and coalesce(c."contributionCents", -1) = coalesce(t.contribution_cents, -1)
      join employees e on ${ofCompany(companyId, 'e')} and e.id = t.employee_id
      left join lateral (${billedLink(companyId, sql`t.employee_id`)}) l on true
      where ${ofCompany(companyId, 't')} and t.month = ${month}::date
    ), charged as (
      insert into billing_items (company_id, period, charge_type, net_cents, tax_cents, gross_cents, employee_id,
        first_name, last_name, email, hr_id, plan_type, company_share_cents, employee_share_cents, billed_at)
      select ${companyId}, ${month}::date, 'ticket-charge', d."netCents", d."taxCents", d."grossCents", d.employee_id,
        d.first_name, d.last_name, d.email, d.hr_id, d.plan_type, d."companyShareCents", d."employeeShareCents",
        ${now.toString()}::timestamptz
      from due d order by d.employee_id
      on conflict do nothing
      returning net_cents, tax_cents, gross_cents
    ), kept as (
      insert into billing_totals as b (company_id, period, charge_type, items, net_cents, tax_cents, gross_cents)
      select ${companyId}, ${month}::date, 'ticket-charge', count(*), sum(net_cents), sum(tax_cents), sum(gross_cents)
      from charged having count(*) > 0
      on conflict (company_id, period, charge_type) do update set
        items = b.items + excluded.items, net_cents = b.net_cents + excluded.net_cents,
        tax_cents = b.tax_cents + excluded.tax_cents, gross_cents = b.gross_cents + excluded.gross_cents
    )
    select count(*) as items, coalesce(sum(gross_cents), 0)::bigint as "overallCents" from charged`.execute(tx);
  return { ...none, ...rows[0] };
}

/**
 * Returns what fees are charged for, if a month has so many tickets. An employee counts once, for the enabled integration
 * that linked them first.
 */
export async function countQuantities(db: Db | Tx, companyId: CompanyId, tickets: number): Promise<FeeQuantity[]> {
  const { rows: linked } = await sql<{ id: number; employees: number }>`
    select f.id, count(*) as employees from (
      select distinct on (l.employee_id) i.id from hr_integrations i
      join hr_links l on ${ofCompany(companyId, 'l')} and l.hr_integration_id = i.id
      join employees e on ${ofCompany(companyId, 'e')} and e.id = l.employee_id and e.removed_at is null
      where ${ofCompany(companyId, 'i')} and i.status <> 'inactive' order by l.employee_id, l.id
    ) f group by f.id order by f.id`.execute(db);
  const company = (chargeType: FeeType, quantity: number) => ({ chargeType, quantity, hrIntegrationId: null });
  const used: Record<FeeType, FeeQuantity[]> = {
    'service-charge': [company('service-charge', tickets)],
    'hr-integration-charge': linked.map(({ id, employees }) => ({
      chargeType: 'hr-integration-charge',
      quantity: employees,
      hrIntegrationId: id,
    })),
    'hr-payroll-integration-charge': [company('hr-payroll-integration-charge', 1)],
    'api-charge': [company('api-charge', 1)],
  };
  return feeTypes.flatMap((chargeType) => used[chargeType]);
}

async function loadQuantities(tx: Db | Tx, { companyId, month }: Omit<Period, 'now'>): Promise<FeeQuantity[]> {
  const { rows } = await sql<FeeQuantity>`
    select q.charge_type as "chargeType", q.quantity, q.hr_integration_id as "hrIntegrationId" from billing_quantities q
    where ${ofCompany(companyId, 'q')} and q.period = ${month.toString()}::date order by q.id`.execute(tx);
  return rows;
}

/** Returns what the latest billing counted. Empty before the first one. */
export async function loadLatestQuantities(db: Db | Tx, companyId: CompanyId): Promise<FeeQuantity[]> {
  const { rows } = await sql<{ period: string | null }>`
    select max(q.period) as period from billing_quantities q where ${ofCompany(companyId, 'q')}`.execute(db);
  const period = rows[0]?.period;
  return period ? loadQuantities(db, { companyId, month: Temporal.PlainDate.from(period) }) : [];
}

/** Returns what the first run of the period counted. Later changes belong to the next period. */
async function keepQuantities(tx: Tx, period: Period): Promise<FeeQuantity[]> {
  const kept = await loadQuantities(tx, period);
  if (kept.length > 0) return kept;
  const { rows } = await sql<{ tickets: number }>`
    select count(*) as tickets from tickets t
    where ${ofCompany(period.companyId, 't')} and t.month = ${period.month.toString()}::date`.execute(tx);
  const counted = await countQuantities(tx, period.companyId, rows[0]?.tickets ?? 0);
  await tx
    .insertInto('billing_quantities')
    .values(
      counted.map(({ chargeType, quantity, hrIntegrationId }) => ({
        company_id: period.companyId,
        period: period.month.toString(),
        charge_type: chargeType,
        hr_integration_id: hrIntegrationId,
        quantity,
      })),
    )
    .execute();
  return counted;
}

/** If it is unknown how the company is taxed, fees bear the domestic tax until an invoice can be issued (retax.ts). */
async function billFees(tx: Tx, period: Period, fees: FeePrice[]): Promise<AddedCharges[]> {
  const buyer = await findSettings(tx, period.companyId);
  const category = buyer && feeTaxCategory(buyer);
  const charged = chargeFees(await keepQuantities(tx, period), { fees, month: period.month, category });
  const items = charged.map(
    (fee): NewBillingItem => ({
      period: period.month.toString(),
      charge_type: fee.chargeType,
      net_cents: fee.netCents,
      tax_cents: fee.taxCents,
      gross_cents: fee.grossCents,
      hr_integration_id: fee.hrIntegrationId,
      billed_at: period.now.toString(),
    }),
  );
  return insertBillingItems(tx, period.companyId, items);
}

/** Bills what is due for a month and not billed yet. Requires the company lock. Returns the number of new items. */
export async function billPeriod(tx: Tx, period: Period): Promise<number> {
  const prices = await loadPrices(tx);
  const tickets = await billTickets(tx, period, prices.tickets);
  const added = [tickets, ...(await billFees(tx, period, prices.fees))];
  appendBillingItems(tx, period.companyId, { period: period.month.toString(), added, now: period.now });
  return countItems(added);
}
