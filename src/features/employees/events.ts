import { sql } from 'kysely';
import { describeSubscription, type EmployeePlan } from '../../domain/employee.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../events/append.ts';

/** The integration whose roster caused a change of employees, if one did, and when. */
interface Origin {
  hrIntegrationId: number | null;
  now: Temporal.Instant;
}

/** Reports employees who were added, or who have returned. */
export function appendCreated(tx: Tx, companyId: CompanyId, ids: number[], { hrIntegrationId, now }: Origin): void {
  appendEvents(
    tx,
    companyId,
    ids.map((id) => ({
      type: 'employee-created',
      occurredAt: now,
      payload: { id, resource: 'employee', hrIntegrationId },
    })),
  );
}

/** Returns the integration that linked each of the employees last. Employees without one are missing. */
async function listLastIntegrations(tx: Tx, companyId: CompanyId, ids: number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; hrIntegrationId: number }>`
    select distinct on (l.employee_id) l.employee_id as id, l.hr_integration_id as "hrIntegrationId" from hr_links l
    where ${ofCompany(companyId, 'l')} and l.employee_id = any(${ids}) and l.hr_integration_id is not null
    order by l.employee_id, l.last_synced_at desc nulls last, l.id desc`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.hrIntegrationId]));
}

/**
 * Reports employees who were removed. If the daily run removes them, the integration is the one that linked them last:
 * they were missing from its roster when their removal was planned.
 */
export async function appendRemoved(
  tx: Tx,
  companyId: CompanyId,
  ids: number[],
  { hrIntegrationId, now }: Origin,
): Promise<void> {
  if (ids.length === 0) return;
  const last = hrIntegrationId === null ? await listLastIntegrations(tx, companyId, ids) : undefined;
  appendEvents(
    tx,
    companyId,
    ids.map((id) => ({
      type: 'employee-removed',
      occurredAt: now,
      payload: { id, resource: 'employee', hrIntegrationId: hrIntegrationId ?? last?.get(id) ?? null },
    })),
  );
}

/**
 * Reports changes of subscriptions, one event per entry of the history. An entry that only records why there is no
 * subscription is no change.
 */
export function appendSubscriptionChanges(
  tx: Tx,
  companyId: CompanyId,
  planned: readonly { id: number; plan: EmployeePlan }[],
  now: Temporal.Instant,
): void {
  for (const { id, plan } of planned) {
    const changes = plan.subscriptionChanges.filter(({ cause }) => cause !== 'not-subscribed');
    if (changes.length === 0) continue;
    const subscription = describeSubscription(plan.employee.subscription, plan.employee.nextTicketOn);
    appendEvents(
      tx,
      companyId,
      changes.map(({ from, cause, rule }) => ({
        type: 'employee-subscription-changed',
        occurredAt: now,
        payload: { id, resource: 'employee', subscription, previousStatus: from, cause, rule: rule.id },
      })),
    );
  }
}
