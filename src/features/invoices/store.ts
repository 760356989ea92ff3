import { type RawBuilder, sql } from 'kysely';
import type { InvoiceKind } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { offsetOf, type Page, type PageRow, type PageShape, pageOf, toPage } from '../../platform/db/page.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { InvoicesQuery } from './contract.ts';
import type { InvoiceLine } from './rules/invoice.ts';
import type { StoredInvoiceFiles } from './write.ts';

export interface InvoiceRow {
  id: number;
  number: number;
  kind: InvoiceKind;
  period: string;
  issued_on: string;
  due_on: string;
  net_cents: number;
  tax_cents: number;
  gross_cents: number;
  lines: InvoiceLine[];
  files: StoredInvoiceFiles | null;
}

const columns = sql`i.id, i.number, i.kind, i.period, i.issued_on, i.due_on, i.net_cents, i.tax_cents, i.gross_cents,
  i.content -> 'lines' as lines, i.files`;

type Filters = { type?: InvoiceKind | undefined; period?: string | undefined };

/** Drafts have no number yet and are not shown: they are issued at once. */
const matching = (companyId: CompanyId, { type, period }: Filters): RawBuilder<unknown> =>
  sql.join(
    [
      ofCompany(companyId, 'i'),
      sql`i.number is not null`,
      ...(type ? [sql`i.kind = ${type}`] : []),
      ...(period ? [sql`i.period = ${period}::date`] : []),
    ],
    sql` and `,
  );

interface ListShape extends PageShape {
  sortField: InvoicesQuery['sortField'];
}

interface ListValues extends Filters {
  companyId: CompanyId;
  offset: number | undefined;
}

const selectInvoices = preparedStatement((shape: ListShape, { companyId, offset, ...filters }: ListValues) => {
  const page = pageOf(
    {
      rows: sql`select i.id, ${sql.ref(`i.${shape.sortField}`)} as sorted from invoices i
        where ${matching(companyId, filters)}`,
      storedTotal: undefined,
    },
    shape,
    offset,
  );
  return sql<InvoiceRow & PageRow>`
    ${page.found} select n.total, ${columns} from ${page.source}
    left join invoices i on ${ofCompany(companyId, 'i')} and i.id = p.id ${page.order}`;
});

export async function listInvoices(db: Db, companyId: CompanyId, query: InvoicesQuery): Promise<Page<InvoiceRow>> {
  const { sortField, sortOrder, perPage, type, period } = query;
  return toPage(
    await selectInvoices(db, { sortField, sortOrder, perPage }, { companyId, type, period, offset: offsetOf(query) }),
  );
}

const selectInvoice = preparedStatement(
  (_shape: object, { companyId, id }: { companyId: CompanyId; id: number }) => sql<InvoiceRow>`
    select ${columns} from invoices i where ${ofCompany(companyId, 'i')} and i.id = ${id} and i.number is not null`,
);

export async function findInvoice(db: Db, companyId: CompanyId, id: number): Promise<InvoiceRow | undefined> {
  const [row] = await selectInvoice(db, {}, { companyId, id });
  return row;
}

/** Returns every invoice of the company, newest first. There are at most two per month. */
export async function listAllInvoices(db: Db, companyId: CompanyId): Promise<InvoiceRow[]> {
  const { rows } = await sql<InvoiceRow>`
    select ${columns} from invoices i where ${ofCompany(companyId, 'i')} and i.number is not null
    order by i.number desc`.execute(db);
  return rows;
}
