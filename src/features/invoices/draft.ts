import { sql } from 'kysely';
import { type Day, firstOfMonth } from '../../domain/calendar.ts';
import type { ChargeType, InvoiceKind, TaxCategory } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { loadPricesOf, type Prices } from '../billing/prices.ts';
import { retaxFees } from '../billing/retax.ts';
import { feeOn, priceOn } from '../billing/rules/charges.ts';
import { findCorrectionReason } from '../billing/rules/correction-reasons.ts';
import { feeTaxCategory, taxPercentOf } from '../billing/rules/tax.ts';
import { findSettings } from '../companies/change-settings.ts';
import type { Company } from '../companies/companies.ts';
import type { BuyerSettings, Seller } from '../companies/rules/parties.ts';
import {
  type ChargedSum,
  type CorrectedCharge,
  type Credit,
  composeInvoice,
  type InvoiceContent,
  type InvoiceLine,
  type TaxSubtotal,
  taxKey,
  totalCredits,
} from './rules/invoice.ts';
import { findSeller, listMissing, type MissingData } from './seller.ts';

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
  unitCents: number;
  quantity: number;
  grossCents: number;
  lastId: number;
}

interface CorrectionSum extends ItemSum {
  /** The invoice that contains the corrected charges. Null if none does. */
  invoiceId: number | null;
  /** Whether an earlier credit note contains the corrections. */
  isCredited: boolean;
}

/** Returns up to which item, and for which months, there are invoices and credit notes. */
async function loadProgress(tx: Tx, companyId: CompanyId) {
  const { rows } = await sql<{ start: number; invoices: { kind: InvoiceKind; period: string; lastId: number }[] }>`
    select coalesce((select s.after_item_id from invoice_start s), 0) as start,
      coalesce((select json_agg(json_build_object('kind', i.kind, 'period', i.period, 'lastId', i.through_item_id))
        from invoices i where ${ofCompany(companyId, 'i')}), '[]') as invoices`.execute(tx);
  /** The last item that was billed before the service issued invoices. */
  const { start, invoices } = rows[0] ?? { start: 0, invoices: [] };
  const of = (kind: InvoiceKind) => {
    const written = invoices.filter((row) => row.kind === kind);
    return { lastId: Math.max(start, findLastId(written)), periods: new Set(written.map(({ period }) => period)) };
  };
  return { start, invoices: of('invoice'), creditNotes: of('credit-note') };
}
type Progress = Awaited<ReturnType<typeof loadProgress>>;

const findLastId = (sums: readonly { lastId: number }[]) => Math.max(...sums.map(({ lastId }) => lastId));

const isTicket = sql`b.charge_type = 'ticket-charge'`;

/** The columns of a sum of items `b`, of whose fees `q` tells the quantity. Corrections are negative, their sums are not. */
const summed = sql`b.charge_type as "chargeType", b.period, coalesce(b.corrects_period, b.period) as "chargedPeriod",
  case when ${isTicket} then abs(b.gross_cents) else abs(b.net_cents) / coalesce(q.quantity, 1) end as "unitCents",
  sum(coalesce(q.quantity, 1))::bigint as quantity, abs(sum(b.gross_cents))::bigint as "grossCents", max(b.id) as "lastId"`;

const joinQuantities = (companyId: CompanyId) => sql`left join billing_quantities q on ${ofCompany(companyId, 'q')}
  and q.period = coalesce(b.corrects_period, b.period) and q.charge_type = b.charge_type
  and coalesce(q.hr_integration_id, 0) = coalesce(b.hr_integration_id, 0) and q.quantity > 0`;

const uninvoiced = (companyId: CompanyId, { invoices }: Progress) =>
  sql`${ofCompany(companyId, 'b')} and b.id > ${invoices.lastId} and b.corrects_id is null`;

async function hasUninvoicedItems(tx: Tx, companyId: CompanyId, progress: Progress): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from billing_items b where ${uninvoiced(companyId, progress)}) as has`.execute(tx);
  return rows[0]?.has ?? false;
}

/** Adds up the items that are on no invoice yet. They were added under the lock of the company, in the order of ids. */
async function sumCharges(tx: Tx, companyId: CompanyId, progress: Progress): Promise<ItemSum[]> {
  const { rows } = await sql<ItemSum>`
    select ${summed} from billing_items b ${joinQuantities(companyId)} where ${uninvoiced(companyId, progress)}
    group by 1, 2, 3, 4 order by 2, 3, 1, 4`.execute(tx);
  return rows;
}

/**
 * Adds up the corrections. Invoices that were written at the same time contain items up to the same one: a charge is then
 * on the one of its month, or on the newest if its month had been invoiced before.
 */
async function sumCorrections(tx: Tx, companyId: CompanyId, { start, creditNotes }: Progress) {
  const { rows } = await sql<CorrectionSum>`
    select ${summed}, b.id <= ${creditNotes.lastId} as "isCredited", (
      select i.id from invoices i where ${ofCompany(companyId, 'i')} and i.kind = 'invoice'
        and b.corrects_id > ${start} and i.through_item_id >= b.corrects_id
      order by i.through_item_id, i.period = b.corrects_period desc, i.period desc limit 1) as "invoiceId"
    from billing_items b ${joinQuantities(companyId)}
    where ${ofCompany(companyId, 'b')} and b.id > ${start} and b.corrects_id is not null
    group by 1, 2, 3, 4, "isCredited", "invoiceId" order by 2, 3, 1, 4`.execute(tx);
  return rows;
}

/** Returns the tax rate at which an item was charged. The price list of a billed month never changes. */
function listedPercent({ tickets, fees }: Prices, { chargeType, chargedPeriod }: ItemSum): number {
  const day = Temporal.PlainDate.from(chargedPeriod);
  const price = chargeType === 'ticket-charge' ? priceOn(tickets, day) : feeOn(fees, chargeType, day);
  if (price === undefined)
    throw new Error(`No price of ${chargeType} applies on ${chargedPeriod}, but it was charged.`);
  return price.taxPercent;
}

/** Tickets are taxed in Germany, wherever the company is. */
function chargedSum(sum: ItemSum, prices: Prices, feeCategory: TaxCategory): ChargedSum {
  const { chargeType, quantity, unitCents, grossCents } = sum;
  const taxCategory = chargeType === 'ticket-charge' ? 'standard' : feeCategory;
  const taxPercent = taxPercentOf(taxCategory, listedPercent(prices, sum));
  return { chargeType, taxCategory, taxPercent, quantity, unitCents, grossCents };
}

async function loadInvoices(tx: Tx, companyId: CompanyId, ids: number[]) {
  const { rows } = await sql<{ id: number; lines: InvoiceLine[]; taxes: TaxSubtotal[] }>`
    select i.id, i.content -> 'lines' as lines, i.content -> 'taxes' as taxes from invoices i
    where ${ofCompany(companyId, 'i')} and i.id = any(${ids}::bigint[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the corrections that are on no credit note yet, by the invoice that they correct, taxed as they were there. */
async function listCredits(tx: Tx, { company, progress, feeCategory }: Drafting) {
  const companyId = company.id;
  const sums = await sumCorrections(tx, companyId, progress);
  const prices = await loadPricesOf(tx, companyId);
  const news = sums.filter(({ isCredited }) => !isCredited);
  const ids = [...new Set(news.flatMap(({ invoiceId }) => invoiceId ?? []))];
  const invoices = await loadInvoices(tx, companyId, ids);
  const taxed = (sum: CorrectionSum): ChargedSum => {
    const line = invoices.get(sum.invoiceId ?? 0)?.lines.find(({ chargeType }) => chargeType === sum.chargeType);
    return chargedSum(sum, prices, line === undefined ? feeCategory : (line.taxCategory ?? 'standard'));
  };
  const credits = [...Map.groupBy(news, ({ invoiceId }) => invoiceId)].map(([invoiceId, group]): Credit => {
    const earlier = sums
      .filter((sum) => invoiceId !== null && sum.isCredited && sum.invoiceId === invoiceId)
      .map(taxed);
    const creditedCents = new Map<string, number>();
    for (const sum of earlier) creditedCents.set(taxKey(sum), (creditedCents.get(taxKey(sum)) ?? 0) + sum.grossCents);
    return { charged: invoices.get(invoiceId ?? 0)?.taxes ?? null, creditedCents, sums: group.map(taxed) };
  });
  return { news, credits };
}

/** How many charges fit on the second page of a credit note. */
const listedCharges = 24;

/** Returns the corrected charges that are on no credit note yet, up to as many as its page can list. */
async function listCorrected(tx: Tx, companyId: CompanyId, { start, creditNotes }: Progress) {
  const { rows } = await sql<Omit<CorrectedCharge, 'reason'> & { reason: string; total: number }>`
    select b.charge_type as "chargeType", coalesce(b.corrects_period, b.period) as month, b.hr_id as "hrId",
      abs(b.gross_cents) as "grossCents", b.reason, count(*) over () as total
    from billing_items b
    where ${ofCompany(companyId, 'b')} and b.id > ${Math.max(start, creditNotes.lastId)} and b.corrects_id is not null
    order by 2, b.id limit ${listedCharges}`.execute(tx);
  const charges = rows.map(({ total: _total, reason, ...charge }) => ({
    ...charge,
    reason: findCorrectionReason(reason),
  }));
  return { charges, total: rows[0]?.total ?? 0 };
}

/** Groups charges by the month of their invoice. Undefined: that has one, and so has the present one, so they wait. */
function assignPeriods(sums: ItemSum[], present: string, invoiced: Set<string>) {
  const groups = Map.groupBy(sums, ({ period }) => (invoiced.has(period) ? present : period));
  return [...groups.keys()].some((period) => invoiced.has(period)) ? undefined : groups;
}

interface DraftOptions {
  company: Company;
  /** The day of the daily run, which is the date of the invoice. */
  day: Day;
  now: Temporal.Instant;
}

interface Drafting extends DraftOptions {
  progress: Progress;
  seller: Seller;
  buyer: BuyerSettings;
  feeCategory: TaxCategory;
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

/** Writes the invoices of charges that are on none yet. Returns how many were written. */
async function draftPeriods(tx: Tx, drafting: Drafting): Promise<number> {
  const { company, day, progress } = drafting;
  const sums = await sumCharges(tx, company.id, progress);
  if (sums.length === 0) return 0;
  const groups = assignPeriods(sums, firstOfMonth(day).toString(), progress.invoices.periods);
  if (groups === undefined) return 0;
  const prices = await loadPricesOf(tx, company.id);
  for (const [period, group] of groups) {
    const occasion = { kind: 'invoice', period: Temporal.PlainDate.from(period), issuedOn: day } as const;
    const charged = group.map((sum) => chargedSum(sum, prices, drafting.feeCategory));
    await insertDraft(tx, drafting, composeInvoice(drafting, occasion, charged), findLastId(sums));
  }
  return groups.size;
}

/** Writes the credit note of corrections that are on none yet, unless the month has one. Returns how many were written. */
async function draftCreditNote(tx: Tx, drafting: Drafting): Promise<number> {
  const { day, progress } = drafting;
  const { news, credits } = await listCredits(tx, drafting);
  const period = firstOfMonth(day);
  if (news.length === 0 || progress.creditNotes.periods.has(period.toString())) return 0;
  const corrects = [...new Set(news.map(({ chargedPeriod }) => chargedPeriod))];
  const corrected = await listCorrected(tx, drafting.company.id, progress);
  const content = composeInvoice(
    drafting,
    { kind: 'credit-note', period, issuedOn: day, corrects, corrected },
    credits.flatMap(({ sums }) => sums),
    totalCredits(credits),
  );
  await insertDraft(tx, drafting, content, findLastId(news));
  return 1;
}

/**
 * Writes an invoice for every billed month that has none, and on the first of a month, or if `billing run` asks for it, a
 * credit note for corrections. Requires the lock of the company. Writes nothing as long as data of the seller or the
 * buyer are missing: the months then wait until they are complete. The invoices get their numbers after the
 * transaction (src/features/invoices/issue.ts).
 */
export async function draftInvoices(
  tx: Tx,
  options: DraftOptions,
  { withCreditNotes }: { withCreditNotes: boolean },
): Promise<DraftResult> {
  const { id: companyId } = options.company;
  const progress = await loadProgress(tx, companyId);
  const hasNew = await hasUninvoicedItems(tx, companyId, progress);
  if (!withCreditNotes && !hasNew) return nothing;
  const seller = await findSeller(tx);
  const buyer = await findSettings(tx, companyId);
  if (buyer === undefined) return nothing;
  const feeCategory = feeTaxCategory(buyer);
  const missing = listMissing(seller, buyer);
  if (seller === undefined || feeCategory === undefined || missing.length > 0) {
    return { drafted: 0, missing: hasNew ? missing : [] };
  }
  const { now } = options;
  await retaxFees(tx, companyId, { afterItemId: progress.invoices.lastId, feeCategory, now });
  const drafting = { ...options, progress, seller, buyer, feeCategory };
  const invoices = await draftPeriods(tx, drafting);
  const creditNotes = withCreditNotes ? await draftCreditNote(tx, drafting) : 0;
  return { drafted: invoices + creditNotes, missing: [] };
}
