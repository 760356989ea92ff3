import type { Db, Tx } from './database.ts';

/** Several statements that see one state of the database and change nothing. */
export const inSnapshot = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
