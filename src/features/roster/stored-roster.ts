import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type ReadRosterEntries, readEntries } from './roster-parts.ts';
import type { SyncTarget } from './target.ts';

/**
 * Stores a roster until it is applied. One that was pushed and failed stays until the next one arrives, but for at most a
 * week (`expireRosters`), so that it can be applied again without sending it again.
 */
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

export async function isRosterStored(db: Db, companyId: CompanyId, syncKey: number): Promise<boolean> {
  const row = await db
    .selectFrom('sync_rosters as r')
    .select('r.part')
    .where(ofCompany(companyId, 'r'))
    .where('r.sync_key', '=', syncKey)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the rosters of failed syncs of an integration. A newer one replaces them. */
export async function deleteFailedRosters(tx: Tx, { companyId, hrIntegrationId }: SyncTarget): Promise<void> {
  await sql`delete from sync_rosters r where ${ofCompany(companyId, 'r')} and r.sync_key in (
    select s.id from syncs s where ${ofCompany(companyId, 's')} and s.hr_integration_id = ${hrIntegrationId}
      and s.state = 'failed')`.execute(tx);
  await sql`update syncs s set left_out = null where ${ofCompany(companyId, 's')}
    and s.hr_integration_id = ${hrIntegrationId} and s.state = 'failed' and s.left_out is not null`.execute(tx);
}
