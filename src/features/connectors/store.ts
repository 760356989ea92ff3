import { type Selectable, sql } from 'kysely';
import type {
  IntegrationStatus,
  IntegrationStatusReason,
  IntegrationType,
  OnboardingStatus,
} from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { offsetOf, type VersionedPage } from '../../platform/db/page.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { HrIntegrationsTable } from '../../platform/db/types.gen.ts';
import { versionColumn } from '../../platform/db/versions.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { lockIntegration } from '../companies/companies.ts';
import { appendEvents } from '../events/append.ts';
import type { HrIntegrationsQuery } from './contract.ts';
import { newConnection } from './rules/integrations.ts';

export type HrIntegrationRow = Omit<
  Selectable<HrIntegrationsTable>,
  'company_id' | 'created_at' | 'updated_at' | 'deleted_at'
>;

const sortColumns = { id: 'id', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

const columns = sql`i.id, i.name, i.type, i.status, i.initial_connection_status, i.last_sync_id, i.last_synced_at,
  i.last_sync_status`;

type ListShape = Pick<HrIntegrationsQuery, 'sortField' | 'sortOrder'>;

interface ListValues {
  companyId: CompanyId;
  ids: HrIntegrationsQuery['ids'] | undefined;
  types: HrIntegrationsQuery['types'] | undefined;
}

type ListedRow = (HrIntegrationRow | { [Column in keyof HrIntegrationRow]: null }) & { version: number };

/** Selects all that match, or one row without an integration: every row contains the version. */
const selectHrIntegrations = preparedStatement(
  (shape: ListShape, { companyId, ids, types }: ListValues) => {
    const conditions = [
      ofCompany(companyId, 'i'),
      sql`i.deleted_at is null`,
      ...(ids ? [sql`i.id = any(${ids})`] : []),
      ...(types ? [sql`i.type = any(${types})`] : []),
    ];
    const direction = sql.raw(shape.sortOrder);
    return sql<ListedRow>`
    select ${versionColumn(companyId)} as version, ${columns}
    from (select) one left join hr_integrations i on ${sql.join(conditions, sql` and `)}
    order by ${sql.ref(`i.${sortColumns[shape.sortField]}`)} ${direction}, i.id ${direction}`;
  },
  { isShort: true },
);

/** Cuts the page out of all rows. A company has few integrations, so that is faster than a statement per page. */
export async function listHrIntegrations(
  db: Db,
  companyId: CompanyId,
  query: HrIntegrationsQuery,
): Promise<VersionedPage<HrIntegrationRow>> {
  const { sortField, sortOrder, perPage, ids, types } = query;
  const listed = await selectHrIntegrations(db, { sortField, sortOrder }, { companyId, ids, types });
  const rows = listed.filter((row): row is HrIntegrationRow & { version: number } => row.id !== null);
  const first = offsetOf(query) ?? 0;
  return { rows: rows.slice(first, first + perPage), total: rows.length, version: listed[0]?.version ?? 0 };
}

/** Selects all integrations of a company on one page. */
export const everyHrIntegration: HrIntegrationsQuery = { page: 1, perPage: 1_000, sortField: 'id', sortOrder: 'asc' };

export async function findHrIntegration(
  db: Db,
  companyId: CompanyId,
  id: number,
): Promise<HrIntegrationRow | undefined> {
  const { rows } = await sql<HrIntegrationRow>`
    select ${columns} from hr_integrations i where ${ofCompany(companyId, 'i')} and i.id = ${id}
      and i.deleted_at is null`.execute(db);
  return rows[0];
}

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
export async function renameHrIntegration(
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
