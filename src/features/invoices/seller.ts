import type { Db, Tx } from '../../platform/db/database.ts';
import type { Seller } from './rules/parties.ts';

/** Returns the operator's data on invoices, or undefined if they have not been set. */
export async function findSeller(db: Db | Tx): Promise<Seller | undefined> {
  const row = await db.selectFrom('seller_settings').select('seller').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.seller as Seller | undefined;
}

/** Sets the data of the invoices that are issued from now on. The earlier data are kept as a record. */
export async function insertSeller(tx: Tx, seller: Seller, now: Temporal.Instant): Promise<void> {
  await tx
    .insertInto('seller_settings')
    .values({ seller: JSON.stringify(seller), set_at: now.toString() })
    .execute();
}
