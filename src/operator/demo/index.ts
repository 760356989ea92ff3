import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../../platform/clock/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { readEncryption } from '../../platform/crypto/open-encryption.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeShared } from '../../platform/db/write.ts';
import type { Service } from '../../processes/service.ts';
import { type DemoAccess, readAccessFile, writeAccessFile } from './access-file.ts';

const lookAgainMillis = 200;

const lockName = sql`hashtext('demo')`;

/** Runs work on one connection under the lock of the demo. Polls, since one statement that waits would time out. */
const underDemoLock = <T>(db: Db, work: (connection: Db) => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection) => {
    const tryLock = () => sql<{ mine: boolean }>`select pg_try_advisory_lock(${lockName}) as mine`.execute(connection);
    while (!(await tryLock()).rows[0]?.mine) await setTimeout(lookAgainMillis);
    try {
      return await work(connection);
    } finally {
      // Without a connection there is no lock either.
      await sql`select pg_advisory_unlock(${lockName})`.execute(connection).catch(() => {});
    }
  });

/** Asks every node of a Citus cluster, so it must not be part of a transaction, which would then include them all. */
async function hasCompany(db: Db): Promise<boolean> {
  return (await db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Creates the demo company in a database without companies, in one transaction, after the coming ticket price. Later returns its stored access. */
export async function ensureDemo(
  { db, documents, queue }: Pick<Service, 'db' | 'documents' | 'queue'>,
  config: Config,
  clock: Clock = systemClock,
): Promise<DemoAccess> {
  const storedKeys: string[] = [];
  const store = {
    async put(...args: Parameters<typeof documents.put>) {
      const file = await documents.put(...args);
      storedKeys.push(file.key);
      return file;
    },
  };
  try {
    // Only the first start needs this module, which also imports the PDF renderer: longer than a connection may be idle.
    const company = (await hasCompany(db)) ? undefined : await import('./company.ts');
    const made = await underDemoLock(db, async (connection) => {
      if (company === undefined || (await hasCompany(connection))) return undefined;
      const encryption = await readEncryption(config);
      await writeShared(connection, (tx) => company.addDemoPrice(tx, { clock }));
      return writeShared(connection, async (tx) => {
        const { environment } = config;
        const access = await company.insertDemoCompany(tx, { environment, documents: store, queue, clock, encryption });
        // Written before the commit: a password that was never shown could not be recovered.
        await writeAccessFile(config.dataDir, access);
        return access;
      });
    });
    return made ?? (await readAccessFile(config.dataDir, db));
  } catch (error) {
    await Promise.allSettled(storedKeys.map((key) => documents.remove(key)));
    throw error;
  }
}
