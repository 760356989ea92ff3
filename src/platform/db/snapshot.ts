import { CompiledQuery, type DatabaseConnection, PostgresDialect, type PostgresPool, Transaction } from 'kysely';
import type { Db, Tx } from './database.ts';
import { allowDirectSnapshot } from './prepared-statement.ts';
import type { DB } from './types.gen.ts';

/** Kysely needs one for what no snapshot does: nested transactions. */
const dialect = new PostgresDialect({ pool: {} as PostgresPool });
const driver = dialect.createDriver();

/** Returns what executes statements on one connection without waiting for the responses to those before. */
function transactionOn(db: Db, connection: DatabaseConnection): Tx {
  const provider = {
    provideConnection: <T>(consumer: (connection: DatabaseConnection) => Promise<T>) => consumer(connection),
  };
  const executor = db.getExecutor().withConnectionProvider(provider);
  const tx = new Transaction<DB>({ config: { dialect }, dialect, driver, executor });
  allowDirectSnapshot(db, tx, connection);
  return tx;
}

const isAborted = (error: unknown) => (error as { code?: unknown }).code === '25P02';

const begin = CompiledQuery.raw('begin transaction isolation level repeatable read read only');
const commit = CompiledQuery.raw('commit');

/**
 * Reads by several statements what is true at one moment. Those that start together are sent together: waiting for each
 * response takes longer than all other work for a few rows.
 */
export async function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) throw new Error('A transaction cannot begin within another.');
  return db.getExecutor().provideConnection(async (own) => {
    let failure: Error | undefined;
    const connection: DatabaseConnection = {
      executeQuery: (...args: Parameters<typeof own.executeQuery>) =>
        own.executeQuery<never>(...args).catch((error: Error) => {
          failure ??= error;
          throw error;
        }),
      streamQuery: (...args: Parameters<typeof own.streamQuery>) => own.streamQuery<never>(...args),
    };
    const begun = connection.executeQuery(begin);
    try {
      const [result] = await Promise.all([read(transactionOn(db, connection)), begun]);
      return result;
    } catch (error) {
      // The statements behind one that fails, fail because of it.
      throw isAborted(error) ? failure : error;
    } finally {
      // Ends the transaction also after a failure. If it fails, the connection is lost, and the pool replaces it.
      await connection.executeQuery(commit).catch(() => {});
    }
  });
}
