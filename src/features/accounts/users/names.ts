import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db } from '../../../platform/db/database.ts';

/** Returns the names of these users, including those that have been removed since. */
export async function listUserNames(db: Db, companyId: CompanyId, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const users = await db
    .selectFrom('portal_users as u')
    .select(['u.id', 'u.name'])
    .where(ofCompany(companyId, 'u'))
    .where('u.id', 'in', ids)
    .execute();
  return new Map(users.map(({ id, name }) => [id, name]));
}
