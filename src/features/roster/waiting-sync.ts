import { sql } from 'kysely';
import type { Provider } from '../../domain/enums.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Actor } from '../activity/record.ts';
import type { LeftOut } from './rules/match.ts';
import type { SyncTarget } from './target.ts';

/** A sync that was accepted and has no outcome yet. */
export interface WaitingSync {
  syncKey: number;
  syncId: string;
  /** Username of the key, or name of the user. */
  pushedBy: string;
  userId: string | null;
  attempts: number;
  /** The request that pushed the roster. */
  requestId: string | null;
  acceptedAt: string;
  entries: number;
  leftOut?: LeftOut | null;
}

/** Returns the oldest sync of an integration that has no outcome yet. */
export async function findWaitingSync(
  db: Db,
  { companyId, hrIntegrationId }: SyncTarget,
): Promise<WaitingSync | undefined> {
  const { rows } = await sql<WaitingSync>`
    select s.id as "syncKey", s.sync_id as "syncId", s.pushed_by as "pushedBy", s.pushed_by_user as "userId", s.attempts,
      s.request_id as "requestId", s.accepted_at as "acceptedAt", s.entry_count as entries, s.left_out as "leftOut"
    from syncs s
    where ${ofCompany(companyId, 's')} and s.hr_integration_id = ${hrIntegrationId}
      and s.state in ('accepted', 'processing')
    order by s.accepted_at, s.id limit 1`.execute(db);
  return rows[0];
}

/** The name under which a connector pushes. No username of a key has this form. */
export const nameConnector = (provider: Provider) => `connector ${provider}`;

/** Returns whether the service has read the roster from the HR system itself. */
export const isPulled = ({ pushedBy }: Pick<WaitingSync, 'pushedBy'>) => pushedBy.startsWith('connector ');

export function pusherOf(sync: WaitingSync): Actor {
  const { pushedBy, userId } = sync;
  if (userId !== null) return { type: 'user', name: userId };
  return isPulled(sync) ? { type: 'service', name: null } : { type: 'key', name: pushedBy };
}

export async function markProcessing(
  db: Db,
  { companyId }: SyncTarget,
  { syncKey }: WaitingSync,
  now: Temporal.Instant,
): Promise<void> {
  await sql`update syncs s set state = 'processing', started_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 's')} and s.id = ${syncKey}`.execute(db);
}
