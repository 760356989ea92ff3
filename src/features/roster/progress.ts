import { sql } from 'kysely';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type Counts, countEntries } from './counts.ts';

/**
 * A roster is applied in one transaction, of which nobody sees anything before it commits. The name of its connection is
 * the exception: others see it at once, and it ends with the transaction. So it says how far the sync is.
 */

const nameOf = (companyId: CompanyId, syncKey: number) => `transit sync ${companyId}/${syncKey}`;

/** Publishes how many entries of the roster were planned and written. */
export async function publishProgress(
  tx: Tx,
  { companyId, syncKey }: { companyId: CompanyId; syncKey: number },
  counts: Counts,
): Promise<void> {
  const name = `${nameOf(companyId, syncKey)} ${countEntries(counts)}`;
  await sql`select set_config('application_name', ${name}, true)`.execute(tx);
}

/** Returns how many entries were written. Undefined: the sync is not being applied, or has not written any yet. */
export async function findProgress(db: Db, companyId: CompanyId, syncKey: number): Promise<number | undefined> {
  const { rows } = await sql<{ name: string }>`
    select a.application_name as name from pg_stat_activity a
    where a.datname = current_database() and starts_with(a.application_name, ${`${nameOf(companyId, syncKey)} `})`.execute(
    db,
  );
  const written = Number(rows[0]?.name.split(' ').at(-1));
  return Number.isInteger(written) ? written : undefined;
}
