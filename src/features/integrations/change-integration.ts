import { sql, type Updateable } from 'kysely';
import type {
  IntegrationStatus,
  IntegrationStatusReason,
  IntegrationType,
  OnboardingStatus,
} from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { HrIntegrationsTable } from '../../platform/db/types.gen.ts';
import { notFound } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { lockIntegration } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import { appendEvents } from '../events/append.ts';
import { newConnection } from './rules/status.ts';
import { findHrIntegration, type HrIntegrationRow, hasScimToken, listHrIntegrations } from './store.ts';

export type { HrIntegrationRow };

export { findHrIntegration, hasScimToken };

export async function getIntegration(db: Db, companyId: CompanyId, id: number): Promise<HrIntegrationRow> {
  const row = await findHrIntegration(db, companyId, id);
  if (row === undefined) throw notFound('HR integration');
  return row;
}

export async function listIntegrations(db: Db, companyId: CompanyId): Promise<HrIntegrationRow[]> {
  const query = { page: 1, perPage: 1_000, sortField: 'id', sortOrder: 'asc' } as const;
  return (await listHrIntegrations(db, companyId, query)).rows;
}

export async function insertHrIntegration(
  tx: Tx,
  companyId: CompanyId,
  { name, type }: { name: string; type: IntegrationType },
  by: By = {},
): Promise<number> {
  const { status, onboarding } = newConnection(type);
  const stamps = by.at && { created_at: by.at.toString(), updated_at: by.at.toString() };
  const { id } = await tx
    .insertInto('hr_integrations')
    .values({ company_id: companyId, name, type, status, initial_connection_status: onboarding, ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertAudit(tx, companyId, { action: 'integration.create', target: String(id), detail: { name, type }, ...by });
  return id;
}

async function updateColumns(
  tx: Tx,
  companyId: CompanyId,
  { id, at, ...columns }: Updateable<HrIntegrationsTable> & { id: number; at: By['at'] | undefined },
): Promise<void> {
  await tx
    .updateTable('hr_integrations')
    .set({ ...columns, updated_at: at?.toString() ?? sql<string>`now()` })
    .where(ofCompany(companyId, 'hr_integrations'))
    .where('id', '=', id)
    .execute();
}

export interface ConnectionChange {
  status?: IntegrationStatus;
  onboarding?: OnboardingStatus;
}

/**
 * Changes the status of an integration, or how far its set-up is, and reports the status if it differs. `reason`: why, if
 * neither a user nor the operator decides. Returns false if the company has no such integration.
 */
export async function updateHrIntegration(
  tx: Tx,
  companyId: CompanyId,
  { id, ...change }: ConnectionChange & { id: number },
  { reason, ...by }: By & { reason?: IntegrationStatusReason } = {},
): Promise<boolean> {
  await lockIntegration(tx, { companyId, hrIntegrationId: id });
  const before = await findHrIntegration(tx, companyId, id);
  if (before === undefined) return false;
  const { status: previousStatus, initial_connection_status: known } = before;
  const { status = previousStatus, onboarding = known } = change;
  await updateColumns(tx, companyId, { id, at: by.at, status, initial_connection_status: onboarding });
  await insertAudit(tx, companyId, { action: 'integration.set', target: String(id), detail: { ...change }, ...by });
  if (status === previousStatus) return true;
  const decidedBy = by.actor?.type === 'user' ? 'set-by-user' : 'set-by-operator';
  const occurredAt = by.at ?? Temporal.Now.instant();
  const payload = { id, status, previousStatus, reason: reason ?? decidedBy };
  appendEvents(tx, companyId, [{ type: 'hr-integration-status-changed', occurredAt, payload }]);
  return true;
}

export const createIntegration = (
  { companyId, by, write }: CompanyContext,
  settings: { name: string; type: IntegrationType },
): Promise<HrIntegrationRow> =>
  write(async (tx) => getIntegration(tx, companyId, await insertHrIntegration(tx, companyId, settings, by)));

export const setIntegration = (
  { companyId, by, write }: CompanyContext,
  change: ConnectionChange & { id: number },
): Promise<HrIntegrationRow> =>
  write(async (tx) => {
    await updateHrIntegration(tx, companyId, change, by);
    return getIntegration(tx, companyId, change.id);
  });

export const renameIntegration = (
  { companyId, by, write }: CompanyContext,
  { id, name }: { id: number; name: string },
): Promise<HrIntegrationRow> =>
  write(async (tx) => {
    await lockIntegration(tx, { companyId, hrIntegrationId: id });
    const { name: previousName } = await getIntegration(tx, companyId, id);
    await updateColumns(tx, companyId, { id, at: by.at, name });
    const detail = { name, previousName };
    await insertAudit(tx, companyId, { action: 'integration.rename', target: String(id), detail, ...by });
    return getIntegration(tx, companyId, id);
  });
