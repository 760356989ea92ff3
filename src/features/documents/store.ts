import { type RawBuilder, sql } from 'kysely';
import type { DocumentType } from '../../domain/choices.ts';
import { documentKinds } from '../../domain/enums.ts';
import { searchWords } from '../../domain/search.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { matchesWords, offsetOf, type Page, type PageRow, pageOf, toPage, wordForms } from '../../platform/db/page.ts';
import { betweenDays } from '../../platform/http/portal/between-days.ts';
import type { ListedDocumentsQuery } from './contract.ts';

export interface ListedDocumentRow {
  id: number;
  type: DocumentType;
  name: string;
  file_type: string;
  about: string | null;
  employee_id: number | null;
  first_name: string | null;
  last_name: string | null;
  downloadable: boolean;
  created_at: string;
}

interface Reader {
  companyId: CompanyId;
  timeZone: string;
}

const and = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

/** Returns the first and the last day of the month that contains the day. */
function monthOf(day: string) {
  const from = Temporal.PlainDate.from(day).with({ day: 1 });
  return { from: from.toString(), to: from.add({ months: 1 }).subtract({ days: 1 }).toString() };
}

/**
 * Returns the condition for types and month. It names the kinds even if all match, because the index begins with them.
 * A document without a kind is about no month, so the day on which it was added counts.
 */
function ofTypes({ types, period }: ListedDocumentsQuery, timeZone: string): RawBuilder<unknown>[] {
  if (types === undefined && period === undefined) return [];
  const kinds = documentKinds.filter((kind) => types?.includes(kind) ?? true);
  const month = period === undefined ? undefined : monthOf(period);
  const written = and([
    sql`d.kind = any(${kinds})`,
    ...(month ? [sql`d.about between ${month.from}::date and ${month.to}::date`] : []),
  ]);
  if (types !== undefined && !types.includes('other')) return [written];
  const added = and([sql`d.kind is null`, ...betweenDays(sql.ref('d.created_at'), month ?? {}, timeZone)]);
  return [sql`(${written} or ${added})`];
}

const addedToCompany = (companyId: CompanyId) =>
  and([ofCompany(companyId, 'd'), sql`d.removed_at is null`, sql`d.employee_id is null`]);

/** Lists documents of employees, newest first. */
export async function listEmployeeDocuments(
  db: Db,
  { companyId, timeZone }: Reader,
  query: ListedDocumentsQuery,
): Promise<Page<ListedDocumentRow>> {
  const { employeeId, search = '' } = query;
  const filters = [
    ...(employeeId === undefined ? [] : [sql`d.employee_id = ${employeeId}`]),
    ...ofTypes(query, timeZone),
    ...matchesWords('d', wordForms(searchWords(search))),
  ];
  const matching = and([
    ofCompany(companyId, 'd'),
    sql`d.removed_at is null`,
    sql`d.employee_id is not null`,
    ...filters,
  ]);
  const storedTotal = sql`
    select coalesce(sum(c.documents), 0)::bigint - (
      select count(*) from documents d where ${addedToCompany(companyId)}
    ) as total from document_counts c where ${ofCompany(companyId, 'c')}`;
  const page = pageOf(
    {
      rows: sql`select d.id, d.id as sorted from documents d where ${matching}`,
      storedTotal: filters.length === 0 ? storedTotal : undefined,
    },
    { perPage: query.perPage, sortOrder: 'desc' },
    offsetOf(query),
  );
  const { rows } = await sql<ListedDocumentRow & PageRow>`
    ${page.found} select n.total, d.id, coalesce(d.kind, 'other') as type, d.name, d.file_type, d.about, d.employee_id,
      e.first_name, e.last_name, d.downloadable, d.created_at
    from ${page.source}
    left join documents d on ${ofCompany(companyId, 'd')} and d.id = p.id
    left join employees e on ${ofCompany(companyId, 'e')} and e.id = d.employee_id ${page.order}`.execute(db);
  return toPage(rows);
}

/** Selects documents that were added to the company itself. */
function selectAdded({ companyId, timeZone }: Reader, { types, period, search = '' }: ListedDocumentsQuery) {
  const matching = and([
    addedToCompany(companyId),
    sql`${types === undefined || types.includes('other')}::boolean`,
    ...(period === undefined ? [] : betweenDays(sql.ref('d.created_at'), monthOf(period), timeZone)),
    ...matchesWords('d', wordForms(searchWords(search))),
  ]);
  return sql`select d.id, 'other' as type, d.name, d.file_type, d.about, d.downloadable, d.created_at
    from documents d where ${matching}`;
}

/** The number as it stands on the invoice (`formatInvoiceNumber`). */
const invoiceNumber = sql`'TB-' || lpad(i.number::text, greatest(6, length(i.number::text)), '0')`;

function selectInvoices({ companyId }: Reader, { types, period, search = '' }: ListedDocumentsQuery) {
  const matching = and([
    ofCompany(companyId, 'i'),
    sql`i.number is not null`,
    ...(types === undefined ? [] : [sql`i.kind = any(${types})`]),
    ...(period === undefined ? [] : [sql`i.period = ${monthOf(period).from}::date`]),
    ...(search.trim() === '' ? [] : [sql`strpos(lower(${invoiceNumber}), lower(${search.trim()})) > 0`]),
  ]);
  return sql`select i.id, i.kind as type, ${invoiceNumber} as name, 'pdf' as file_type, i.period as about,
    i.files is not null as downloadable, i.created_at from invoices i where ${matching}`;
}

/** Lists invoices, credit notes and documents without an employee, newest first. Few, so sorted without an index. */
export async function listCompanyDocuments(
  db: Db,
  reader: Reader,
  query: ListedDocumentsQuery,
): Promise<Page<ListedDocumentRow>> {
  if (query.employeeId !== undefined) return { rows: [], total: 0 };
  const { rows } = await sql<ListedDocumentRow & PageRow>`
    with m as materialized (${selectAdded(reader, query)} union all ${selectInvoices(reader, query)})
    select n.total, p.id, p.type, p.name, p.file_type, p.about, p.downloadable, p.created_at, null as employee_id,
      null as first_name, null as last_name
    from (select count(*) as total from m) n
    left join lateral (
      select m.id, m.type, m.name, m.file_type, m.about, m.downloadable, m.created_at from m
      order by m.created_at desc, m.type, m.id desc limit ${sql.lit(query.perPage)} offset ${offsetOf(query) ?? 0}
    ) p on true order by p.created_at desc, p.type, p.id desc`.execute(db);
  return toPage(rows);
}

/** Returns how many documents are still to be written, of all from the oldest of them on: ids follow the time. */
export async function countDocumentsToWrite(db: Db, companyId: CompanyId): Promise<{ pending: number; total: number }> {
  const { rows } = await sql<{ pending: number; total: number }>`
    with waiting as materialized (
      select count(*) as pending, min(d.created_at) as since from documents d
      where ${ofCompany(companyId, 'd')} and d.content is not null
    )
    select w.pending, greatest(w.pending, (
      select count(*) from documents d where ${ofCompany(companyId, 'd')} and d.kind is not null and d.id > coalesce((
        select o.id from documents o where ${ofCompany(companyId, 'o')} and o.created_at < w.since
        order by o.id desc limit 1), 0)
    )) as total
    from waiting w where w.pending > 0`.execute(db);
  return rows[0] ?? { pending: 0, total: 0 };
}
