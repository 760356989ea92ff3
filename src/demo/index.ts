import { sql } from 'kysely';
import type { NewKey } from '../auth/keys.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Tx } from '../db/database.ts';
import type { Service } from '../service.ts';
import { insertDemoCompany } from './company.ts';
import { readKeyFile, writeKeyFile } from './key-file.ts';

export type DemoKey = NewKey;

/** Whoever comes second waits for the lock, then finds the company of the first. */
async function lockDemo(tx: Tx): Promise<{ exists: boolean }> {
  await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(tx);
  const company = await tx.selectFrom('companies').select('id').limit(1).executeTakeFirst();
  return { exists: company !== undefined };
}

/**
 * Makes the demo company in a database without any company, and answers its key; on later starts answers the key that was
 * remembered, if it is this database's.
 */
export async function ensureDemo(
  { db, documents }: Pick<Service, 'db' | 'documents'>,
  config: Config,
  clock: Clock = systemClock,
): Promise<DemoKey | undefined> {
  const storedKeys: string[] = [];
  const store = {
    async put(...args: Parameters<typeof documents.put>) {
      const file = await documents.put(...args);
      storedKeys.push(file.key);
      return file;
    },
  };
  try {
    const made = await db.transaction().execute(async (tx) => {
      const { exists } = await lockDemo(tx);
      if (exists) return undefined;
      const key = await insertDemoCompany(tx, config.environment, store, clock.now());
      // Before the commit: a key that nobody has seen could never be told again.
      await writeKeyFile(config.dataDir, key);
      return key;
    });
    return made ?? (await readKeyFile(config.dataDir, db));
  } catch (error) {
    await Promise.allSettled(storedKeys.map((key) => documents.remove(key)));
    throw error;
  }
}
