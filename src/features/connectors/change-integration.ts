import { sql } from 'kysely';
import type {
  IntegrationStatus,
  IntegrationStatusReason,
  IntegrationType,
  OnboardingStatus,
} from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { lockIntegration } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import { appendEvents } from '../events/append.ts';
import { newConnection } from './rules/integrations.ts';
import { findHrIntegration, type HrIntegrationRow, listHrIntegrations } from './store.ts';

export async function insertHrIntegration(
  tx: Tx,
  companyId: CompanyId,
  { name, type }: { name: string; type: IntegrationType },
  by: By = {},
): Promise<number> {
  const { status, onboarding } = newConnection(type);
  const stamps = by.at && { created_at: by.at.toString(), updated_at: by.at.toString() };
  const row = await tx
    .insertInto('hr_integrations')
    .values({ company_id: companyId, name, type, status, initial_connection_status: onboarding, ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow();
  const target = String(row.id);
  await insertAudit(tx, companyId, { action: 'integration.create', target, detail: { name, type }, ...by });
  return row.id;
}

export interface ConnectionChange {
  status?: IntegrationStatus;
  onboarding?: OnboardingStatus;
}

/** Who changes a connection, and why if it is neither a user nor the operator who decides. */
type ConnectionBy = By & { reason?: IntegrationStatusReason };

interface StatusChange {
  id: number;
  status: IntegrationStatus;
  previousStatus: IntegrationStatus;
}

/** Reports a change of the status, unless it stays the same. */
function appendStatusChange(
  tx: Tx,
  companyId: CompanyId,
  change: StatusChange,
  { actor, at, reason: given }: ConnectionBy,
): void {
  if (change.status === change.previousStatus) return;
  const reason = given ?? (actor?.type === 'user' ? 'set-by-user' : 'set-by-operator');
  const occurredAt = at ?? Temporal.Now.instant();
  const payload = { ...change, reason };
  appendEvents(tx, companyId, [{ type: 'hr-integration-status-changed', occurredAt, payload }]);
}

/** Returns false if the company has no such integration. */
export async function updateHrIntegration(
  tx: Tx,
  companyId: CompanyId,
  { id, ...change }: ConnectionChange & { id: number },
  { reason, ...by }: ConnectionBy = {},
): Promise<boolean> {
  await lockIntegration(tx, { companyId, hrIntegrationId: id });
  const before = await findHrIntegration(tx, companyId, id);
  if (before === undefined) return false;
  await tx
    .updateTable('hr_integrations')
    .set({
      ...(change.status ? { status: change.status } : {}),
      ...(change.onboarding ? { initial_connection_status: change.onboarding } : {}),
      updated_at: by.at?.toString() ?? sql<string>`now()`,
    })
    .where(ofCompany(companyId, 'hr_integrations'))
    .where('id', '=', id)
    .execute();
  await insertAudit(tx, companyId, { action: 'integration.set', target: String(id), detail: { ...change }, ...by });
  const { status: previousStatus } = before;
  appendStatusChange(
    tx,
    companyId,
    { id, status: change.status ?? previousStatus, previousStatus },
    { ...by, ...(reason ? { reason } : {}) },
  );
  return true;
}

/** Renames an integration. Returns false if the company has no such integration. */
async function renameHrIntegration(
  tx: Tx,
  companyId: CompanyId,
  { id, name }: { id: number; name: string },
  by: By = {},
): Promise<boolean> {
  await lockIntegration(tx, { companyId, hrIntegrationId: id });
  const before = await findHrIntegration(tx, companyId, id);
  if (before === undefined) return false;
  await tx
    .updateTable('hr_integrations')
    .set({ name, updated_at: by.at?.toString() ?? sql<string>`now()` })
    .where(ofCompany(companyId, 'hr_integrations'))
    .where('id', '=', id)
    .execute();
  const detail = { name, previousName: before.name };
  await insertAudit(tx, companyId, { action: 'integration.rename', target: String(id), detail, ...by });
  return true;
}

/** Creates an integration. */
export const createIntegration = (
  { companyId, by, write }: CompanyContext,
  settings: { name: string; type: IntegrationType },
): Promise<HrIntegrationRow> =>
  write(async (tx) => getIntegration(tx, companyId, await insertHrIntegration(tx, companyId, settings, by)));

/** Changes the status of an integration, or how far its set-up is. */
export const setIntegration = (
  { companyId, by, write }: CompanyContext,
  change: ConnectionChange & { id: number },
): Promise<HrIntegrationRow> =>
  write(async (tx) => {
    if (!(await updateHrIntegration(tx, companyId, change, by))) throw notFound('HR integration');
    return getIntegration(tx, companyId, change.id);
  });

export const renameIntegration = (
  { companyId, by, write }: CompanyContext,
  { id, name }: { id: number; name: string },
): Promise<HrIntegrationRow> =>
  write(async (tx) => {
    if (!(await renameHrIntegration(tx, companyId, { id, name }, by))) throw notFound('HR integration');
    return getIntegration(tx, companyId, id);
  });

/** Returns an integration. Throws if the company has none with this id. */
export async function getIntegration(db: Db, companyId: CompanyId, id: number): Promise<HrIntegrationRow> {
  const row = await findHrIntegration(db, companyId, id);
  if (row === undefined) throw notFound('HR integration');
  return row;
}

/** Returns all integrations of a company. */
export async function listIntegrations(db: Db, companyId: CompanyId): Promise<HrIntegrationRow[]> {
  const query = { page: 1, perPage: 1_000, sortField: 'id', sortOrder: 'asc' } as const;
  return (await listHrIntegrations(db, companyId, query)).rows;
}

export type { HrIntegrationRow };
