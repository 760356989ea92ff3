import { type Selectable, sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { offsetOf, type VersionedPage } from '../../platform/db/page.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { HrIntegrationsTable } from '../../platform/db/types.gen.ts';
import { versionColumn } from '../../platform/db/versions.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';
import type { HrIntegrationsQuery } from './contract.ts';

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

/** Returns whether an identity provider keeps the roster of an integration, by SCIM. */
export async function hasScimToken(db: Db, { companyId, hrIntegrationId }: Integration): Promise<boolean> {
  const { rows } = await sql`select from scim_connections c
    where ${ofIntegration({ companyId, hrIntegrationId }, 'c')} and c.token_hash is not null`.execute(db);
  return rows.length > 0;
}

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
