import { sql } from 'kysely';
import { service } from '../../domain/actor.ts';
import type { IntegrationStatus } from '../../domain/enums.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listRows, timeLiteral } from '../../platform/db/shards.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { updateHrIntegration } from './change-integration.ts';
import { pushPermissions, statusByKeys } from './rules/status.ts';

/** Returns until when a key of the company may push rosters. Null: without an end. */
async function findPushEnd(tx: Tx, companyId: CompanyId, now: Temporal.Instant): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ isEndless: boolean | null; endsAt: string | null }>`
    select bool_or(k.expires_at is null) as "isEndless", max(k.expires_at) as "endsAt" from api_keys k
    where ${ofCompany(companyId, 'k')} and k.revoked_at is null
      and k.permissions @> ${[...pushPermissions]}::text[]`.execute(tx);
  const [keys] = rows;
  if (keys?.isEndless) return null;
  return keys?.endsAt ? Temporal.Instant.from(keys.endsAt) : now;
}

/** Locks and returns the API integrations of a company, or one of them. */
async function lockApiIntegrations(tx: Tx, companyId: CompanyId, id: number | undefined) {
  const chosen = sql`${ofCompany(companyId, 'i')} and i.type = 'api-integration'
    ${id === undefined ? sql`` : sql`and i.id = ${id}`}`;
  await sql`select i.id from hr_integrations i where ${chosen} order by i.id for no key update`.execute(tx);
  // A second statement, which sees what was accepted or revoked while the first one waited.
  const { rows } = await sql<{
    id: number;
    status: IntegrationStatus;
    pushEndsAt: string | null;
    isPushedByKey: boolean;
  }>`
    select i.id, i.status, i.push_ends_at as "pushEndsAt",
      coalesce((select s.pushed_by_user is null and s.pushed_by like 'tk\\_%' from syncs s
        where ${ofCompany(companyId, 's')} and s.hr_integration_id = i.id order by s.id desc limit 1), false)
        as "isPushedByKey"
    from hr_integrations i where ${chosen} order by i.id`.execute(tx);
  return rows;
}

/**
 * Updates the status of the company's API integrations, or of one: those that a key has pushed to are `invalid` while no
 * key may push. Runs in the transaction that changes keys or accepts a roster. Keys end by real time; `at` is the time of
 * the environment.
 */
export async function updatePushAccess(
  tx: Tx,
  { companyId, hrIntegrationId }: { companyId: CompanyId; hrIntegrationId?: number },
  at: Temporal.Instant,
): Promise<void> {
  const rows = await lockApiIntegrations(tx, companyId, hrIntegrationId);
  if (rows.length === 0) return;
  const now = Temporal.Now.instant();
  const pushEnd = await findPushEnd(tx, companyId, now);
  for (const { id, status, pushEndsAt, isPushedByKey } of rows) {
    const keys = { isPushedByKey, endsAt: isPushedByKey ? pushEnd : null };
    const endsAt = keys.endsAt?.toString() ?? null;
    if (endsAt !== pushEndsAt) {
      await sql`update hr_integrations i set push_ends_at = ${endsAt}::timestamptz
        where ${ofCompany(companyId, 'i')} and i.id = ${id}`.execute(tx);
    }
    const next = statusByKeys(status, keys, now);
    if (next === status) continue;
    const restored = hrIntegrationId === undefined ? 'key-created' : 'roster-uploaded';
    const reason = next === 'invalid' ? 'no-valid-key' : restored;
    await updateHrIntegration(tx, companyId, { id, status: next }, { actor: service, at, reason });
  }
}

export async function endPushAccess(db: Db, clock: Clock): Promise<void> {
  const { rows } = await listRows<{ companyId: number; id: number }>(db, {
    table: 'hr_integrations',
    columns: 't.company_id as "companyId", t.id',
    where: `t.push_ends_at <= ${timeLiteral(Temporal.Now.instant())} and t.status = 'active'`,
  });
  for (const { companyId, id: hrIntegrationId } of rows) {
    const target = { companyId: asCompanyId(companyId), hrIntegrationId };
    await writeCompany(db, target.companyId, (tx) => updatePushAccess(tx, target, clock.now()));
  }
}
