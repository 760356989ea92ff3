import { sql } from 'kysely';
import { firstOfMonth, isBefore } from '../../domain/calendar.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { billLateTickets } from '../billing/run.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import { insertOrderedTickets } from './require.ts';
import { type Answer, decideOrder, hashBarcode, numbersOf, type OrderChange } from './rules/decide.ts';
import { listOrders, type OrderRow, updateIssuer } from './store.ts';

export interface AppliedAnswers {
  issued: number;
  failed: number;
  /** Tickets that came after the first of their month. */
  late: number;
}

const nothing: AppliedAnswers = { issued: 0, failed: 0, late: 0 };

export const addApplied = (a: AppliedAnswers, b: AppliedAnswers): AppliedAnswers => ({
  issued: a.issued + b.issued,
  failed: a.failed + b.failed,
  late: a.late + b.late,
});

/** Returns which barcodes and numbers of these answers belong to somebody else already. */
async function loadTaken(tx: Tx | Db, company: Company, answers: readonly Answer[]) {
  const tickets = answers.flatMap((answer) => ('order' in answer ? (answer.order?.ticket ?? []) : []));
  const hashes = tickets.flatMap(({ barcode }) => (barcode === null ? [] : hashBarcode(barcode.data)));
  const numbers = tickets.flatMap(numbersOf);
  const { rows } = await sql<{ orderId: string; employeeId: number; hash: string | null; numbers: (string | null)[] }>`
    select o.order_id as "orderId", o.employee_id as "employeeId", encode(o.barcode_hash, 'hex') as hash,
      array[o.number, o.chip_card_number, o.activation_code] as numbers
    from ticket_orders o where ${ofCompany(company.id, 'o')}
      and (o.barcode_hash = any(select decode(h, 'hex') from unnest(${hashes}::text[]) h)
        or o.number = any(${numbers}::text[]) or o.chip_card_number = any(${numbers}::text[])
        or o.activation_code = any(${numbers}::text[]))`.execute(tx);
  const barcodes = new Map<string, string>();
  const owners = new Map<string, number>();
  for (const { orderId, employeeId, hash, numbers: own } of rows) {
    if (hash !== null) barcodes.set(hash, orderId);
    for (const number of own) if (number !== null) owners.set(number, employeeId);
  }
  return {
    of: ({ orderId, employeeId }: Pick<OrderRow, 'orderId' | 'employeeId'>) => ({
      barcode: (hash: string) => (barcodes.get(hash) ?? orderId) !== orderId,
      number: (number: string) => (owners.get(number) ?? employeeId) !== employeeId,
    }),
    add({ orderId, employeeId }: Pick<OrderRow, 'orderId' | 'employeeId'>, { ticket }: Partial<OrderChange>): void {
      if (!ticket) return;
      const { number, chipCardNumber, activationCode } = ticket;
      for (const own of [number, chipCardNumber, activationCode]) if (own !== null) owners.set(own, employeeId);
      if (ticket.barcodeHash !== null) barcodes.set(ticket.barcodeHash, orderId);
    },
  };
}

/** Writes how orders change. A change without a state leaves what it does not name. */
async function writeChanges(tx: Tx, company: Company, changes: readonly OrderChange[], now: Temporal.Instant) {
  const rows = changes.map(({ ticket, nextAfter, reason, ...change }) => ({
    ...change,
    reason,
    ...ticket,
    nextAttemptAt: nextAfter === null ? null : now.add({ milliseconds: nextAfter }).toString(),
  }));
  await sql`
    update ticket_orders o set state = c.state, reason = c.reason, reason_code = c."reasonCode",
      responsible = c.responsible, is_at_issuer = c."isAtIssuer", failures = c.failures,
      next_attempt_at = c."nextAttemptAt", answered_at = ${now.toString()}::timestamptz,
      number = coalesce(c.number, o.number), chip_card_number = coalesce(c."chipCardNumber", o.chip_card_number),
      activation_code = coalesce(c."activationCode", o.activation_code), valid_from = coalesce(c."validFrom", o.valid_from),
      valid_until = coalesce(c."validUntil", o.valid_until), barcode = coalesce(c.barcode, o.barcode),
      barcode_format = coalesce(c."barcodeFormat", o.barcode_format),
      barcode_hash = coalesce(decode(c."barcodeHash", 'hex'), o.barcode_hash)
    from json_to_recordset(${JSON.stringify(rows)}::json) as c("orderId" text, state text, reason jsonb,
      "reasonCode" text, responsible text, "isAtIssuer" boolean, failures integer, "nextAttemptAt" timestamptz,
      number text, "chipCardNumber" text, "activationCode" text, "validFrom" date, "validUntil" date, barcode text, "barcodeFormat" text, "barcodeHash" text)
    where ${ofCompany(company.id, 'o')} and o.order_id = c."orderId"`.execute(tx);
}

/** Puts tickets into force whose month has begun, and charges each once: they came late. */
async function issueLate(tx: Tx, company: Company, issued: readonly OrderRow[], now: Temporal.Instant) {
  const through = company.processedThrough;
  const late = issued.filter(({ month }) => !isBefore(through, Temporal.PlainDate.from(month)));
  let tickets = 0;
  for (const [text, orders] of [...Map.groupBy(late, ({ month }) => month)].sort()) {
    const month = Temporal.PlainDate.from(text);
    const employeeIds = orders.map(({ employeeId }) => employeeId);
    tickets += await insertOrderedTickets(tx, company, { month, now, employeeIds });
    await billLateTickets(tx, { companyId: company.id, month, period: firstOfMonth(through), employeeIds, now });
    await updateIssuer(tx, company.id, { documents_due: text });
  }
  return tickets;
}

/** Returns how orders change by what the issuer has answered. Changes nothing. */
export async function planAnswers(
  tx: Tx | Db,
  company: Company,
  answers: readonly Answer[],
): Promise<{ changes: OrderChange[]; issued: OrderRow[] }> {
  const ids = answers.map(({ orderId }) => orderId);
  const known = await listOrders(tx, company.id, sql`o.order_id = any(${ids}::text[])`);
  const byId = new Map(answers.map((answer) => [answer.orderId, answer]));
  const taken = await loadTaken(tx, company, answers);
  const changes: OrderChange[] = [];
  const issued: OrderRow[] = [];
  for (const row of known) {
    const answer = byId.get(row.orderId);
    const options = { timeZone: company.timeZone, taken: taken.of(row) };
    const change = answer && decideOrder(row, answer, options);
    if (change === undefined) continue;
    const { state, reason, reasonCode, responsible, isAtIssuer, failures } = row;
    changes.push({
      ...{ state, reason, reasonCode, responsible, isAtIssuer, failures, nextAfter: null, ticket: null },
      ...change,
    });
    taken.add(row, change);
    if (change.state === 'issued') issued.push(row);
  }
  return { changes, issued };
}

/**
 * Applies what the issuer has answered, in one transaction: states, tickets whose month has begun, and their charges. The
 * lock of the company excludes the daily run, so a ticket is charged either by it or here.
 */
export async function applyAnswers(
  db: Db | Tx,
  companyId: Company['id'],
  answers: readonly Answer[],
  now: Temporal.Instant,
): Promise<AppliedAnswers> {
  if (answers.length === 0) return nothing;
  return writeCompany(db, companyId, async (tx) => {
    await lockCompany(tx, companyId);
    const company = await getCompany(tx, companyId);
    const { changes, issued } = await planAnswers(tx, company, answers);
    await writeChanges(tx, company, changes, now);
    const failed = changes.filter(({ state }) => state === 'failed').length;
    return { issued: issued.length, failed, late: await issueLate(tx, company, issued, now) };
  });
}
