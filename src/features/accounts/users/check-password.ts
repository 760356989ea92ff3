import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { verifyPassword } from '../passwords.ts';
import { userEmailKey } from '../store.ts';

/** Returns whether address and password belong to a user of the company. */
export async function isPasswordOf(db: Db, companyId: CompanyId, email: string, password: string): Promise<boolean> {
  const row = await db
    .selectFrom('portal_users as p')
    .innerJoin('portal_accounts as a', 'a.user_id', 'p.id')
    .select('a.password')
    .where(ofCompany(companyId, 'p'))
    .where('a.provider_id', '=', 'credential')
    .where('p.email', '=', userEmailKey(email))
    .executeTakeFirst();
  return row?.password != null && (await verifyPassword({ hash: row.password, password }));
}
