import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { findSync, type SyncRow } from './store.ts';
import type { SyncTarget } from './target.ts';

/** Returns a sync. Throws if the integration has none with this id. */
export async function getSync(db: Db, target: SyncTarget, syncId: string): Promise<SyncRow> {
  const row = await findSync(db, target, syncId);
  if (row === undefined) throw notFound('sync');
  return row;
}
