import { sql } from 'kysely';
import type { HrIdAttribute } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { getCompany, type Integration, ofIntegration } from '../companies/companies.ts';
import type { Notices } from '../notices/notices.ts';
import { acceptSync, nameScimSync, scimPusher } from '../roster/accept.ts';
import { recordUnreadSync } from '../roster/outcome.ts';
import { checkRoster, type ForeignEntry, type Roster } from '../roster/read-roster.ts';
import { withIntegrationLock } from '../roster/run.ts';
import { collectSeconds } from './changes.ts';
import { toEntry } from './rules/user.ts';
import { listActiveUsers } from './store.ts';

const usersAtOnce = 2_000;
/** An integration that cannot sync at the moment is tried again after this time. */
const postponeMinutes = 10;
/** The clocks of two servers differ. */
const toleranceMillis = 2_000;

export interface CollectDeps {
  db: Db;
  clock: Clock;
  queue: Pick<Enqueue, 'enqueueSync' | 'enqueueScimChanges'>;
  notices: Notices;
  maxEntries: number;
  onCollected?: (result: { syncId: string; changes: number; entries: number; millis: number }) => void;
  /** Does not wait until the changes are due. */
  isUrgent?: boolean;
}

interface Connection {
  changes: number;
  collectAt: string | null;
  attribute: HrIdAttribute;
}

async function findConnection(db: Db, target: Integration): Promise<Connection | undefined> {
  const { rows } = await sql<Connection>`
    select c.changes, c.collect_at as "collectAt", c.hr_id_attribute as attribute from scim_connections c
    where ${ofIntegration(target, 'c')}`.execute(db);
  return rows[0];
}

/** Marks users whose removal somebody has rejected since they left. Their employees stay as they are. */
async function markRejected(tx: Tx, target: Integration): Promise<void> {
  await sql`
    update scim_users u set removal_rejected = true
    where ${ofIntegration(target, 'u')} and u.left_at is not null and not u.removal_rejected and exists (
      select from syncs s
      join sync_records r on ${ofCompany(target.companyId, 'r')} and r.sync_key = s.id and r.outcome = 'held'
      where ${ofIntegration(target, 's')} and s.held_state = 'rejected' and r.hr_id = u.hr_id
        and s.accepted_at >= u.left_at)`.execute(tx);
}

const isLinked = ({ companyId }: Integration) => sql<boolean>`
  ${ofCompany(companyId, 'l')} and l.hr_integration_id = u.hr_integration_id and l.hr_id = u.hr_id
  and ${ofCompany(companyId, 'e')} and e.id = l.employee_id and e.removed_at is null and not e.is_leaving`;

/** Deletes users whom the provider has deleted and whose employees have left. */
async function forgetGone(tx: Tx, target: Integration): Promise<void> {
  await sql`
    delete from scim_users u where ${ofIntegration(target, 'u')} and u.deleted_at is not null and not exists (
      select from hr_links l join employees e on ${isLinked(target)})`.execute(tx);
}

/**
 * Returns whether the integration links employees whom the provider has never sent. They may be still to come, so that
 * nobody leaves without approval.
 */
async function hasUnknown(tx: Tx, target: Integration): Promise<boolean> {
  const { companyId } = target;
  const { rows } = await sql`
    select l.id from hr_links l
    join employees e on ${ofCompany(companyId, 'e')} and e.id = l.employee_id
    where ${ofIntegration(target, 'l')} and e.removed_at is null and not e.is_leaving
      and not exists (select from scim_users u where ${ofIntegration(target, 'u')} and u.hr_id = l.hr_id)
      and not exists (select from scim_users u where ${ofIntegration(target, 'u')} and u.left_at is null
        and u.email_key = e.email_key) limit 1`.execute(tx);
  return rows.length > 0;
}

async function listKept(tx: Tx, target: Integration): Promise<string[]> {
  const { rows } = await sql<{ hrId: string }>`
    select distinct u.hr_id as "hrId" from scim_users u
    where ${ofIntegration(target, 'u')} and u.removal_rejected and u.hr_id is not null`.execute(tx);
  return rows.map(({ hrId }) => hrId);
}

/** Reads the complete roster: the active users as one moment has them. */
const readUsers = (deps: CollectDeps, target: Integration, attribute: HrIdAttribute): Promise<Roster> =>
  inSnapshot(deps.db, async (tx) => {
    const { timeZone } = await getCompany(tx, target.companyId);
    const today = todayIn(deps.clock, timeZone);
    async function* entries(): AsyncGenerator<ForeignEntry> {
      for (let after = 0; ; ) {
        const users = await listActiveUsers(tx, target, { after, limit: usersAtOnce });
        for (const user of users) yield { entry: toEntry(user, attribute) };
        after = users.at(-1)?.id ?? 0;
        if (users.length < usersAtOnce) return;
      }
    }
    const roster = await checkRoster(entries(), { maxEntries: deps.maxEntries, today, allowsNobody: true });
    const hrIds = await listKept(tx, target);
    const holdsRemovals = await hasUnknown(tx, target);
    if (hrIds.length === 0 && !holdsRemovals) return roster;
    return { ...roster, leftOut: { hrIds, emailKeys: [], isUnknown: false, holdsRemovals } };
  });

/** Leaves the changes that have arrived since for the next sync. */
async function takeChanges(tx: Tx, { queue }: CollectDeps, target: Integration, changes: number): Promise<void> {
  const next = Temporal.Now.instant().add({ seconds: collectSeconds }).toString();
  const { rows } = await sql<{ changes: number }>`
    update scim_connections c set changes = c.changes - ${changes},
      collect_at = case when c.changes > ${changes} then ${next}::timestamptz end
    where ${ofIntegration(target, 'c')} returning c.changes`.execute(tx);
  if ((rows[0]?.changes ?? 0) > 0) {
    await queue.enqueueScimChanges(tx, target.companyId, target.hrIntegrationId, collectSeconds);
  }
}

const postpone = (db: Db, target: Integration) => {
  const at = Temporal.Now.instant().add({ minutes: postponeMinutes }).toString();
  return sql`update scim_connections c set collect_at = ${at}::timestamptz where ${ofIntegration(target, 'c')}`.execute(
    db,
  );
};

async function storeSync(deps: CollectDeps, target: Integration, { changes, attribute }: Connection) {
  const { db, clock } = deps;
  await writeCompany(db, target.companyId, async (tx) => {
    await markRejected(tx, target);
    await forgetGone(tx, target);
  });
  let roster: Roster | ApiError;
  try {
    roster = await readUsers(deps, target, attribute);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'unavailable') throw error;
    roster = error;
  }
  return writeCompany(db, target.companyId, async (tx) => {
    const now = clock.now();
    const syncId = await nameScimSync(tx, target, now);
    if (roster instanceof ApiError) {
      const explanation = roster.explanation ?? createMessage('sync-internal-error', { error: roster.code });
      const ended = { notices: deps.notices, target, now, syncId, status: 'failed', explanation } as const;
      await recordUnreadSync(tx, { ...ended, pushedBy: scimPusher, startedAt: now });
    } else {
      await acceptSync(tx, deps.queue, { target, roster: { ...roster, syncId }, push: { pushedBy: scimPusher, now } });
    }
    await takeChanges(tx, deps, target, changes);
    return { syncId, changes, entries: roster instanceof ApiError ? 0 : roster.entryCount };
  });
}

/**
 * Makes one sync of the changes that an integration has accepted, if they are due. It contains at least those that were
 * counted before its users were read. One collector at a time: a roster must not be older than the one before it.
 */
export const collectScimChanges = (deps: CollectDeps, target: Integration): Promise<void> =>
  withIntegrationLock(deps.db, 'scim', target, async (db) => {
    const connection = await findConnection(db, target);
    if (connection === undefined || connection.changes === 0) return;
    const dueIn = Date.parse(connection.collectAt ?? '1970-01-01') - Date.now();
    if (dueIn > toleranceMillis && !deps.isUrgent) return;
    const start = performance.now();
    try {
      const collected = await storeSync({ ...deps, db }, target, connection);
      deps.onCollected?.({ ...collected, millis: performance.now() - start });
    } catch (error) {
      const isRefused = error instanceof ApiError && ['sync-not-possible', 'not-found'].includes(error.code);
      if (!isRefused) throw error;
      await postpone(db, target);
    }
  });
