import type { Db } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { findRole, grantPrivileges } from './db/privileges.ts';

interface Preparation {
  /** A connection of the owner, and its URL. */
  db: Db;
  url: string;
  /** The role that the service will run as. */
  serviceRole: string;
}

/**
 * Brings the tables, the queue and the privileges to the state that this version expects. Returns the names of the
 * migrations that were missing. Several processes may call it at the same time.
 */
export async function prepareDatabase({ db, url, serviceRole }: Preparation): Promise<string[]> {
  const { prepareQueue } = await import('./jobs/queue.ts');
  const migrated = await migrate(db);
  await prepareQueue(url);
  const owner = await findRole(db);
  if (owner.name !== serviceRole) await grantPrivileges(db, serviceRole);
  return migrated;
}
