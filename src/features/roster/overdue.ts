import { sql } from 'kysely';
import type { Clock } from '../../platform/clock/clock.ts';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listRows, timeLiteral } from '../../platform/db/shards.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';
import { appendEvents } from '../events/append.ts';
import type { Notices } from '../notices/notices.ts';
import { comparedSyncs, findRosterDue } from './rules/rhythm.ts';

/**
 * Stores when the next roster is overdue. Runs after a roster was applied, which is then the last one. An identity provider
 * sends nothing as long as nothing changes, so it is never overdue.
 */
export async function updateRosterDue(tx: Tx, target: Integration, isProvisioned: boolean): Promise<void> {
  const { rows } = await sql<{ at: string }>`
    select s.finished_at as at from syncs s where ${ofIntegration(target, 's')}
      and s.state in ('succeeded', 'partially-failed') and s.finished_at is not null
    order by s.finished_at desc limit ${comparedSyncs}`.execute(tx);
  const due = isProvisioned ? null : findRosterDue(rows.map(({ at }) => Temporal.Instant.from(at)));
  await sql`update hr_integrations i set roster_due_at = ${due?.toString() ?? null}::timestamptz, overdue_since = null
    where ${ofCompany(target.companyId, 'i')} and i.id = ${target.hrIntegrationId}`.execute(tx);
}

interface OverdueDeps {
  db: Db;
  clock: Clock;
  notices: Notices;
}

/** Marks an integration whose roster is overdue, and reports it once. One that is switched off is not overdue. */
async function reportIfOverdue(
  tx: Tx,
  { clock, notices }: OverdueDeps,
  companyId: CompanyId,
  id: number,
): Promise<boolean> {
  const now = clock.now();
  const { rows } = await sql<{ name: string; dueAt: string; lastSynced: string | null }>`
    update hr_integrations i set overdue_since = i.roster_due_at
    where ${ofCompany(companyId, 'i')} and i.id = ${id} and i.status = 'active' and i.overdue_since is null
      and i.roster_due_at <= ${now.toString()}::timestamptz
    returning i.name, i.roster_due_at as "dueAt", i.last_synced_at as "lastSynced"`.execute(tx);
  if (rows[0] === undefined) return false;
  const { name, dueAt, lastSynced } = rows[0];
  const dates = { lastSynced: presentOptionalTimestamp(lastSynced), dueAt: presentTimestamp(dueAt) };
  const payload = { hrIntegrationId: id, ...dates };
  appendEvents(tx, companyId, [{ type: 'roster-overdue', occurredAt: now, payload }]);
  await notices.queueNotices(tx, companyId, {
    name: 'roster-overdue',
    occasion: `${id}/${Date.parse(dueAt)}`,
    page: `/integrations/${id}`,
    valuesIn: (timeZone) => ({ integration: name, since: { at: lastSynced ?? dueAt, timeZone } }),
  });
  return true;
}

export async function reportOverdueRosters(deps: OverdueDeps): Promise<number> {
  const { db, clock } = deps;
  const { rows } = await listRows<{ companyId: number; id: number }>(db, {
    table: 'hr_integrations',
    columns: 't.company_id as "companyId", t.id',
    where: `t.roster_due_at <= ${timeLiteral(clock.now())} and t.overdue_since is null and t.status = 'active'`,
  });
  let reported = 0;
  for (const { companyId: company, id } of rows) {
    const companyId = asCompanyId(company);
    if (await writeCompany(db, companyId, (tx) => reportIfOverdue(tx, deps, companyId, id))) reported += 1;
  }
  return reported;
}
