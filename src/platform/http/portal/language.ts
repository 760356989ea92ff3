import type { Language } from '../../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../db/company-scope.ts';
import type { Db, Tx } from '../../db/database.ts';
import { writeCompany } from '../../db/write.ts';

export async function findLanguage(db: Db | Tx, companyId: CompanyId, userId: string): Promise<Language | null> {
  const row = await db
    .selectFrom('portal_users as u')
    .select('u.language')
    .where(ofCompany(companyId, 'u'))
    .where('u.id', '=', userId)
    .executeTakeFirst();
  return (row?.language ?? null) as Language | null;
}

export async function updateLanguage(db: Db, companyId: CompanyId, userId: string, language: Language): Promise<void> {
  await writeCompany(db, companyId, (tx) =>
    tx
      .updateTable('portal_users')
      .set({ language })
      .where(ofCompany(companyId, 'portal_users'))
      .where('id', '=', userId)
      .execute(),
  );
}
