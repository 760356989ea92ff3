import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { parseUsername } from './credentials.ts';

/** Returns the names of keys by their usernames, also of keys that were revoked. */
export async function listKeyNames(
  db: Db,
  companyId: CompanyId,
  usernames: readonly string[],
): Promise<Map<string, string>> {
  const ids = new Map(usernames.flatMap((username) => [[parseUsername(username)?.keyId ?? '', username] as const]));
  ids.delete('');
  if (ids.size === 0) return new Map();
  const keys = await db
    .selectFrom('api_keys as k')
    .select(['k.id', 'k.name'])
    .where(ofCompany(companyId, 'k'))
    .where('k.id', 'in', [...ids.keys()])
    .execute();
  return new Map(keys.map(({ id, name }) => [ids.get(id) ?? '', name]));
}
