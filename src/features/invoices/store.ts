import { type Selectable, sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { offsetOf, type Page, type PageRow, pageOf, toPage } from '../../platform/db/page.ts';
import type { InvoicesTable } from '../../platform/db/types.gen.ts';
import type { InvoicesQuery } from './contract.ts';
import type { InvoiceLine } from './rules/invoice.ts';
import type { StoredInvoiceFiles } from './write.ts';

export interface InvoiceRow
  extends Omit<Selectable<InvoicesTable>, 'company_id' | 'content' | 'through_item_id' | 'created_at'> {
  number: number;
  lines: InvoiceLine[];
  files: StoredInvoiceFiles | null;
}

const columns = sql`i.id, i.number, i.kind, i.period, i.issued_on, i.due_on, i.net_cents, i.tax_cents, i.gross_cents,
  i.content -> 'lines' as lines, i.files`;

/** Drafts have no number yet and are not shown: they are issued at once. */
const issued = (companyId: CompanyId) => sql`${ofCompany(companyId, 'i')} and i.number is not null`;

export async function listInvoices(db: Db, companyId: CompanyId, query: InvoicesQuery): Promise<Page<InvoiceRow>> {
  const { sortField, type, period } = query;
  const ofType = type ? sql`and i.kind = ${type}` : sql``;
  const ofPeriod = period ? sql`and i.period = ${period}::date` : sql``;
  const matching = sql`select i.id, ${sql.ref(`i.${sortField}`)} as sorted from invoices i
    where ${issued(companyId)} ${ofType} ${ofPeriod}`;
  const page = pageOf({ rows: matching, storedTotal: undefined }, query, offsetOf(query));
  const { rows } = await sql<InvoiceRow & PageRow>`
    ${page.found} select n.total, ${columns} from ${page.source}
    left join invoices i on ${ofCompany(companyId, 'i')} and i.id = p.id ${page.order}`.execute(db);
  return toPage(rows);
}

export async function findInvoice(db: Db, companyId: CompanyId, id: number): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`
    select ${columns} from invoices i where ${issued(companyId)} and i.id = ${id}`.execute(db);
  return rows[0];
}

/** Returns every invoice of the company, newest first. There are at most two per month. */
export async function listAllInvoices(db: Db, companyId: CompanyId): Promise<InvoiceRow[]> {
  const { rows } = await sql<InvoiceRow>`
    select ${columns} from invoices i where ${issued(companyId)} order by i.number desc`.execute(db);
  return rows;
}

/** Returns the newest invoice that is due on a day or later. */
export async function findPayableInvoice(db: Db, companyId: CompanyId, day: string) {
  const { rows } = await sql<Pick<InvoiceRow, 'number' | 'gross_cents' | 'due_on'>>`
    select i.number, i.gross_cents, i.due_on from invoices i
    where ${issued(companyId)} and i.kind = 'invoice' and i.due_on >= ${day}::date
    order by i.number desc limit 1`.execute(db);
  return rows[0];
}
