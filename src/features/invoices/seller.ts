import { readJsonInput } from '../../platform/cli/files.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listMissingOfBuyer } from '../billing/rules/tax.ts';
import { type BuyerSettings, readSeller, type Seller } from '../companies/rules/parties.ts';

/** Returns the operator's data on invoices, or undefined if they have not been set. */
export async function findSeller(db: Db | Tx): Promise<Seller | undefined> {
  const row = await db.selectFrom('seller_settings').select('seller').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.seller as Seller | undefined;
}

/** What an invoice cannot be issued without: the operator's data, or fields of the company's settings. */
export type MissingData = 'seller' | keyof BuyerSettings;

export const listMissing = (seller: Seller | undefined, buyer: BuyerSettings): MissingData[] => [
  ...(seller === undefined ? ['seller' as const] : []),
  ...listMissingOfBuyer(buyer),
];

/** Sets the data of the invoices that are issued from now on. The earlier data are kept as a record. */
export async function insertSeller(tx: Tx, seller: Seller, now: Temporal.Instant): Promise<void> {
  await tx
    .insertInto('seller_settings')
    .values({ seller: JSON.stringify(seller), set_at: now.toString() })
    .execute();
}

/** Sets the data to those of a JSON file. Throws with everything that is wrong with it. */
export async function setSeller(
  { tx, now }: { tx: Tx; now: Temporal.Instant },
  { seller: path }: { seller: string },
): Promise<{ seller: Seller }> {
  const read = readSeller(await readJsonInput('--seller', path));
  if ('problems' in read) throw new OperatorError(`The file ${path} cannot be used: ${read.problems.join('; ')}.`);
  await insertSeller(tx, read.seller, now);
  return { seller: read.seller };
}
