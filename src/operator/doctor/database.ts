import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { compareClocks, maxDifferenceSeconds } from '../../platform/clock/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { createChangedSecretError, readEncryption, readSecretCheck } from '../../platform/crypto/open-encryption.ts';
import { sessionSecretFile } from '../../platform/crypto/open-secret.ts';
import { findForeignSecrets } from '../../platform/crypto/rotate-secrets.ts';
import { describeDistribution } from '../../platform/db/citus/distribute.ts';
import type { Db } from '../../platform/db/database.ts';
import { readMigrations } from '../../platform/db/migrate-files.ts';
import { assertServerVersion, readMigrationState } from '../../platform/db/migrate-state.ts';
import { findRole, listPrivilegeDifferences } from '../../platform/db/privileges.ts';
import { fail, ok, type Result, skipped, warn } from './finding.ts';

interface Server {
  version: string;
  encoding: string;
  isStandby: boolean;
  fsync: boolean;
  fullPageWrites: boolean;
  maxConnections: number;
  connections: number;
}

async function readServer(db: Db): Promise<Server | undefined> {
  const { rows } = await sql<Server>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isStandby", current_setting('fsync')::boolean as fsync,
      current_setting('full_page_writes')::boolean as "fullPageWrites",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        as "maxConnections",
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections`.execute(db);
  return rows[0];
}

/** What one process of the API opens besides its pool: exports, the queue, the worker and metrics. */
const furtherConnections = 16;

function judgeConnections(
  { maxConnections, connections }: Server,
  { databasePoolSize }: Pick<Config, 'databasePoolSize'>,
): Result[] {
  const perProcess = databasePoolSize + furtherConnections;
  if (connections > 0.8 * maxConnections) {
    return [
      warn(
        `${connections} of ${maxConnections} connections are in use`,
        'raise max_connections, lower DATABASE_POOL_SIZE or use a pooler in session mode',
      ),
    ];
  }
  if (perProcess > maxConnections) {
    return [
      warn(
        `one process may open ${perProcess} connections, and the server allows ${maxConnections}`,
        'raise max_connections or lower DATABASE_POOL_SIZE',
      ),
    ];
  }
  return [ok(`${connections} of ${maxConnections} connections are in use`)];
}

export function judgeServer(server: Server, config: Pick<Config, 'databasePoolSize'>): Result[] {
  const results = [ok(`PostgreSQL ${server.version} responds`), ...judgeConnections(server, config)];
  if (server.isStandby) {
    results.push(fail('the server is a standby, which refuses writes', 'set DATABASE_URL to the primary server'));
  }
  if (server.encoding !== 'UTF8') {
    results.push(fail(`the encoding is ${server.encoding}`, 'create the database with the encoding UTF8'));
  }
  for (const [name, isOn] of Object.entries({ fsync: server.fsync, full_page_writes: server.fullPageWrites })) {
    if (!isOn) results.push(warn(`${name} is off, so a power failure can destroy data`, `set ${name} to on`));
  }
  return results;
}

export async function checkServer(db: Db, config: Config): Promise<Result[]> {
  await assertServerVersion(db);
  const server = await readServer(db);
  return server === undefined ? [] : judgeServer(server, config);
}

/** A prepared transaction holds locks until a node recovers it, which Citus does within a minute. */
const oldPreparedMinutes = 5;

export async function checkCitus(db: Db): Promise<Result[]> {
  const distribution = await describeDistribution(db);
  if (distribution === undefined) return [skipped('plain PostgreSQL')];
  const { rows: nodes } = await sql<{ name: string; isReachable: boolean }>`
    select nodename || ':' || nodeport as name, citus_check_connection_to_node(nodename, nodeport) as "isReachable"
    from pg_dist_node where noderole = 'primary' and groupid <> 0 order by 1`.execute(db);
  const { rows: prepared } = await sql`
    select from pg_prepared_xacts where prepared < now() - make_interval(mins => ${oldPreparedMinutes})`.execute(db);
  const results = [ok(`${distribution.nodes} nodes, ${distribution.distributed} tables placed`)];
  for (const { name } of nodes.filter(({ isReachable }) => !isReachable)) {
    results.push(fail(`the node ${name} does not respond; its companies get 503`, 'start it or promote its standby'));
  }
  if (distribution.remaining.length > 0) {
    results.push(warn(`not distributed: ${distribution.remaining.join(', ')}`, 'run `distribute`'));
  }
  if (prepared.length > 0) {
    const remedy = 'run `select recover_prepared_transactions()` on the coordinator';
    results.push(warn(`${prepared.length} prepared transactions are older than ${oldPreparedMinutes} minutes`, remedy));
  }
  return results;
}

export async function checkMigrations(db: Db): Promise<Result[]> {
  const { applied, pending, newer } = await readMigrationState(db, await readMigrations());
  if (pending.length > 0) {
    const names = pending.map(({ name }) => name).join(', ');
    return [fail(`${pending.length} migrations are missing: ${names}`, 'run `migrate` as the owner of the tables')];
  }
  if (newer.length > 0) {
    return [warn(`the database is newer than this version: ${newer.join(', ')}`, 'upgrade this installation')];
  }
  return [ok(`${applied.length} migrations are applied`)];
}

export async function checkRole(db: Db): Promise<Result[]> {
  const { name, isOwner } = await findRole(db);
  if (isOwner) {
    const remedy = 'set DATABASE_URL to a separate role and DATABASE_OWNER_URL to the owner, then run `migrate`';
    return [warn(`the role ${name} owns the tables and can rewrite the audit log`, remedy)];
  }
  const differences = await listPrivilegeDifferences(db, name);
  const describe = (kind: 'missing' | 'excess') =>
    differences
      .filter((difference) => difference[kind].length > 0)
      .map((difference) => `${difference[kind].join(', ')} on ${difference.schema}.${difference.table}`)
      .join('; ');
  const [missing, excess] = [describe('missing'), describe('excess')];
  const remedy = 'run `migrate` with DATABASE_OWNER_URL';
  return [
    ...(missing ? [fail(`the role ${name} lacks privileges: ${missing}`, remedy)] : []),
    ...(excess ? [warn(`the role ${name} has more privileges than it needs: ${excess}`, remedy)] : []),
    ...(missing || excess ? [] : [ok(`the role ${name} has the privileges it needs`)]),
  ];
}

export async function checkEnvironment(db: Db, { environment }: Config): Promise<Result[]> {
  const found = await db.selectFrom('environment').select(['name', 'clock_ahead_seconds']).executeTakeFirst();
  if (found === undefined) return [ok('the database belongs to no environment yet')];
  if (found.name !== environment) {
    const finding = `the database belongs to ${found.name}, but ENVIRONMENT is ${environment}`;
    return [fail(finding, 'correct ENVIRONMENT or DATABASE_URL')];
  }
  const ahead = found.clock_ahead_seconds > 0 ? `, its clock is ${found.clock_ahead_seconds} s ahead` : '';
  return [ok(`the database belongs to ${environment}${ahead}`)];
}

export async function checkSecret(db: Db, config: Config): Promise<Result[]> {
  const stored = await readSecretCheck(db);
  if (stored === null || stored === undefined) return [skipped('nothing is stored yet that SECRET decrypts')];
  // To open the secret would create one.
  if (config.secret === undefined && !existsSync(join(config.dataDir, sessionSecretFile))) {
    const finding = `${config.dataDir} has no secret, and one that a start creates cannot decrypt what is stored`;
    return [warn(finding, 'set SECRET to the one of the other processes, or DATA_DIR to the folder that has it')];
  }
  const encryption = await readEncryption(config);
  if (!encryption.isKnown(stored)) throw createChangedSecretError(config);
  const foreign = await findForeignSecrets(db, encryption);
  const enter = 'set SECRET_PREVIOUS to the former SECRET and run `secrets rotate`, or enter them again';
  return [
    encryption.isCurrent(stored)
      ? ok('SECRET is the one with which this database was used')
      : warn('stored secrets are encrypted with SECRET_PREVIOUS', 'run `secrets rotate`'),
    ...foreign.map(({ table, secrets }) => warn(`${secrets} secrets in ${table} cannot be decrypted`, enter)),
  ];
}

/** More than this confuses the expiry of sessions and keys. */
const noticeableSeconds = 2;

/** `now`: reads the clock of this machine. */
export async function checkClock(db: Db, now: () => number): Promise<Result[]> {
  const { difference } = await compareClocks(db, now);
  if (difference <= noticeableSeconds) return [ok('the clocks of this machine and of the database agree')];
  const finding = `the clock of this machine differs from that of the database by ${difference.toFixed(1)} s`;
  return difference > maxDifferenceSeconds
    ? [fail(`${finding}, so no day is processed`, 'synchronise both machines by NTP')]
    : [warn(finding, 'synchronise both machines by NTP')];
}
