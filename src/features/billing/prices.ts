import { sql } from 'kysely';
import { type Day, firstOfNextMonth } from '../../domain/calendar.ts';
import type { FeeType } from '../../domain/enums.ts';
import type { Plan } from '../../domain/subscription/subscription.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { findSettings } from '../companies/change-settings.ts';
import { type FeePrice, feeOn, hasDiscount, priceOn, type TicketPrice } from './rules/charges.ts';
import type { EffectPrices } from './rules/effects.ts';
import { feeTaxCategory, taxPercentOf } from './rules/tax.ts';

/** The operator's price list. It belongs to no company: the same list applies to all. */
export interface Prices {
  tickets: TicketPrice[];
  fees: FeePrice[];
}

export async function loadPrices(db: Db): Promise<Prices> {
  const tickets = await sql<Omit<TicketPrice, 'validFrom'> & { from: string }>`
    select p.valid_from as from, p.list_cents as "listCents", p.tax_percent as "taxPercent",
      p.discount_percent as "discountPercent", p.discount_share_percent as "discountSharePercent"
    from ticket_prices p order by p.valid_from`.execute(db);
  const fees = await sql<Omit<FeePrice, 'validFrom'> & { from: string }>`
    select p.valid_from as from, p.charge_type as "chargeType", p.net_cents as "netCents", p.tax_percent as "taxPercent"
    from fee_prices p order by p.charge_type, p.valid_from`.execute(db);
  return {
    tickets: tickets.rows.map(({ from, ...price }) => ({ validFrom: Temporal.PlainDate.from(from), ...price })),
    fees: fees.rows.map(({ chargeType, from, ...price }) => ({
      chargeType,
      validFrom: Temporal.PlainDate.from(from),
      ...price,
    })),
  };
}

/** Returns what a change costs the company from the next month on, with fees taxed as on its invoice. */
export async function loadEffectPrices(db: Db, companyId: CompanyId, today: Day): Promise<EffectPrices> {
  const month = firstOfNextMonth(today);
  const { tickets, fees } = await loadPrices(db);
  const buyer = await findSettings(db, companyId);
  const category = buyer && feeTaxCategory(buyer);
  const fee = (chargeType: FeeType) => {
    const price = feeOn(fees, chargeType, month);
    return price && { ...price, taxPercent: taxPercentOf(category, price.taxPercent) };
  };
  return { ticket: priceOn(tickets, month), perTicket: fee('service-charge'), perLink: fee('hr-integration-charge') };
}

/** Sets the price from a day on. Tax and discount stay those of the previous price. */
async function setTicketPrice(tx: Tx, validFrom: Day, listCents: number): Promise<void> {
  await sql`
    insert into ticket_prices (valid_from, list_cents, tax_percent, discount_percent, discount_share_percent)
    select ${validFrom.toString()}::date, ${listCents}, p.tax_percent, p.discount_percent, p.discount_share_percent
    from ticket_prices p where p.valid_from <= ${validFrom.toString()}::date order by p.valid_from desc limit 1
    on conflict (valid_from) do update set list_cents = excluded.list_cents`.execute(tx);
}

async function setFeePrice(tx: Tx, chargeType: FeeType, validFrom: Day, netCents: number): Promise<void> {
  await sql`
    insert into fee_prices (charge_type, valid_from, net_cents, tax_percent)
    select p.charge_type, ${validFrom.toString()}::date, ${netCents}, p.tax_percent from fee_prices p
    where p.charge_type = ${chargeType} and p.valid_from <= ${validFrom.toString()}::date
    order by p.valid_from desc limit 1
    on conflict (charge_type, valid_from) do update set net_cents = excluded.net_cents`.execute(tx);
}

interface PriceInput {
  charge: 'ticket-charge' | FeeType;
  from: Day;
  cents: number;
  force: boolean | undefined;
}

interface PlanRow extends Plan {
  company: number;
  name: string;
}

/** Returns the plans by which companies pay for tickets: those of their subscriptions, and the one of new ones. */
async function listPlans(tx: Tx): Promise<PlanRow[]> {
  const { rows } = await sql<PlanRow>`
    select c.id as company, c.name, c.plan_type as "planType", c.contribution_cents as "contributionCents" from companies c
    union
    select c.id, c.name, e.plan_type, e.contribution_cents from companies c join employees e on e.company_id = c.id
    where e.removed_at is null and e.subscription_status not in ('no-subscription', 'cancelled')
    order by company`.execute(tx);
  return rows;
}

/** Returns the companies of which a part of the tickets loses or gains the discount by a new price. */
function compareDiscounts(plans: readonly PlanRow[], before: TicketPrice, after: TicketPrice) {
  const changed = (had: boolean, has: boolean) => {
    const some = plans.filter((plan) => hasDiscount(before, plan) === had && hasDiscount(after, plan) === has);
    return [...new Map(some.map(({ company, name }) => [company, { company, name }])).values()];
  };
  return { discountLost: changed(true, false), discountGained: changed(false, true) };
}

/** Sets a price from a month on that is not billed yet. */
export async function setPrice({ tx }: { tx: Tx }, { charge, from: validFrom, cents, force }: PriceInput) {
  if (cents === 0 && force !== true) {
    throw new OperatorError(
      `A price of 0 makes every ${charge} free from ${validFrom} on. If you mean that, repeat the command with --force.`,
    );
  }
  const billed = await tx
    .selectFrom('billing_quantities')
    .select('period')
    .where('period', '>=', validFrom.toString())
    .orderBy('period', 'desc')
    .executeTakeFirst();
  if (billed !== undefined) {
    throw new OperatorError(`Periods up to ${billed.period} are billed: choose a later month.`);
  }
  const { tickets, fees } = await loadPrices(tx);
  const known: { validFrom: Day }[] =
    charge === 'ticket-charge' ? tickets : fees.filter((fee) => fee.chargeType === charge);
  if (priceOn(known, validFrom) === undefined) {
    throw new OperatorError(`The first price applies from ${known[0]?.validFrom}: choose a later month.`);
  }
  const price = { charge, from: validFrom.toString(), cents };
  if (charge !== 'ticket-charge') {
    await setFeePrice(tx, charge, validFrom, cents);
    return price;
  }
  const before = priceOn(tickets, validFrom) as TicketPrice;
  const discounts = compareDiscounts(await listPlans(tx), before, { ...before, listCents: cents });
  await setTicketPrice(tx, validFrom, cents);
  return { ...price, ...discounts };
}
