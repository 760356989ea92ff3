import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import type { CommandContext } from '../platform/cli/define.ts';
import type { Config } from '../platform/config/config.ts';
import { describeDistribution } from '../platform/db/citus/distribute.ts';
import { connectDatabase } from '../platform/db/database.ts';
import { clusterIn } from '../platform/db/embedded/cluster.ts';
import { readMigrations } from '../platform/db/migrate-files.ts';
import { assertServerVersion, type MigrationState, readMigrationState } from '../platform/db/migrate-state.ts';
import { assertUsable, inspectDatabase, openDatabase } from '../platform/db/open-database.ts';
import { createLog } from '../platform/telemetry/log.ts';

/** Reads as the owner if it is configured, because the role of the service may have no privileges yet. */
async function readState(config: Config): Promise<MigrationState> {
  const migrations = await readMigrations();
  const isNew = config.databaseUrl === undefined && !existsSync(clusterIn(config.dataDir).folder);
  if (isNew) return { applied: [], pending: migrations, newer: [], unrecorded: undefined };
  const stops = new AsyncDisposableStack();
  try {
    const { ownerUrl, ...database } = await inspectDatabase(config);
    stops.defer(database.close);
    const owner = ownerUrl && connectDatabase({ url: ownerUrl, max: 1, applicationName: 'transit inspect' });
    if (owner) stops.defer(owner.close);
    const { db } = owner || database;
    const isOwner = config.databaseOwnerUrl !== undefined;
    await assertUsable(ownerUrl ?? database.url, isOwner ? 'DATABASE_OWNER_URL' : 'DATABASE_URL');
    await assertServerVersion(db);
    return await readMigrationState(db, migrations);
  } finally {
    await stops.disposeAsync();
  }
}

async function planMigrations(config: Config) {
  const { applied, pending, newer } = await readState(config);
  return {
    applied: applied.length,
    newer,
    pending: pending.map(({ name, isTransactional, unreadSince }) => ({
      name,
      inTransaction: isTransactional,
      unreadSince: unreadSince ?? null,
    })),
  };
}

export async function migrate({ plan }: { plan: boolean }, { config }: CommandContext) {
  if (plan) return planMigrations(config);
  const log = createLog(config);
  const database = await openDatabase({ ...config, databasePoolSize: 2 }, { role: 'command', log });
  try {
    const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(database.db);
    const citus = await describeDistribution(database.db);
    const migrations = rows.map((row) => row.name);
    return { applied: database.migrated, migrations, ...(citus ? { citus } : {}) };
  } finally {
    await database.close();
    log.flush();
  }
}
