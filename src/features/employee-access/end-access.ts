import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { deleteExpired, deleteLetterCodes, deleteLinks, deleteSessions } from './store.ts';

/** Ends the sessions and the open links of employees, in the transaction of the change that they must not outlive. */
async function endSessionsOf(tx: Tx, companyId: CompanyId, employeeIds: readonly number[]): Promise<void> {
  if (employeeIds.length === 0) return;
  await deleteSessions(tx, companyId, employeeIds);
  await deleteLinks(tx, companyId, employeeIds);
}

/**
 * Ends what removed employees could get in with, and what those with a new address got by the old one. The letter of the
 * latter stays: it went to the person.
 */
export async function endAccess(
  tx: Tx,
  companyId: CompanyId,
  { removed, moved }: { removed: readonly number[]; moved: readonly number[] },
): Promise<void> {
  await endSessionsOf(tx, companyId, [...removed, ...moved]);
  if (removed.length > 0) await deleteLetterCodes(tx, companyId, removed);
}

/** Deletes what has expired. For the daily run. */
export const expireAccess = (tx: Tx, companyId: CompanyId) => deleteExpired(tx, companyId);
