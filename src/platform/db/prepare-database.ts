import { distributeEmptyTables } from './citus/distribute.ts';
import type { Db } from './database.ts';
import { migrate } from './migrate.ts';
import type { MigrationLog } from './migrate-lock.ts';
import { findRole, grantPrivileges } from './privileges.ts';

interface Preparation {
  /** A pool of the owner with at least three connections, and its URL. */
  db: Db;
  url: string;
  serviceRole: string;
  log?: MigrationLog | undefined;
}

/**
 * Brings the tables, the queue and the privileges to the state that this version expects, on a Citus cluster also the
 * distribution of the tables. Returns the names of the migrations that were missing. Several processes may call it at the same time.
 */
export async function prepareDatabase({ db, url, serviceRole, log }: Preparation): Promise<string[]> {
  const { prepareQueue } = await import('../jobs/queue.ts');
  const migrated = await migrate(db, { log });
  await distributeEmptyTables(db, log);
  await prepareQueue(url);
  const owner = await findRole(db);
  if (owner.name !== serviceRole) await grantPrivileges(db, serviceRole);
  return migrated;
}
