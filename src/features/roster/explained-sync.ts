import type { Static } from 'typebox';
import type { Message } from '../../domain/messages/message.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Links } from '../../platform/http/links.ts';
import { listKeyNames } from '../keys/names.ts';
import type { ExplainedSyncSchema } from './contract.ts';
import { presentSync } from './present.ts';
import type { SyncRow } from './store.ts';
import type { SyncTarget } from './target.ts';

/** Returns a function that presents these syncs, with the names of the keys that pushed them. */
export async function createSyncPresenter(
  db: Db,
  { companyId, hrIntegrationId }: SyncTarget,
  rows: readonly SyncRow[],
) {
  const names = await listKeyNames(db, companyId, [...new Set(rows.map((row) => row.pushed_by))]);
  return (row: SyncRow, links: Links): Static<typeof ExplainedSyncSchema> => ({
    ...presentSync(row, hrIntegrationId, links),
    message: row.message as Message | null,
    fileName: row.file_name,
    keyName: names.get(row.pushed_by) ?? null,
  });
}
