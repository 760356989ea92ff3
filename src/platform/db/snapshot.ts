import type { Db, Tx } from './database.ts';

/** Runs several read-only statements on one snapshot of the database. */
export const inSnapshot = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
