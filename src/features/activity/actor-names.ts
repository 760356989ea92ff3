import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';

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

/** Returns the names of keys by their usernames, also of keys that were revoked. */
export async function listKeyNames(
  db: Db,
  companyId: CompanyId,
  usernames: readonly string[],
): Promise<Map<string, string>> {
  if (usernames.length === 0) return new Map();
  const { rows } = await sql<{ username: string; name: string }>`
    select k.username, k.name from (
      select concat('tk_', a.company_id, '_', a.id) as username, a.name from api_keys a where ${ofCompany(companyId, 'a')}
    ) k where k.username = any(${usernames})`.execute(db);
  return new Map(rows.map(({ username, name }) => [username, name]));
}
