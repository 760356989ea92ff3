import type { Config } from '../config.ts';
import type { Environment } from '../domain/vocabulary.ts';
import { OperatorError } from '../operator-error.ts';
import { restrictDataFolder } from '../private-files.ts';
import { connectDatabase, type Database, type Db } from './database.ts';
import { openEmbedded } from './embedded/index.ts';
import { migrate } from './migrate.ts';

export interface OpenDatabase extends Database {
  url: string;
  /** Names of the migrations that were missing. */
  migrated: string[];
  /** A second pool on the same database. */
  connect(options: { max: number; streaming: boolean }): Database;
}

async function assertReachable(db: Db): Promise<void> {
  try {
    await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors[0] : error;
    throw new OperatorError(`The database of DATABASE_URL cannot be used: ${(reason as Error).message}.`);
  }
}

/** A database belongs to the environment that first migrated it, so that no process writes into the other's. */
async function assertEnvironment(db: Db, environment: Environment): Promise<void> {
  await db
    .insertInto('environment')
    .values({ name: environment })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const { name } = await db.selectFrom('environment').select('name').executeTakeFirstOrThrow();
  if (name !== environment) {
    throw new OperatorError(`This database belongs to ${name}, but ENVIRONMENT is ${environment}.`);
  }
}

interface Options {
  role: 'serve' | 'command';
  onError?: (error: Error) => void;
}

/** The configured database, or the embedded one, reachable, migrated and of this environment. */
export async function openDatabase(config: Config, { role, onError }: Options): Promise<OpenDatabase> {
  await restrictDataFolder(config.dataDir);
  const embedded = config.databaseUrl === undefined ? await openEmbedded({ dataDir: config.dataDir, role }) : undefined;
  const url = config.databaseUrl ?? embedded?.url ?? '';
  const connect = (options: { max: number; streaming: boolean }) =>
    connectDatabase({
      url,
      applicationName: `transit ${role}`,
      ...options,
      ...(onError ? { onIdleError: onError } : {}),
    });
  const main = connect({ max: config.databasePoolSize, streaming: false });
  const close = async () => {
    await main.close();
    await embedded?.stop();
  };
  try {
    await assertReachable(main.db);
    const migrated = await migrate(main.db);
    await assertEnvironment(main.db, config.environment);
    return { ...main, url, close, connect, migrated };
  } catch (error) {
    await close();
    throw error;
  }
}
