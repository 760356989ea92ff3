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

/** Migrates tables and queue, distributes them on Citus, and grants privileges. Returns the missing migrations. */
export async function prepareDatabase({ db, url, serviceRole, log }: Preparation): Promise<string[]> {
  const { prepareQueue } = await import('../jobs/queue.ts');
  const migrated = await migrate(db, { log });
  await distributeEmptyTables(db, log);
  await prepareQueue(url);
  const owner = await findRole(db);
  if (owner.name !== serviceRole) await grantPrivileges(db, serviceRole);
  return migrated;
}
