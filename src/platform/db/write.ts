import { sql } from 'kysely';
import type { CompanyId } from './company-scope.ts';
import type { Db, Tx } from './database.ts';
import { assertNoEventsPending, insertPendingEvents, takePendingEvents } from './pending-events.ts';

/** The channel on which workers hear that a company has new events to deliver. */
export const newEvents = 'new_events';

/**
 * Counts one more change of the company and writes the events that the transaction has collected. The last statements of
 * a transaction: writers of the same company wait for each other as briefly as possible, and never in a circle. The lock
 * of the row is held until the commit, so the sequence of events has no gaps and follows the order of commits.
 */
export async function countChange(tx: Tx, companyId: CompanyId): Promise<void> {
  const events = takePendingEvents(tx, companyId);
  const added = events?.count ?? 0;
  const { rows } = await sql<{ last: number }>`
    insert into company_versions as v (company_id, version, event_sequence) values (${companyId}, 1, ${added})
    on conflict (company_id) do update set version = v.version + 1, event_sequence = v.event_sequence + ${added}
    returning v.event_sequence as last`.execute(tx);
  if (events === undefined) return;
  await insertPendingEvents(tx, companyId, events, (rows[0]?.last ?? 0) - added);
  await sql`select pg_notify(${newEvents}, ${String(companyId)})`.execute(tx);
}

/**
 * Opens a transaction that changes records of one company. Every change of a company's records runs in one: its commit
 * increases the version of the company, by which readers know that an answer they keep is still true. Within another
 * transaction it is a part of that one, which counts its changes itself.
 */
export const writeCompany = <T>(db: Db | Tx, companyId: CompanyId, write: (tx: Tx) => Promise<T>): Promise<T> =>
  db.isTransaction
    ? write(db as Tx)
    : db.transaction().execute(async (tx) => {
        const result = await write(tx);
        await countChange(tx, companyId);
        assertNoEventsPending(tx);
        return result;
      });

/** Opens a transaction that changes nothing that the API shows of a company, or that counts its changes itself. */
export const writeShared = <T>(db: Db, write: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    const result = await write(tx);
    assertNoEventsPending(tx);
    return result;
  });

/** Executes a part of a transaction. If it fails, the transaction goes on without it. */
export async function inSavepoint<T>(tx: Tx, write: (tx: Tx) => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(tx);
  try {
    const result = await write(tx);
    await sql`release savepoint part`.execute(tx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint part`.execute(tx);
    throw error;
  }
}
