import { sql } from 'kysely';
import { loadPrices, type Prices } from '../billing/prices.ts';
import type { Company } from '../companies.ts';
import { findSettings } from '../company-settings.ts';
import { type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import { priceOn } from '../domain/billing/charges.ts';
import { type Day, firstOfMonth } from '../domain/calendar.ts';
import type { ChargeType, InvoiceKind } from '../domain/enums.ts';
import { type ChargedSum, composeInvoice, type InvoiceContent } from '../domain/invoices/invoice.ts';
import { type BuyerSettings, listMissingOfBuyer, type Seller } from '../domain/invoices/parties.ts';
import { findSeller } from '../seller.ts';

/** What an invoice cannot be issued without: the operator's data, or fields of the company's settings. */
export type MissingData = 'seller' | keyof BuyerSettings;

export interface DraftResult {
  /** How many invoices and credit notes were written. They have no number yet. */
  drafted: number;
  /** Why charges were not invoiced. Empty if all were, or if there were none. */
  missing: MissingData[];
}

const nothing: DraftResult = { drafted: 0, missing: [] };

interface ItemSum {
  chargeType: ChargeType;
  period: string;
  /** The month in which the charge was made that a correction reverses. */
  chargedPeriod: string;
  items: number;
  netCents: number;
  taxCents: number;
  grossCents: number;
  lastId: number;
}

const isOfKind = (kind: InvoiceKind) =>
  kind === 'invoice' ? sql`b.corrects_id is null` : sql`b.corrects_id is not null`;

/** Returns the last item that invoices, or credit notes, contain. */
async function findLastInvoiced(tx: Tx, companyId: CompanyId, kind: InvoiceKind): Promise<number> {
  const { rows: started } = await sql<{ id: number }>`select s.after_item_id as id from invoice_start s`.execute(tx);
  const { rows } = await sql<{ id: number | null }>`
    select max(i.through_item_id) as id from invoices i
    where ${ofCompany(companyId, 'i')} and i.kind = ${kind}`.execute(tx);
  return Math.max(started[0]?.id ?? 0, rows[0]?.id ?? 0);
}

/** Adds up the items that are on no invoice yet. They were added under the lock of the company, in the order of ids. */
async function sumItems(tx: Tx, companyId: CompanyId, kind: InvoiceKind): Promise<ItemSum[]> {
  const after = await findLastInvoiced(tx, companyId, kind);
  const { rows } = await sql<ItemSum>`
    select b.charge_type as "chargeType", b.period, coalesce(b.corrects_period, b.period) as "chargedPeriod",
      count(*) as items, sum(b.net_cents)::bigint as "netCents", sum(b.tax_cents)::bigint as "taxCents",
      sum(b.gross_cents)::bigint as "grossCents", max(b.id) as "lastId"
    from billing_items b where ${ofCompany(companyId, 'b')} and b.id > ${after} and ${isOfKind(kind)}
    group by 1, 2, 3 order by 2, 3, 1`.execute(tx);
  return rows;
}

type Quantities = Map<string, number>;

const keyOf = (chargeType: ChargeType, period: string) => `${chargeType} ${period}`;

/** Returns how much was charged of each fee in each month. */
async function loadQuantities(tx: Tx, companyId: CompanyId, periods: string[]): Promise<Quantities> {
  const { rows } = await sql<{ chargeType: ChargeType; period: string; quantity: number }>`
    select q.charge_type as "chargeType", q.period, sum(q.quantity)::bigint as quantity from billing_quantities q
    where ${ofCompany(companyId, 'q')} and q.period = any(${periods}::date[]) group by 1, 2`.execute(tx);
  return new Map(rows.map(({ chargeType, period, quantity }) => [keyOf(chargeType, period), quantity]));
}

/** Returns the tax rate at which an item was charged. The price list of a billed month never changes. */
function taxPercentOf({ tickets, fees }: Prices, { chargeType, chargedPeriod }: ItemSum): number {
  const known: { validFrom: Day; taxPercent: number }[] =
    chargeType === 'ticket-charge' ? tickets : fees.filter((fee) => fee.chargeType === chargeType);
  const price = priceOn(known, Temporal.PlainDate.from(chargedPeriod));
  if (price === undefined)
    throw new Error(`No price of ${chargeType} applies on ${chargedPeriod}, but it was charged.`);
  return price.taxPercent;
}

function chargedSum(sum: ItemSum, kind: InvoiceKind, prices: Prices, quantities: Quantities): ChargedSum {
  const sign = kind === 'invoice' ? 1 : -1;
  const { chargeType, items } = sum;
  return {
    chargeType,
    taxPercent: taxPercentOf(prices, sum),
    quantity: (kind === 'invoice' && quantities.get(keyOf(chargeType, sum.period))) || items,
    netCents: sign * sum.netCents,
    taxCents: sign * sum.taxCents,
    grossCents: sign * sum.grossCents,
  };
}

async function listInvoicedPeriods(tx: Tx, companyId: CompanyId, kind: InvoiceKind): Promise<Set<string>> {
  const { rows } = await sql<{ period: string }>`
    select i.period from invoices i where ${ofCompany(companyId, 'i')} and i.kind = ${kind}`.execute(tx);
  return new Set(rows.map(({ period }) => period));
}

/**
 * Assigns sums to the month whose invoice contains them: their own, or the present one if theirs has been invoiced.
 * Corrections always belong to the present one. Returns undefined if that has been invoiced too: they then wait for the
 * next month.
 */
function assignPeriods(sums: ItemSum[], kind: InvoiceKind, present: string, invoiced: Set<string>) {
  const periodOf = ({ period }: ItemSum) => (kind === 'credit-note' || invoiced.has(period) ? present : period);
  const groups = Map.groupBy(sums, periodOf);
  return [...groups.keys()].some((period) => invoiced.has(period)) ? undefined : groups;
}

interface DraftOptions {
  company: Company;
  /** The day of the daily run, which is the date of the invoice. */
  day: Day;
  now: Temporal.Instant;
}

interface Parties {
  seller: Seller;
  buyer: BuyerSettings;
}

async function insertDraft(
  tx: Tx,
  { company, now }: DraftOptions,
  content: InvoiceContent,
  throughItemId: number,
): Promise<void> {
  await tx
    .insertInto('invoices')
    .values({
      company_id: company.id,
      kind: content.kind,
      period: content.period,
      issued_on: content.issuedOn,
      due_on: content.dueOn,
      net_cents: content.netCents,
      tax_cents: content.taxCents,
      gross_cents: content.grossCents,
      content: JSON.stringify(content),
      through_item_id: throughItemId,
      created_at: now.toString(),
    })
    .execute();
}

/** Writes the invoices, or the credit note, of what is on none yet. Returns how many were written. */
async function draftKind(tx: Tx, options: DraftOptions, kind: InvoiceKind, { seller, buyer }: Parties) {
  const { company, day } = options;
  const sums = await sumItems(tx, company.id, kind);
  if (sums.length === 0) return 0;
  const invoiced = await listInvoicedPeriods(tx, company.id, kind);
  const groups = assignPeriods(sums, kind, firstOfMonth(day).toString(), invoiced);
  if (groups === undefined) return 0;
  const prices = await loadPrices(tx);
  const quantities = await loadQuantities(tx, company.id, [...new Set(sums.map(({ period }) => period))]);
  const throughItemId = Math.max(...sums.map(({ lastId }) => lastId));
  for (const [period, group] of groups) {
    const occasion = {
      kind,
      period: Temporal.PlainDate.from(period),
      issuedOn: day,
      corrects: kind === 'invoice' ? [] : [...new Set(group.map(({ chargedPeriod }) => chargedPeriod))],
    };
    const charged = group.map((sum) => chargedSum(sum, kind, prices, quantities));
    await insertDraft(tx, options, composeInvoice({ seller, buyer, company }, occasion, charged), throughItemId);
  }
  return groups.size;
}

async function hasUninvoicedItems(tx: Tx, companyId: CompanyId): Promise<boolean> {
  const after = await findLastInvoiced(tx, companyId, 'invoice');
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from billing_items b
      where ${ofCompany(companyId, 'b')} and b.id > ${after} and ${isOfKind('invoice')}) as has`.execute(tx);
  return rows[0]?.has ?? false;
}

/**
 * Writes an invoice for every billed month that has none, and on the first of a month, or if `billing run` asks for it, a
 * credit note for corrections. Requires the lock of the company. Writes nothing as long as data of the seller or the
 * buyer are missing: the months then wait until they are complete. The invoices get their numbers after the
 * transaction (src/invoices/issue.ts).
 */
export async function draftInvoices(
  tx: Tx,
  options: DraftOptions,
  { withCreditNotes }: { withCreditNotes: boolean },
): Promise<DraftResult> {
  const { id: companyId } = options.company;
  if (!withCreditNotes && !(await hasUninvoicedItems(tx, companyId))) return nothing;
  const seller = await findSeller(tx);
  const buyer = await findSettings(tx, companyId);
  if (buyer === undefined) return nothing;
  const missing: MissingData[] = [...(seller === undefined ? ['seller' as const] : []), ...listMissingOfBuyer(buyer)];
  if (seller === undefined || missing.length > 0) {
    return { drafted: 0, missing: (await hasUninvoicedItems(tx, companyId)) ? missing : [] };
  }
  const invoices = await draftKind(tx, options, 'invoice', { seller, buyer });
  const creditNotes = withCreditNotes ? await draftKind(tx, options, 'credit-note', { seller, buyer }) : 0;
  return { drafted: invoices + creditNotes, missing: [] };
}
