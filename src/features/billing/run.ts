import { type RawBuilder, sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { FeeType, IntegrationType, PlanType } from '../../domain/enums.ts';
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
import { loadPrices, loadPricesOf } from './prices.ts';
import {
  chargeFees,
  chargeTicket,
  type FeePrice,
  type FeeQuantity,
  priceOn,
  type TicketPrice,
  usedMonth,
} from './rules/charges.ts';
import { feeTaxCategory } from './rules/tax.ts';

interface Period {
  companyId: CompanyId;
  /** The first day of the month. */
  month: Day;
  now: Temporal.Instant;
}

/** Tickets that are charged together. */
interface DueTickets {
  companyId: CompanyId;
  /** The month of the tickets, whose price applies. */
  month: Day;
  /** The period in which they are charged. */
  period: Day;
  /** Absent: all tickets of the month. */
  employeeIds?: readonly number[];
  now: Temporal.Instant;
}

/** Returns what each plan in use costs this month. There are few plans, even with many employees. */
async function chargesByPlan(tx: Tx, { companyId, month }: DueTickets, prices: TicketPrice[]) {
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
 * Inserts one charge per ticket that was not billed before, with a snapshot of its employee as of now. Returns the new ones.
 * Requires the company lock; the unique key refuses a second charge. What was billed is looked up first: `on conflict`
 * would write a record more for each of the others, and without `offset` a plan for an empty table would read all
 * charges of the month for each ticket. The rows are selected before they are inserted: on a Citus cluster, an insert
 * cannot select from a join of tables that are each restricted to the company.
 */
async function billTickets(tx: Tx, due: DueTickets, prices: TicketPrice[]): Promise<AddedCharges> {
  const { companyId, employeeIds, now } = due;
  const [month, period] = [due.month.toString(), due.period.toString()];
  const some = employeeIds === undefined ? sql`` : sql`and t.employee_id = any(${employeeIds}::bigint[])`;
  const charges = await chargesByPlan(tx, due, prices);
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
      where ${ofCompany(companyId, 't')} and t.month = ${month}::date ${some}
        and not exists (select from billing_items b where ${ofCompany(companyId, 'b')} and b.employee_id = t.employee_id
          and coalesce(b.ticket_month, b.period) = ${month}::date and b.charge_type = 'ticket-charge' and b.corrects_id is null
          offset 0)
      order by t.employee_id
    ), charged as (
      insert into billing_items (company_id, period, charge_type, net_cents, tax_cents, gross_cents, employee_id,
        first_name, last_name, email, hr_id, plan_type, company_share_cents, employee_share_cents, billed_at, ticket_month)
      select ${companyId}, ${period}::date, 'ticket-charge', d."netCents", d."taxCents", d."grossCents", d.employee_id,
        d.first_name, d.last_name, d.email, d.hr_id, d.plan_type, d."companyShareCents", d."employeeShareCents",
        ${now.toString()}::timestamptz, ${employeeIds === undefined ? null : month}::date
      from due d
    ), kept as (
      insert into billing_totals as b (company_id, period, charge_type, items, net_cents, tax_cents, gross_cents)
      select ${companyId}, ${period}::date, 'ticket-charge', count(*), sum(d."netCents"), sum(d."taxCents"),
        sum(d."grossCents")
      from due d having count(*) > 0
      on conflict (company_id, period, charge_type) do update set
        items = b.items + excluded.items, net_cents = b.net_cents + excluded.net_cents,
        tax_cents = b.tax_cents + excluded.tax_cents, gross_cents = b.gross_cents + excluded.gross_cents
    )
    select count(*) as items, coalesce(sum(d."grossCents"), 0)::bigint as "overallCents" from due d`.execute(tx);
  return { ...none, ...rows[0] };
}

/** Selects which integration is charged for each linked employee: of those that pull, the enabled one that linked them first. */
const chargedLinks = (companyId: CompanyId) => sql`
  select distinct on (l.employee_id) l.employee_id, i.id from hr_integrations i
  join hr_links l on ${ofCompany(companyId, 'l')} and l.hr_integration_id = i.id
  join employees e on ${ofCompany(companyId, 'e')} and e.id = l.employee_id and e.removed_at is null
  where ${ofCompany(companyId, 'i')} and i.status <> 'inactive' and i.type = ${'hr-integration' satisfies IntegrationType}`;

/** Returns which integration is charged for each of these employees. Others are missing. */
export async function findLinksOf(
  db: Db | Tx,
  companyId: CompanyId,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ employeeId: number; id: number }>`
    select f.employee_id as "employeeId", f.id from (
      ${chargedLinks(companyId)} and l.employee_id = any(${ids}::bigint[]) order by l.employee_id, l.id
    ) f`.execute(db);
  return new Map(rows.map(({ employeeId, id }) => [employeeId, id]));
}

/** Counts the employees that pulling integrations link. An employee counts once, for the enabled one that linked them first. */
export async function countLinks(db: Db | Tx, companyId: CompanyId): Promise<FeeQuantity[]> {
  const { rows } = await sql<{ id: number; employees: number }>`
    select f.id, count(*) as employees from (${chargedLinks(companyId)} order by l.employee_id, l.id) f
    group by f.id order by f.id`.execute(db);
  return rows.map(({ id, employees }) => ({
    chargeType: 'hr-integration-charge',
    quantity: employees,
    hrIntegrationId: id,
  }));
}

/**
 * Returns which fees that follow use are charged in a month: a month is billed on its first day, so they are charged for the
 * month before. Calls of the API count by real time, in the hours of the log of requests.
 */
export async function countUse(db: Db | Tx, companyId: CompanyId, month: Day): Promise<FeeQuantity[]> {
  const startOf = (day: Day) => sql`(${day.toString()}::date::timestamp at time zone c.time_zone)`;
  const [from, until] = [startOf(usedMonth('api-charge', month)), startOf(month)];
  const { rows } = await sql<{ api: boolean; payroll: boolean }>`
    select exists (select from api_key_usage u where ${ofCompany(companyId, 'u')}
        and u.hour >= ${from} and u.hour < ${until}) as api,
      exists (select from payroll_files f where ${ofCompany(companyId, 'f')}
        and f.exported_at >= ${from} and f.exported_at < ${until}) as payroll
    from companies c where c.id = ${companyId}`.execute(db);
  const company = (chargeType: FeeType, isUsed = false) => ({
    ...{ chargeType, quantity: isUsed ? 1 : 0, hrIntegrationId: null },
  });
  return [company('hr-payroll-integration-charge', rows[0]?.payroll), company('api-charge', rows[0]?.api)];
}

/** Returns what the fees of a month are charged for, if it has so many tickets. */
export async function countQuantities(
  db: Db | Tx,
  companyId: CompanyId,
  { tickets, month }: { tickets: number; month: Day },
): Promise<FeeQuantity[]> {
  const service: FeeQuantity = { chargeType: 'service-charge', quantity: tickets, hrIntegrationId: null };
  return [service, ...(await countLinks(db, companyId)), ...(await countUse(db, companyId, month))];
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
  const { month, companyId } = period;
  const counted = await countQuantities(tx, companyId, { tickets: rows[0]?.tickets ?? 0, month });
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
      quantity: fee.quantity,
      used_period: usedMonth(fee.chargeType, period.month).toString(),
      billed_at: period.now.toString(),
    }),
  );
  return insertBillingItems(tx, period.companyId, items);
}

/** Bills what is due for a month and not billed yet. Requires the company lock. Returns the number of new items. */
export async function billPeriod(tx: Tx, period: Period): Promise<number> {
  const prices = await loadPricesOf(tx, period.companyId);
  const tickets = await billTickets(tx, { ...period, period: period.month }, prices.tickets);
  const added = [tickets, ...(await billFees(tx, period, prices.fees))];
  appendBillingItems(tx, period.companyId, { period: period.month.toString(), added, now: period.now });
  return countItems(added);
}

/**
 * Bills tickets that were issued after the first of their month: each once, in the period of its month while that lasts,
 * else in the current one. They bear no fee per ticket. Requires the company lock. Returns the number of new items.
 */
export async function billLateTickets(tx: Tx, due: DueTickets & { employeeIds: readonly number[] }): Promise<number> {
  const { tickets } = await loadPrices(tx);
  const added = [await billTickets(tx, due, tickets)];
  appendBillingItems(tx, due.companyId, { period: due.period.toString(), added, now: due.now });
  return countItems(added);
}
