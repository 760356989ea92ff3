import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../domain/enums.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { restrictDataFolder } from '../files/private-files.ts';
import type { Tracing } from '../telemetry/tracing/tracing.ts';
import { connectMillisOf } from './connect-timeout.ts';
import { connectDatabase, type Database, type Db } from './database.ts';
import { openEmbedded } from './embedded/index.ts';
import { assertMigrated } from './migrate.ts';
import type { MigrationLog } from './migrate-lock.ts';
import { prepareDatabase } from './prepare-database.ts';
import { type DatabaseRole, findRole } from './privileges.ts';
import { assertSessionPooling } from './session-pooling.ts';
import { applicationNameOf } from './versions.ts';

export interface OpenDatabase extends Database {
  url: string;
  role: DatabaseRole;
  migrated: string[];
  connect(options: { max: number; streaming: boolean }): Database;
}

/** How long a start waits for a server that responds late or is still starting, as after a failure of a whole machine. */
const patienceMillis = 60_000;

const isLate = (error: unknown) =>
  (error as { code?: string }).code === '57P03' || /timeout/.test((error as Error).message);

/** Calls a server that swallows everything, such as one behind a firewall, what it is. */
const describeFailure = ({ message }: Error, url: string) =>
  /timeout/i.test(message)
    ? `time-out, there was no response within ${connectMillisOf(url) / 1000} s. Check host, port and firewall`
    : message;

/** Throws if the database cannot be used. A start is patient; a check of the settings reports what it finds now. */
export async function assertUsable(url: string, setting: string, { isPatient = false } = {}): Promise<void> {
  const deadline = performance.now() + (isPatient ? patienceMillis : 0);
  for (;;) {
    try {
      return await assertSessionPooling(url, setting);
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      const reason = error instanceof AggregateError ? error.errors[0] : error;
      if (!isLate(reason) || performance.now() > deadline) {
        throw new OperatorError(`The database of ${setting} cannot be used: ${describeFailure(reason as Error, url)}.`);
      }
      await sleep(200);
    }
  }
}

async function assertEnvironment(db: Db, environment: Environment): Promise<void> {
  await db
    .insertInto('environment')
    .values({ name: environment })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const { name } = await db.selectFrom('environment').select('name').executeTakeFirstOrThrow();
  if (name !== environment) {
    throw new OperatorError(
      `This database belongs to the environment ${name}, but ENVIRONMENT is ${environment}. Correct ENVIRONMENT or DATABASE_URL.`,
    );
  }
}

/** Migrates as the owner and grants what the service needs. Returns the migrations that were missing. */
async function prepareAsOwner(ownerUrl: string, serviceRole: string, log?: MigrationLog): Promise<string[]> {
  const owner = connectDatabase({
    url: ownerUrl,
    max: 3,
    applicationName: 'transit migrate',
    streaming: true,
    statementTimeoutMillis: 86_400_000,
  });
  try {
    await assertUsable(ownerUrl, 'DATABASE_OWNER_URL', { isPatient: true });
    return await prepareDatabase({ db: owner.db, url: ownerUrl, serviceRole, log });
  } finally {
    await owner.close();
  }
}

interface InspectedDatabase extends Database {
  url: string;
  ownerUrl: string | undefined;
}

/** Connects to the configured database, or the embedded one, and changes nothing in it. For commands that only inspect. */
export async function inspectDatabase(config: Config): Promise<InspectedDatabase> {
  const embedded =
    config.databaseUrl === undefined ? await openEmbedded({ dataDir: config.dataDir, role: 'command' }) : undefined;
  const url = config.databaseUrl ?? embedded?.url ?? '';
  const database = connectDatabase({ url, max: 2, applicationName: 'transit inspect' });
  return {
    ...database,
    url,
    ownerUrl: embedded?.ownerUrl ?? config.databaseOwnerUrl,
    async close() {
      await database.close();
      await embedded?.stop();
    },
  };
}

interface Options {
  role: 'serve' | 'command';
  onError?: (error: Error) => void;
  log?: MigrationLog;
  tracing?: Tracing | undefined;
}

/** Opens the configured or embedded database. Ensures that it is reachable, migrated and of this environment. */
export async function openDatabase(
  config: Config,
  { role: member, onError, log, tracing }: Options,
): Promise<OpenDatabase> {
  await restrictDataFolder(config.dataDir);
  const embedded =
    config.databaseUrl === undefined ? await openEmbedded({ dataDir: config.dataDir, role: member }) : undefined;
  const url = config.databaseUrl ?? embedded?.url ?? '';
  const connect = (options: { max: number; streaming: boolean }) =>
    connectDatabase({
      url,
      applicationName: applicationNameOf(member),
      tracing,
      ...options,
      ...(onError ? { onIdleError: onError } : {}),
    });
  const main = connect({ max: config.databasePoolSize, streaming: false });
  const close = async () => {
    await main.close();
    await embedded?.stop();
  };
  try {
    await assertUsable(url, 'DATABASE_URL', { isPatient: true });
    const role = await findRole(main.db);
    const ownerUrl = embedded?.ownerUrl ?? config.databaseOwnerUrl ?? (role.isOwner ? url : undefined);
    const migrated = ownerUrl === undefined ? [] : await prepareAsOwner(ownerUrl, role.name, log);
    if (ownerUrl === undefined) await assertMigrated(main.db, log);
    await assertEnvironment(main.db, config.environment);
    return { ...main, url, role: await findRole(main.db), close, connect, migrated };
  } catch (error) {
    await close();
    throw error;
  }
}
