import { type CompanyId, ofCompany } from '../../db/company-scope.ts';
import type { Tx } from '../../db/database.ts';
import { type ReadRosterEntries, readEntries } from './roster-parts.ts';

/** Stores a roster until its sync has an outcome. */
export async function insertRoster(
  tx: Tx,
  companyId: CompanyId,
  syncKey: number,
  parts: readonly Buffer[],
): Promise<void> {
  for (const [part, content] of parts.entries()) {
    await tx.insertInto('sync_rosters').values({ company_id: companyId, sync_key: syncKey, part, content }).execute();
  }
}

export async function loadRoster(tx: Tx, companyId: CompanyId, syncKey: number): Promise<ReadRosterEntries> {
  const parts = await tx
    .selectFrom('sync_rosters as r')
    .select('r.content')
    .where(ofCompany(companyId, 'r'))
    .where('r.sync_key', '=', syncKey)
    .orderBy('r.part')
    .execute();
  return () => readEntries(parts.map(({ content }) => content));
}

export async function deleteRoster(tx: Tx, companyId: CompanyId, syncKey: number): Promise<void> {
  await tx.deleteFrom('sync_rosters as r').where(ofCompany(companyId, 'r')).where('r.sync_key', '=', syncKey).execute();
}
