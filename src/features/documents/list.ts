import { type Selectable, sql } from 'kysely';
import { searchWords } from '../../domain/search.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { matchesWords, offsetOf, type Page, type PageRow, pageOf, toPage, wordForms } from '../../platform/db/page.ts';
import type { DocumentsTable } from '../../platform/db/types.gen.ts';
import type { DocumentsQuery } from './contract.ts';

export type DocumentRow = Pick<
  Selectable<DocumentsTable>,
  'id' | 'employee_id' | 'name' | 'file_type' | 'downloadable' | 'created_at' | 'updated_at'
>;

const columns = sql`d.id, d.employee_id, d.name, d.file_type, d.downloadable, d.created_at, d.updated_at`;

const storedTotal = (companyId: CompanyId) => sql`
  select coalesce(sum(c.documents), 0)::bigint as total from document_counts c where ${ofCompany(companyId, 'c')}`;

/** Returns the documents of the whole company, or of one employee if one is given. */
export async function listDocuments(
  db: Db,
  companyId: CompanyId,
  query: DocumentsQuery,
  employeeId?: number,
): Promise<Page<DocumentRow>> {
  const filters = [
    ...(employeeId === undefined ? [] : [sql`d.employee_id = ${employeeId}`]),
    ...matchesWords('d', wordForms(searchWords(query.search ?? ''))),
  ];
  const matching = sql.join([ofCompany(companyId, 'd'), sql`d.removed_at is null`, ...filters], sql` and `);
  const page = pageOf(
    {
      rows: sql`select d.id, d.id as sorted from documents d where ${matching}`,
      storedTotal: filters.length === 0 ? storedTotal(companyId) : undefined,
    },
    query,
    offsetOf(query),
  );
  const { rows } = await sql<DocumentRow & PageRow>`
    ${page.found} select n.total, ${columns} from ${page.source}
    left join documents d on ${ofCompany(companyId, 'd')} and d.id = p.id ${page.order}`.execute(db);
  return toPage(rows);
}

export async function hasEmployee(db: Db, companyId: CompanyId, id: number): Promise<boolean> {
  const { rows } = await sql`select from employees e
    where ${ofCompany(companyId, 'e')} and e.id = ${id} and e.removed_at is null`.execute(db);
  return rows.length > 0;
}

/** Returns the documents of one employee, or undefined if the company has no such employee. */
export async function listDocumentsOf(
  db: Db,
  companyId: CompanyId,
  employeeId: number,
  query: DocumentsQuery,
): Promise<Page<DocumentRow> | undefined> {
  const page = await listDocuments(db, companyId, query, employeeId);
  if (page.total > 0) return page;
  return (await hasEmployee(db, companyId, employeeId)) ? page : undefined;
}

export type StoredDocumentRow = DocumentRow &
  Pick<Selectable<DocumentsTable>, 'kind' | 'store_key' | 'sha256' | 'size_bytes'> & {
    /** The employee's name, if the document is of one who has not been erased. */
    person: string | null;
  };

export async function findDocument(db: Db, companyId: CompanyId, id: number): Promise<StoredDocumentRow | undefined> {
  const { rows } = await sql<StoredDocumentRow>`
    select ${columns}, d.kind, d.store_key, d.sha256, d.size_bytes,
      nullif(concat_ws(' ', nullif(e.first_name, ''), nullif(e.last_name, '')), '') as person
    from documents d left join employees e on ${ofCompany(companyId, 'e')} and e.id = d.employee_id
    where ${ofCompany(companyId, 'd')} and d.id = ${id} and d.removed_at is null`.execute(db);
  return rows[0];
}
