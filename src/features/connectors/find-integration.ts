import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { findHrIntegration, type HrIntegrationRow, listHrIntegrations } from './store.ts';

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
