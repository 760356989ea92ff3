import { sql } from 'kysely';
import { emailKey } from '../../domain/search.ts';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';

/** Two visible employees of a company with the same address, which older versions treated as different. */
export interface EmailClash {
  companyId: CompanyId;
  /** The employee who is found by the address. */
  holderId: number;
  /** The employee who is found only by the HR id, until one of the two addresses changes. */
  employeeId: number;
}

/**
 * Returns employees whose address already belongs to another employee of their company. Only addresses with non-ASCII
 * characters can clash, so few are read.
 */
async function listEmailClashes(db: Db, companyId: CompanyId): Promise<EmailClash[]> {
  const { rows } = await sql<{ id: number; email: string; email_key: string }>`
    select e.id, e.email, e.email_key from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
      and octet_length(e.email) <> char_length(e.email) order by e.id`.execute(db);
  const stale = rows.filter((row) => row.email_key !== emailKey(row.email));
  if (stale.length === 0) return [];
  const holders = await db
    .selectFrom('employees as e')
    .select(['e.id', 'e.email_key'])
    .where(ofCompany(companyId, 'e'))
    .where('e.removed_at', 'is', null)
    .where(sql<boolean>`e.email_key = any(${stale.map((row) => emailKey(row.email))})`)
    .execute();
  const byKey = new Map(holders.map((row) => [row.email_key, row.id]));
  return stale.flatMap(({ id, email }) => {
    const holderId = byKey.get(emailKey(email));
    return holderId === undefined ? [] : [{ companyId, holderId, employeeId: id }];
  });
}

/** Returns the clashes of every company, for the operator. */
export async function listAllEmailClashes(db: Db): Promise<EmailClash[]> {
  const companies = await db.selectFrom('companies as c').select('c.id').orderBy('c.id').execute();
  const clashes: EmailClash[] = [];
  for (const { id } of companies) clashes.push(...(await listEmailClashes(db, asCompanyId(id))));
  return clashes;
}
