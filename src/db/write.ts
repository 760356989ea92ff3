import { sql } from 'kysely';
import type { CompanyId } from './company-scope.ts';
import type { Db, Tx } from './database.ts';

/**
 * Counts one more change of the company. The last statement of a transaction: writers of the same company wait for each
 * other as briefly as possible, and never in a circle.
 */
export async function countChange(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`insert into company_versions as v (company_id, version) values (${companyId}, 1)
    on conflict (company_id) do update set version = v.version + 1`.execute(tx);
}

/**
 * Opens a transaction that changes records of one company. Every change of a company's records runs in one: its commit
 * increases the version of the company, by which readers know that an answer they keep is still true.
 */
export const writeCompany = <T>(db: Db, companyId: CompanyId, write: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    const result = await write(tx);
    await countChange(tx, companyId);
    return result;
  });

/** Opens a transaction that changes nothing of a company: accounts, the queue, the environment. */
export const writeShared = <T>(db: Db, write: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(write);
