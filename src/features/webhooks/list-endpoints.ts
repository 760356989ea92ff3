import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { presentEndpoint } from './present.ts';
import { listEndpointRows } from './store.ts';

export const listEndpoints = async ({ db, companyId }: { db: Db | Tx; companyId: CompanyId }) =>
  (await listEndpointRows(db, companyId)).map(presentEndpoint);

/** Returns the endpoints that the user created, changed or saw the secret of, by the audit log. */
export async function listEndpointsOf(db: Db | Tx, companyId: CompanyId, userId: string) {
  const { rows } = await sql<{ target: string }>`
    select distinct a.target from audit_log a
    where ${ofCompany(companyId, 'a')} and a.action in ('webhook.create', 'webhook.update', 'webhook.rotate')
      and a.actor = ${userId}`.execute(db);
  const targets = new Set(rows.map(({ target }) => target));
  return (await listEndpointRows(db, companyId)).filter(({ id }) => targets.has(String(id)));
}
