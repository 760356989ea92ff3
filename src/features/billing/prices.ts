import { sql } from 'kysely';
import { type Day, firstOfNextMonth, isBefore, isDue } from '../../domain/calendar.ts';
import type { FeeType, IntegrationType } from '../../domain/enums.ts';
import type { Plan } from '../../domain/subscription/subscription.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { findSettings } from '../companies/change-settings.ts';
import { describeLists, findList, loadAssignments, loadListFees, setListFee } from '../companies/price-lists.ts';
import { type FeePrice, feeOn, hasDiscount, priceOn, type TicketPrice } from './rules/charges.ts';
import type { EffectPrices } from './rules/effects.ts';
import { resolveFees } from './rules/price-lists.ts';
import { feeTaxCategory, taxPercentOf } from './rules/tax.ts';

/** Prices by the day from which they apply. Those of the operator belong to no company. */
export interface Prices {
  tickets: TicketPrice[];
  fees: FeePrice[];
}

interface PriceRows {
  tickets: (Omit<TicketPrice, 'validFrom'> & { from: string })[];
  fees: (Omit<FeePrice, 'validFrom'> & { from: string })[];
}

export async function loadPrices(db: Db): Promise<Prices> {
  const { rows } = await sql<PriceRows>`
    select (
      select coalesce(json_agg(json_build_object('from', p.valid_from, 'listCents', p.list_cents,
        'taxPercent', p.tax_percent, 'discountPercent', p.discount_percent,
        'discountSharePercent', p.discount_share_percent) order by p.valid_from), '[]') from ticket_prices p
    ) as tickets, (
      select coalesce(json_agg(json_build_object('from', p.valid_from, 'chargeType', p.charge_type,
        'netCents', p.net_cents, 'taxPercent', p.tax_percent) order by p.charge_type, p.valid_from), '[]')
      from fee_prices p
    ) as fees`.execute(db);
  const { tickets, fees } = rows[0] ?? { tickets: [], fees: [] };
  return {
    tickets: tickets.map(({ from, ...price }) => ({ validFrom: Temporal.PlainDate.from(from), ...price })),
    fees: fees.map(({ from, ...price }) => ({ validFrom: Temporal.PlainDate.from(from), ...price })),
  };
}

/** Returns the prices of a company: its fees are those of its price list of each day. */
export async function loadPricesOf(db: Db, companyId: CompanyId): Promise<Prices> {
  const { tickets, fees } = await loadPrices(db);
  const assignments = await loadAssignments(db, companyId);
  const lists = assignments.flatMap(({ priceList }) => priceList ?? []);
  if (lists.length === 0) return { tickets, fees };
  return { tickets, fees: resolveFees(fees, await loadListFees(db, lists), assignments) };
}

/** Returns the standard prices, and the lists with the fees that differ. */
export const listPrices = async ({ tx }: { tx: Tx }) => ({ ...(await loadPrices(tx)), lists: await describeLists(tx) });

async function isPulling(db: Db, companyId: CompanyId, hrIntegrationId: number): Promise<boolean> {
  const row = await db
    .selectFrom('hr_integrations as i')
    .select('i.type')
    .where(ofCompany(companyId, 'i'))
    .where('i.id', '=', hrIntegrationId)
    .executeTakeFirst();
  return row?.type === ('hr-integration' satisfies IntegrationType);
}

/**
 * Returns what a change costs the company from the next month on, with fees taxed as on its invoice. `hrIntegrationId`: the
 * integration that links or unlinks employees. Only links of one that pulls cost the fee.
 */
export async function loadEffectPrices(
  db: Db,
  companyId: CompanyId,
  { today, hrIntegrationId = null }: { today: Day; hrIntegrationId?: number | null },
): Promise<EffectPrices> {
  const month = firstOfNextMonth(today);
  const { tickets, fees } = await loadPricesOf(db, companyId);
  const buyer = await findSettings(db, companyId);
  const category = buyer && feeTaxCategory(buyer);
  const fee = (chargeType: FeeType) => {
    const price = feeOn(fees, chargeType, month);
    return price && { ...price, taxPercent: taxPercentOf(category, price.taxPercent) };
  };
  const costsLinks = hrIntegrationId !== null && (await isPulling(db, companyId, hrIntegrationId));
  const perLink = costsLinks ? fee('hr-integration-charge') : undefined;
  return { ticket: priceOn(tickets, month), perTicket: fee('service-charge'), perLink };
}

async function setTicketPrice(tx: Tx, price: TicketPrice): Promise<void> {
  const { validFrom, listCents, taxPercent, discountPercent, discountSharePercent } = price;
  await sql`
    insert into ticket_prices (valid_from, list_cents, tax_percent, discount_percent, discount_share_percent)
    values (${validFrom.toString()}::date, ${listCents}, ${taxPercent}, ${discountPercent}, ${discountSharePercent})
    on conflict (valid_from) do update set list_cents = excluded.list_cents, tax_percent = excluded.tax_percent,
      discount_percent = excluded.discount_percent, discount_share_percent = excluded.discount_share_percent`.execute(
    tx,
  );
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
  list: string | undefined;
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

/** Throws if a month is billed already, or if there is no earlier price. */
async function assertNotBilled(tx: Tx, validFrom: Day, known: readonly { validFrom: Day }[]): Promise<void> {
  const billed = await tx
    .selectFrom('billing_quantities')
    .select('period')
    .where('period', '>=', validFrom.toString())
    .orderBy('period', 'desc')
    .executeTakeFirst();
  if (billed !== undefined) {
    throw new OperatorError(`Periods up to ${billed.period} are billed: choose a later month.`);
  }
  if (priceOn(known, validFrom) === undefined) {
    throw new OperatorError(`The first price applies from ${known[0]?.validFrom}: choose a later month.`);
  }
}

type TicketTerms = Partial<Omit<TicketPrice, 'validFrom'>>;

/** Sets what differs from the price before, and names the companies that lose or gain the discount. */
async function changeTicketPrice(tx: Tx, tickets: readonly TicketPrice[], validFrom: Day, terms: TicketTerms) {
  const before = priceOn(tickets, validFrom) as TicketPrice;
  const after = { ...before, ...terms, validFrom };
  await setTicketPrice(tx, after);
  return compareDiscounts(await listPlans(tx), before, after);
}

/** Sets a price from a month on that is not billed yet. */
export async function setPrice({ tx }: { tx: Tx }, { charge, from: validFrom, cents, force, list }: PriceInput) {
  const priceList = list === undefined ? null : await findList(tx, list);
  if (priceList !== null && charge === 'ticket-charge') {
    throw new OperatorError('All companies pay the same for tickets: a price list has fees only. Leave --list out.');
  }
  if (cents === 0 && force !== true) {
    throw new OperatorError(
      `A price of 0 makes every ${charge} free from ${validFrom} on. If you mean that, repeat the command with --force.`,
    );
  }
  const { tickets, fees } = await loadPrices(tx);
  await assertNotBilled(
    tx,
    validFrom,
    charge === 'ticket-charge' ? tickets : fees.filter((fee) => fee.chargeType === charge),
  );
  const price = { charge, from: validFrom.toString(), cents };
  if (charge === 'ticket-charge') {
    return { ...price, ...(await changeTicketPrice(tx, tickets, validFrom, { listCents: cents })) };
  }
  if (priceList === null) await setFeePrice(tx, charge, validFrom, cents);
  else await setListFee(tx, { priceList, chargeType: charge, validFrom, netCents: cents });
  return priceList === null ? price : { ...price, list: priceList };
}

interface TicketPriceInput {
  from: Day;
  gross: number;
  vat: number | undefined;
  discount: number | undefined;
  discountShare: number | undefined;
}

/** Adds a ticket price from a month on that is not billed yet. VAT and discount stay those of the price before unless given. */
export async function addTicketPrice(
  { tx }: { tx: Tx },
  { from, gross, vat, discount, discountShare }: TicketPriceInput,
) {
  if (gross === 0) {
    throw new OperatorError('A ticket price of 0 is set by "price set --charge ticket-charge --cents 0 --force".');
  }
  const { tickets } = await loadPrices(tx);
  await assertNotBilled(tx, from, tickets);
  const discounts = await changeTicketPrice(tx, tickets, from, {
    listCents: gross,
    ...(vat === undefined ? {} : { taxPercent: vat }),
    ...(discount === undefined ? {} : { discountPercent: discount }),
    ...(discountShare === undefined ? {} : { discountSharePercent: discountShare }),
  });
  const added = priceOn((await loadPrices(tx)).tickets, from);
  return { ...added, ...discounts };
}

/** How many months before it applies companies are reminded of a new price. */
const announcedMonths = 3;

/** Returns the next ticket price, if it applies within the coming months. */
export async function findComingPrice(db: Db, today: Day): Promise<TicketPrice | undefined> {
  const { tickets } = await loadPrices(db);
  const latest = today.add({ months: announcedMonths });
  return tickets.find(({ validFrom }) => isBefore(today, validFrom) && isDue(validFrom, latest));
}
