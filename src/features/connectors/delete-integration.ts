import { sql } from 'kysely';
import { operator } from '../../domain/actor.ts';
import type { Day } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { loadEffectPrices } from '../billing/prices.ts';
import { createEffectSum, sumEffects } from '../billing/rules/effects.ts';
import { type Company, getCompany, type Integration, lockIntegration, ofIntegration } from '../companies/companies.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../daily-run/run.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { loadEmployees } from '../employees/load.ts';
import { updateSubscriptions, writeHistoryAndDocuments } from '../employees/write.ts';
import { getIntegration, updateHrIntegration } from '../integrations/change-integration.ts';
import { loadKnownEmployees } from '../roster/load.ts';
import { planAbsent } from '../roster/rules/plan.ts';
import type { DeletionPreview } from './contract.ts';

const employeesAtOnce = 500;

/** Returns the employees that the integration links. `lastIds`: those that no other integration links. */
async function listLinked(tx: Tx, target: Integration, today: Day) {
  const linked = (await loadKnownEmployees(tx, target, today)).filter(
    ({ linkId, isRemoved, isLeaving }) => linkId !== null && !isRemoved && !isLeaving,
  );
  const last = linked.filter(({ linkedElsewhere }) => !linkedElsewhere);
  return { linked: linked.length, lastIds: last.map(({ id }) => id) };
}

/** Plans the end of these employees, some at a time. */
async function* planOffboarding(tx: Tx, company: Company, ids: readonly number[], today: Day) {
  for (let from = 0; from < ids.length; from += employeesAtOnce) {
    const employees = await loadEmployees(tx, company.id, ids.slice(from, from + employeesAtOnce), today);
    yield [...employees].map(([id, employee]) => ({ id, plan: planAbsent(employee, today, company) }));
  }
}

/** Returns what the deletion would do. The fee for links ends, unless the integration is inactive and costs none. */
export async function previewDeletion(tx: Tx, target: Integration, today: Day): Promise<DeletionPreview> {
  const { status } = await getIntegration(tx, target.companyId, target.hrIntegrationId);
  const { linked, lastIds } = await listLinked(tx, target, today);
  const company = await getCompany(tx, target.companyId);
  const prices = await loadEffectPrices(tx, company.id, { today, ...target });
  const less = status === 'inactive' ? 0 : -1;
  const offboard = createEffectSum(prices);
  for await (const planned of planOffboarding(tx, company, lastIds, today)) {
    offboard.add(planned.map(({ plan }) => ({ plan, linked: less })));
  }
  const keep = sumEffects(
    lastIds.map(() => ({ plan: null, linked: less })),
    prices,
  );
  return { linked, last: lastIds.length, effects: { keep, offboard: offboard.total() } };
}

async function assertNoSync(tx: Tx, target: Integration): Promise<void> {
  const { rows } = await sql`select s.id from syncs s
    where ${ofIntegration(target, 's')} and s.state in ('accepted', 'processing') limit 1`.execute(tx);
  if (rows.length > 0) throw new ApiError('sync-not-possible', createMessage('integration-busy'));
}

/**
 * Deletes an integration and its links. Employees keep their HR ids as custom links, by which payroll knows them. The
 * integration stays hidden, because syncs and charges refer to it. Throws if other employees are concerned than the
 * user has confirmed.
 */
export async function deleteHrIntegration(
  tx: Tx,
  deps: DailyRunDeps,
  target: Integration,
  { remaining, confirmed, by }: { remaining: 'keep' | 'offboard'; confirmed?: number | undefined; by: By },
): Promise<{ linked: number; offboarded: number; kept: number }> {
  const { companyId, hrIntegrationId } = target;
  const { company, today } = await lockAndCatchUp(tx, deps, companyId);
  await lockIntegration(tx, target);
  const { name } = await getIntegration(tx, companyId, hrIntegrationId);
  await assertNoSync(tx, target);
  const { linked, lastIds } = await listLinked(tx, target, today);
  if (confirmed !== undefined && confirmed !== lastIds.length) {
    const detail = `Only this integration links ${lastIds.length} employees now, not ${confirmed}.`;
    throw new ApiError('confirmation-mismatch', detail);
  }
  const now = deps.clock.now();
  const changeContext = { actor: by.actor ?? operator, syncKey: null, hrIntegrationId, now, removedAt: now };
  const leaving = remaining === 'offboard' ? lastIds : [];
  let documents = 0;
  for await (const planned of planOffboarding(tx, company, leaving, today)) {
    await updateSubscriptions(tx, companyId, planned, changeContext);
    documents += await writeHistoryAndDocuments(tx, company, planned, changeContext);
  }
  if (documents > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
  const { rows: last } = await sql<{ employeeId: number; hrId: string }>`
    select l.employee_id as "employeeId", min(l.hr_id) as "hrId" from hr_links l
    where ${ofCompany(companyId, 'l')} group by l.employee_id
    having count(*) = 1 and bool_and(l.hr_integration_id = ${hrIntegrationId})`.execute(tx);
  await sql`insert into hr_links (company_id, employee_id, hr_id)
    select ${companyId}::bigint, k.employee_id, k.hr_id
    from unnest(${last.map(({ employeeId }) => employeeId)}::bigint[], ${last.map(({ hrId }) => hrId)}::text[]) as k (employee_id, hr_id)
    on conflict do nothing`.execute(tx);
  await sql`delete from hr_links l where ${ofIntegration(target, 'l')}`.execute(tx);
  await sql`delete from integration_cases k where ${ofIntegration(target, 'k')}`.execute(tx);
  await sql`delete from hr_connectors c where ${ofIntegration(target, 'c')}`.execute(tx);
  await sql`delete from scim_groups g where ${ofIntegration(target, 'g')}`.execute(tx);
  await sql`delete from scim_users u where ${ofIntegration(target, 'u')}`.execute(tx);
  await sql`delete from scim_connections c where ${ofIntegration(target, 'c')}`.execute(tx);
  await sql`update syncs s set held_state = 'replaced'
    where ${ofIntegration(target, 's')} and s.held_state = 'pending'`.execute(tx);
  await updateHrIntegration(tx, companyId, { id: hrIntegrationId, status: 'inactive' }, { ...by, at: now });
  await sql`update hr_integrations i set deleted_at = ${now.toString()}::timestamptz, push_ends_at = null
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(tx);
  if (leaving.length > 0) await refreshEmployeeCounts(tx, companyId);
  const result = { linked, offboarded: leaving.length, kept: lastIds.length - leaving.length };
  await insertAudit(tx, companyId, {
    ...by,
    action: 'integration.delete',
    target: String(hrIntegrationId),
    detail: { name, ...result },
    at: now,
  });
  return result;
}
