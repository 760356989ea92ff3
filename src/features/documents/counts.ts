import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import { compareCounts } from '../../platform/db/compare-counts.ts';
import type { Tx } from '../../platform/db/database.ts';

/**
 * Changes the stored count of visible documents, in the transaction that changes the documents. Only ever increments
 * it: a recount would miss the documents of transactions that are not committed yet
 * (docs/decisions/0005-totals-without-scans.md).
 */
export async function addToDocumentCount(tx: Tx, companyId: CompanyId, added: number): Promise<void> {
  if (added === 0) return;
  await sql`
    insert into document_counts as c (company_id, documents) values (${companyId}, ${added})
    on conflict (company_id) do update set documents = c.documents + excluded.documents`.execute(tx);
}

const counted = (companyId: CompanyId) => sql`
  select count(*) as documents from documents d where ${ofCompany(companyId, 'd')} and d.removed_at is null`;

export const documentCounts = {
  table: 'document_counts',
  compare: (companyId: CompanyId) =>
    compareCounts({
      stored: sql`select c.documents from document_counts c where ${ofCompany(companyId, 'c')} and c.documents <> 0`,
      counted: sql`select n.documents from (${counted(companyId)}) n where n.documents <> 0`,
      key: [],
    }),
  /** Recounts the documents. Requires the company lock, under which every document is added, hidden and shown. */
  async repair(tx: Tx, companyId: CompanyId): Promise<void> {
    await sql`
      insert into document_counts (company_id, documents) select ${companyId}, n.documents from (${counted(companyId)}) n
      on conflict (company_id) do update set documents = excluded.documents`.execute(tx);
  },
};
