import { sql } from 'kysely';
import type { HrIdAttribute } from '../../domain/enums.ts';
import type { Db } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import { type Integration, lockIntegration, ofIntegration } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import { getIntegration } from '../integrations/change-integration.ts';
import type { ScimState } from './contract.ts';
import { ScimError } from './scim-error.ts';
import { scimUrl } from './tokens.ts';
import { toUniquenessError } from './users.ts';

interface ConnectionRow {
  hasToken: boolean;
  createdAt: string | null;
  lastUsedAt: string | null;
  previousUntil: string | null;
  hrIdAttribute: HrIdAttribute;
  changes: number;
  collectAt: string | null;
}

async function findRow(db: Db, target: Integration): Promise<ConnectionRow | undefined> {
  const { rows } = await sql<ConnectionRow>`
    select c.token_hash is not null as "hasToken", c.token_created_at as "createdAt", c.last_used_at as "lastUsedAt",
      case when c.previous_token_hash is not null and c.previous_token_until > now() then c.previous_token_until end
        as "previousUntil",
      c.hr_id_attribute as "hrIdAttribute", c.changes, c.collect_at as "collectAt"
    from scim_connections c where ${ofIntegration(target, 'c')}`.execute(db);
  return rows[0];
}

async function countUsers(db: Db, target: Integration) {
  const { rows } = await sql<{ users: number; activeUsers: number }>`
    select count(*) as users, count(*) filter (where u.active) as "activeUsers" from scim_users u
    where ${ofIntegration(target, 'u')} and u.deleted_at is null`.execute(db);
  return rows[0] ?? { users: 0, activeUsers: 0 };
}

async function findHeld(db: Db, target: Integration): Promise<ScimState['heldRemovals']> {
  const { rows } = await sql<{ syncId: string; count: number }>`
    select s.sync_id as "syncId", s.held_count as count from syncs s
    where ${ofIntegration(target, 's')} and s.held_state = 'pending' order by s.id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns what the page of an integration shows about SCIM. */
export const readScimState = (
  { db, companyId, config }: Pick<CompanyContext, 'db' | 'companyId' | 'config'>,
  { id }: { id: number },
): Promise<ScimState> =>
  inSnapshot(db, async (tx) => {
    const target = { companyId, hrIntegrationId: id };
    await getIntegration(tx, companyId, id);
    const row = await findRow(tx, target);
    const token = row?.hasToken
      ? {
          createdAt: presentTimestamp(row.createdAt ?? ''),
          lastUsedAt: presentOptionalTimestamp(row.lastUsedAt),
          previousUntil: presentOptionalTimestamp(row.previousUntil),
        }
      : null;
    return {
      url: scimUrl(config.publicUrl),
      token,
      hrIdAttribute: row?.hrIdAttribute ?? 'employeeNumber',
      ...(await countUsers(tx, target)),
      waitingChanges: row?.changes ?? 0,
      nextSyncAt: presentOptionalTimestamp(row?.collectAt ?? null),
      heldRemovals: row ? await findHeld(tx, target) : null,
    };
  });

/**
 * Sets which attribute is the HR id, also of the users that are stored. The next sync finds the employees by their email
 * addresses and gives them their new HR ids. Throws if an active user would have none, or two the same.
 */
export function setHrIdAttribute(
  { companyId, by, write }: Pick<CompanyContext, 'companyId' | 'by' | 'write'>,
  { id, hrIdAttribute }: { id: number; hrIdAttribute: HrIdAttribute },
): Promise<{ id: number; hrIdAttribute: HrIdAttribute }> {
  const target = { companyId, hrIntegrationId: id };
  return write(async (tx) => {
    await lockIntegration(tx, target);
    await getIntegration(tx, companyId, id);
    const row = await findRow(tx, target);
    if (row === undefined) {
      throw new ApiError('sync-not-possible', 'SCIM is not switched on. Create a token for this integration first.');
    }
    if (row.hrIdAttribute === hrIdAttribute) return { id, hrIdAttribute };
    const value = hrIdAttribute === 'externalId' ? sql`u.external_id` : sql`coalesce(u.employee_number, u.external_id)`;
    const { rows: lacking } = await sql`select u.id from scim_users u
      where ${ofIntegration(target, 'u')} and u.left_at is null and ${value} is null limit 1`.execute(tx);
    if (lacking.length > 0) {
      const detail = `Some active users have no ${hrIdAttribute}. Let the identity provider send it first.`;
      throw new ApiError('sync-not-possible', detail);
    }
    // Due at once: the job that restores lost jobs adds one.
    const now = Temporal.Now.instant().toString();
    await sql`update scim_connections c set hr_id_attribute = ${hrIdAttribute}, changes = c.changes + 1,
      collect_at = ${now}::timestamptz
      where ${ofIntegration(target, 'c')}`.execute(tx);
    await sql`update scim_users u set hr_id = ${value} where ${ofIntegration(target, 'u')}`.execute(tx);
    await insertAudit(tx, companyId, {
      action: 'integration.scim',
      target: String(id),
      detail: { hrIdAttribute },
      ...by,
    });
    return { id, hrIdAttribute };
  }).catch((error) => {
    const explained = toUniquenessError(error);
    throw explained instanceof ScimError ? new ApiError('sync-not-possible', explained.message) : explained;
  });
}
