import { type RawBuilder, sql } from 'kysely';
import { type Day, firstOfMonth } from '../../domain/calendar.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import { countInserted } from '../../platform/db/count-inserted.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { startLimitedThread } from '../../platform/threads/thread.ts';
import { type Company, lockCompany } from '../companies/companies.ts';
import { type OrderLine, toCsv, toTable } from './rules/order-list.ts';
import type { OrderMapping } from './rules/order-mapping.ts';
import { listOrderedMonths } from './rules/schedule.ts';
import { findIssuerRow, requestWork } from './store.ts';

/** Whether order `o` is in a file: as one to be placed, or as one that has ended. */
const isListed = (companyId: CompanyId, isEnd: boolean, order = 'o') => {
  const o = sql.ref(order);
  return sql<boolean>`exists (select from order_file_entries l where ${ofCompany(companyId, 'l')}
    and l.employee_id = ${o}.employee_id and l.order_month = ${o}.month and l.attempt = ${o}.attempt
    and l.is_end = ${isEnd})`;
};

interface NewFile {
  companyId: CompanyId;
  month: string;
  number: number;
}

/** Lists the orders that no file has yet, compared with what the issuer has of the same employees. */
function insertPlaced(tx: Tx, { companyId, month, number }: NewFile): Promise<number> {
  return countInserted(
    tx,
    sql`
    insert into order_file_entries (company_id, employee_id, order_month, attempt, is_end, section, previous_order_id,
      file_month, file_number)
    select o.company_id, o.employee_id, o.month, o.attempt, false,
      case when p.order_id is null then 'new'
        when p.month < o.month and (p.first_name, p.last_name, p.date_of_birth, p.product)
          is not distinct from (o.first_name, o.last_name, o.date_of_birth, o.product) then 'continuing'
        else 'changed' end,
      p.order_id, ${month}::date, ${number}
    from ticket_orders o
    left join lateral (
      select q.order_id, q.month, q.first_name, q.last_name, q.date_of_birth, q.product from ticket_orders q
      where ${ofCompany(companyId, 'q')} and q.employee_id = o.employee_id and (q.month, q.attempt) < (o.month, o.attempt)
        and q.month >= ${Temporal.PlainDate.from(month).subtract({ months: 1 }).toString()}::date
        and (q.state = 'replaced' and q.month = o.month or q.is_at_issuer and q.state <> 'blocked' and q.month < o.month)
        and ${isListed(companyId, false, 'q')} and not ${isListed(companyId, true, 'q')}
      order by q.month desc, q.attempt desc limit 1
    ) p on true
    where ${ofCompany(companyId, 'o')} and o.month = ${month}::date and o.state = any(${['ordered', 'issued']})
      and not ${isListed(companyId, false)}`,
  );
}

/** Lists the orders that have ended since they were placed, and with the first file those that nobody continues. */
function insertEnded(tx: Tx, { companyId, month, number }: NewFile): Promise<number> {
  const before = Temporal.PlainDate.from(month).subtract({ months: 1 }).toString();
  const isLeft = sql`o.month = ${before}::date and o.is_at_issuer and o.state = any(${['ordered', 'issued', 'failed']})
    and not exists (select from ticket_orders n where ${ofCompany(companyId, 'n')} and n.employee_id = o.employee_id
      and n.month = ${month}::date and n.state = any(${['required', 'ordered', 'issued']}))`;
  const isReplacedByNone = sql`o.state = 'replaced' and not exists (
    select from ticket_orders n where ${ofCompany(companyId, 'n')} and n.employee_id = o.employee_id
      and n.month = o.month and n.attempt > o.attempt and n.state <> 'blocked')`;
  return countInserted(
    tx,
    sql`
    insert into order_file_entries (company_id, employee_id, order_month, attempt, is_end, section, file_month, file_number)
    select o.company_id, o.employee_id, o.month, o.attempt, true, 'ended', ${month}::date, ${number}
    from ticket_orders o
    where ${ofCompany(companyId, 'o')} and ${isListed(companyId, false)} and not ${isListed(companyId, true)}
      and (o.month = ${month}::date and (o.state = 'blocked' or ${isReplacedByNone})
        ${number === 1 ? sql`or ${isLeft}` : sql``})`,
  );
}

interface WriteOptions {
  now: string;
  /** Whether the service sends it. */
  isSent: boolean;
}

async function writeOrderFile(tx: Tx, { id: companyId }: Company, month: Day, { now, isSent }: WriteOptions) {
  const { rows: last } = await sql<{ number: number }>`
    select coalesce(max(f.number), 0) as number from order_files f
    where ${ofCompany(companyId, 'f')} and f.month = ${month.toString()}::date`.execute(tx);
  const file = { companyId, month: month.toString(), number: (last[0]?.number ?? 0) + 1 };
  await sql`
    insert into order_files (company_id, month, number, created_at, due_at)
    values (${companyId}, ${file.month}, ${file.number}, ${now}, ${isSent ? now : null})`.execute(tx);
  if ((await insertPlaced(tx, file)) + (await insertEnded(tx, file)) > 0) return true;
  await sql`delete from order_files f where ${ofCompany(companyId, 'f')} and f.month = ${file.month}::date
    and f.number = ${file.number}`.execute(tx);
  return false;
}

/**
 * Writes what the issuer is to learn about this month and, in time for its cut-off, about the next one: the first file of
 * a month has everybody, a later one what has changed since. Nothing new: no file. Returns how many.
 */
export const writeOrderFiles = (db: Db | Tx, company: Company, now: Temporal.Instant): Promise<number> =>
  writeCompany(db, company.id, async (tx) => {
    await lockCompany(tx, company.id);
    const row = await findIssuerRow(tx, company.id, { lock: true });
    if (row === undefined) return 0;
    let files = 0;
    const options = { now: now.toString(), isSent: row.delivery !== null };
    for (const month of listOrderedMonths(company.processedThrough, row)) {
      if (await writeOrderFile(tx, company, firstOfMonth(month), options)) files += 1;
    }
    if (files > 0 && options.isSent) await requestWork(tx, company.id, options.now);
    return files;
  });

/** `number`: of one file. Absent: of all files of the month together, without orders that have ended meanwhile. */
export interface FileKey {
  month: Day;
  number?: number | undefined;
}

export async function listOrderLines(db: Db, companyId: CompanyId, { month, number }: FileKey): Promise<OrderLine[]> {
  const some: RawBuilder<unknown> =
    number === undefined
      ? sql`(l.is_end or not exists (select from order_file_entries n where ${ofCompany(companyId, 'n')}
          and n.employee_id = l.employee_id and n.order_month = l.order_month and n.attempt = l.attempt and n.is_end))`
      : sql`l.file_number = ${number}`;
  const { rows } = await sql<OrderLine>`
    select l.section, o.order_id as "orderId", l.previous_order_id as "previousOrderId",
      to_char(l.file_month, 'YYYY-MM') as month, o.product, o.first_name as "firstName", o.last_name as "lastName",
      o.date_of_birth::text as "dateOfBirth",
      (select h.hr_id from hr_links h where ${ofCompany(companyId, 'h')} and h.employee_id = o.employee_id
        order by h.is_current desc, h.id desc limit 1) as "hrId",
      l.file_month::text as "validFrom", (l.file_month + interval '1 month - 1 day')::date::text as "validUntil"
    from order_file_entries l
    join ticket_orders o on ${ofCompany(companyId, 'o')} and o.employee_id = l.employee_id and o.month = l.order_month
      and o.attempt = l.attempt
    where ${ofCompany(companyId, 'l')} and l.file_month = ${month.toString()}::date and ${some}
    order by array_position(array['new', 'continuing', 'changed', 'ended'], l.section), o.last_name, o.first_name,
      o.order_id`.execute(db);
  return rows.map((row) => (row.section === 'ended' ? { ...row, validFrom: null, validUntil: null } : row));
}

export type OrderFileFormat = 'csv' | 'xlsx';

const workbookMillis = 60_000;
const maxHeapMegabytes = 768;

/** Writes an Excel file in a thread: a large one takes seconds. */
async function writeWorkbook(table: string[][]): Promise<Buffer> {
  const thread = startLimitedThread<string[][], Uint8Array>(new URL('./workbook-thread.ts', import.meta.url), {
    maxHeapMegabytes,
    signal: AbortSignal.timeout(workbookMillis),
  });
  try {
    return Buffer.from(await thread.call(table));
  } finally {
    await thread.stop();
  }
}

/** Returns an order list as a file, or undefined if there is no such file of the month. */
export async function renderOrderFile(
  db: Db,
  companyId: CompanyId,
  { format, ...key }: FileKey & { format: OrderFileFormat },
): Promise<{ name: string; content: Buffer } | undefined> {
  const lines = await listOrderLines(db, companyId, key);
  if (lines.length === 0 && key.number !== undefined) return undefined;
  const row = await findIssuerRow(db, companyId);
  const table = toTable(lines, (row?.mapping ?? null) as OrderMapping | null);
  const part = key.number === undefined ? '' : `-${key.number}`;
  return {
    name: `orders-${key.month.toString().slice(0, 7)}${part}.${format}`,
    content: format === 'csv' ? toCsv(table) : await writeWorkbook(table),
  };
}
