import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { presentTimestamp, type View } from '../../platform/http/view.ts';
import { presentExplainedItem } from './present.ts';
import { countProposals } from './proposals.ts';
import { listProposedItems } from './store.ts';

const mostListed = 500;

/** Returns the charges that are proposed for a correction, and how many there are. */
export async function listProposals(db: Db, companyId: CompanyId, view: View) {
  const rows = await listProposedItems(db, companyId, mostListed);
  return {
    total: rows.length < mostListed ? rows.length : await countProposals(db, companyId),
    proposals: rows.map(({ cause, proposed_at: proposedAt, ...row }) => ({
      item: presentExplainedItem(row, view),
      cause,
      proposedAt: presentTimestamp(proposedAt),
    })),
  };
}
