import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Returns whether the company lets this user sign in with a password. */
export async function isPasswordAllowed(
  db: Db | Tx,
  { companyId, userId }: { companyId: CompanyId; userId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('sso_connections as s')
    .select(['s.is_enforced', 's.break_glass_user_id'])
    .where(ofCompany(companyId, 's'))
    .executeTakeFirst();
  return row === undefined || !row.is_enforced || row.break_glass_user_id === userId;
}
