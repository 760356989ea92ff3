import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import { invoiceDifferenceKinds } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { startLimitedThread } from '../../platform/threads/thread.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { type ComparedInvoice, maxInvoiceBytes } from './contract.ts';
import type { ReadInvoice } from './invoice-thread.ts';
import {
  type BilledOrder,
  compareLine,
  type InvoiceComparison,
  type InvoiceDifference,
  priceOf,
} from './rules/compare-invoice.ts';
import type { InvoiceLine } from './rules/invoice-lines.ts';
import { findIssuerRow } from './store.ts';

/** More differences are counted, but not listed. */
const maxListed = 1_000;
const stepSize = 1_000;
/** A file that needs more is made to exhaust the server. */
const limits = { maxHeapMegabytes: 512, maxMillis: 60_000 };

const refuse = (detail: string) => new ApiError('issuer-not-possible', detail);

/** Reads a table of text or an Excel file in a thread with limited memory and time. */
async function readLines(content: Uint8Array): Promise<InvoiceLine[]> {
  const tooLarge = createMessage('invoice-too-large', { most: maxInvoiceBytes / 2 ** 20 });
  if (content.length > maxInvoiceBytes) throw new ApiError('body-too-large', tooLarge);
  const { maxHeapMegabytes, maxMillis } = limits;
  const signal = AbortSignal.timeout(maxMillis);
  const url = new URL('./invoice-thread.ts', import.meta.url);
  const thread = startLimitedThread<Uint8Array, ReadInvoice>(url, { maxHeapMegabytes, signal });
  try {
    // Out of memory, or out of time.
    const read = await thread.call(content).catch((): ReadInvoice => ({ problem: tooLarge }));
    if ('problem' in read) throw new ApiError('malformed-body', read.problem);
    return read.lines;
  } finally {
    await thread.stop();
  }
}

type FoundOrder = BilledOrder & { orderId: string; number: string | null };

/** Returns the orders that lines bill, by order id and by ticket number. */
async function findBilled(db: Db, companyId: CompanyId, lines: readonly InvoiceLine[]) {
  const ids = lines.flatMap(({ orderId }) => orderId ?? []);
  const numbers = lines.flatMap(({ number }) => number ?? []);
  const { rows } = await sql<FoundOrder>`
    select o.order_id as "orderId", o.number, o.employee_id as "employeeId", o.month, o.state,
      exists (select from tickets t where ${ofCompany(companyId, 't')} and t.employee_id = o.employee_id
        and t.month = o.month) as "wasInForce"
    from ticket_orders o where ${ofCompany(companyId, 'o')}
      and (o.order_id = any(${ids}::text[]) or o.number = any(${numbers}::text[]))
    order by o.month, o.attempt`.execute(db);
  const byId = new Map(rows.map((row) => [row.orderId, row]));
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return ({ orderId, number }: InvoiceLine): BilledOrder | undefined =>
    (orderId === null ? undefined : byId.get(orderId)) ?? (number === null ? undefined : byNumber.get(number));
}

function createFindings() {
  const found = { count: 0, listed: [] as InvoiceDifference[] };
  return {
    found,
    add(difference: InvoiceDifference | undefined): void {
      if (difference === undefined) return;
      found.count += 1;
      if (found.listed.length < maxListed) found.listed.push(difference);
    },
  };
}

/** Calls back with every ticket of the month that was ordered and came into force. Returns how many there are. */
async function forEachTicket(
  db: Db,
  companyId: CompanyId,
  month: string,
  use: (ticket: { employeeId: number; number: string | null }) => void,
): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const { rows } = await sql<{ employeeId: number; number: string | null }>`
      select t.employee_id as "employeeId", t.issuer_number as number from tickets t
      where ${ofCompany(companyId, 't')} and t.month = ${month}::date and t.employee_id > ${after}
        and exists (select from ticket_orders o where ${ofCompany(companyId, 'o')} and o.employee_id = t.employee_id
          and o.month = t.month)
      order by t.employee_id limit ${stepSize}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last.employeeId;
    count += rows.length;
    rows.forEach(use);
  }
}

async function compareLines(
  db: Db,
  companyId: CompanyId,
  lines: readonly InvoiceLine[],
  comparison: InvoiceComparison,
) {
  const { found, add } = createFindings();
  for (let from = 0; from < lines.length; from += stepSize) {
    const some = lines.slice(from, from + stepSize);
    const orderOf = await findBilled(db, companyId, some);
    for (const line of some) add(compareLine(line, orderOf(line), comparison));
  }
  const { month, priceCents, billed } = comparison;
  const tickets = await forEachTicket(db, companyId, month, ({ employeeId, number }) => {
    if (billed.has(employeeId)) return;
    add({ kind: 'not-billed', row: null, employeeId, number, billedCents: null, expectedCents: priceCents });
  });
  found.listed.sort((a, b) => invoiceDifferenceKinds.indexOf(a.kind) - invoiceDifferenceKinds.indexOf(b.kind));
  return { ...found, expectedCents: tickets * priceCents };
}

const asText = (month: Day) => month.toString().slice(0, 7);

/** Compares the invoice of the issuer for a month with our tickets, to the cent. The last comparison of a month is kept. */
export async function compareInvoice(
  { db, companyId, by, write }: Pick<CompanyContext, 'db' | 'companyId' | 'by' | 'write'>,
  { month, content }: { month: Day; content: Uint8Array },
): Promise<ComparedInvoice> {
  const issuer = await findIssuerRow(db, companyId);
  if (issuer === undefined) throw refuse('The service issues the tickets of this company itself: nobody bills them.');
  const priceCents = priceOf(month.toString(), issuer.priceList);
  if (priceCents === undefined) {
    throw refuse(
      `No price of the issuer is known for ${asText(month)}. The operator enters it with "issuer set --price-file".`,
    );
  }
  const lines = await readLines(content);
  const comparison = { month: month.toString(), priceCents, billed: new Map<number, number>() };
  const { count, listed, expectedCents } = await compareLines(db, companyId, lines, comparison);
  const billedCents = lines.reduce((sum, { cents }) => sum + cents, 0);
  await write(async (tx) => {
    const columns = sql`lines = excluded.lines, billed_cents = excluded.billed_cents, compared_at = excluded.compared_at,
      expected_cents = excluded.expected_cents, differences = excluded.differences,
      difference_count = excluded.difference_count`;
    await sql`
      insert into issuer_invoices (company_id, month, compared_at, lines, billed_cents, expected_cents, differences,
        difference_count)
      values (${companyId}, ${month.toString()}::date, ${by.at.toString()}::timestamptz, ${lines.length}, ${billedCents},
        ${expectedCents}, ${JSON.stringify(listed)}::jsonb, ${count})
      on conflict (company_id, month) do update set ${columns}`.execute(tx);
    const detail = { month: asText(month), differences: count };
    await insertAudit(tx, companyId, { action: 'issuer.compare-invoice', target: asText(month), detail, ...by });
  });
  const differences = listed.map((one) => ({ ...one, message: createMessage(`invoice-${one.kind}`) }));
  return { month: asText(month), lines: lines.length, billedCents, expectedCents, differenceCount: count, differences };
}

interface StoredInvoice {
  month: string;
  comparedAt: string;
  lines: number;
  billedCents: number;
  expectedCents: number;
  differenceCount: number;
  found: InvoiceDifference[];
}

/** Returns the comparisons of the last months, newest first. */
export async function listComparedInvoices(db: Db, companyId: CompanyId, months: number) {
  const { rows } = await sql<StoredInvoice>`
    select to_char(i.month, 'YYYY-MM') as month, i.compared_at as "comparedAt", i.lines, i.billed_cents as "billedCents",
      i.expected_cents as "expectedCents", i.difference_count as "differenceCount", i.differences as found
    from issuer_invoices i where ${ofCompany(companyId, 'i')} order by i.month desc limit ${months}`.execute(db);
  return rows.map(({ found, ...row }) => ({
    ...row,
    differences: found.map((one) => ({ ...one, message: createMessage(`invoice-${one.kind}`) })),
  }));
}
