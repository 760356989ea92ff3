import { sql } from 'kysely';
import { OperatorError } from '../../config/operator-error.ts';
import type { Db, Tx } from '../database.ts';
import { type MigrationLog, withMigrationLock } from '../migrate-lock.ts';
import { findCluster } from './cluster.ts';
import { changeSequentially } from './sequential.ts';
import { type PlannedTable, planTables } from './tables.ts';

interface ForeignKey {
  name: string;
  definition: string;
}

/** Replaces `on delete set null`, which Citus refuses on the company. Code sets the column to null first. */
async function replaceSetNull(tx: Tx, table: string): Promise<void> {
  const { rows } = await sql<ForeignKey>`
    select c.conname as name, pg_get_constraintdef(c.oid) as definition from pg_constraint c
    where c.conrelid = ${`public.${table}`}::regclass and c.contype = 'f' and c.confdeltype in ('n', 'd')
    order by 1`.execute(tx);
  for (const { name, definition } of rows) {
    const without = definition.replace(/ ON DELETE SET (NULL|DEFAULT)( \([^)]*\))?/, '');
    await sql`alter table ${sql.id(table)} drop constraint ${sql.id(name)}`.execute(tx);
    await sql`alter table ${sql.id(table)} add constraint ${sql.id(name)} ${sql.raw(without)}`.execute(tx);
  }
}

async function moveTable(tx: Tx, { name, column }: PlannedTable): Promise<void> {
  await changeSequentially(tx);
  if (column === null) {
    await sql`select citus_add_local_table_to_metadata(${`public.${name}`}::regclass, true)`.execute(tx);
    return;
  }
  await replaceSetNull(tx, name);
  const together = column === 'id' ? 'none' : 'companies';
  await sql`
    select create_distributed_table(${`public.${name}`}::regclass, ${column}, colocate_with => ${together})`.execute(
    tx,
  );
}

/** Removes the rows that Citus has copied to the nodes and left behind, invisibly, in the table of the coordinator. */
async function removeCopiedRows(db: Db, tables: readonly PlannedTable[]): Promise<void> {
  for (const { name } of tables.filter(({ placement }) => placement === 'distributed')) {
    await sql`select truncate_local_data_after_distributing_table(c.oid) from pg_class c
      where c.oid = ${`public.${name}`}::regclass and pg_relation_size(c.oid) > 0`.execute(db);
  }
}

export interface Progress {
  table: string;
  position: number;
  total: number;
}

type Report = (step: Progress) => void;

const listMissing = async (db: Db) => (await planTables(db)).filter(({ isDone }) => !isDone);

/** Moves every table as `planTables` derives, one transaction each. Can be repeated after an interruption. */
const moveTables = (db: Db, log: MigrationLog | undefined, report: Report): Promise<string[]> =>
  withMigrationLock(db, log, async (lock) => {
    const missing = await listMissing(db);
    for (const [index, table] of missing.entries()) {
      report({ table: table.name, position: index + 1, total: missing.length });
      await db.transaction().execute(async (tx) => {
        // A local table is moved together with those that foreign keys tie to it.
        const isDone = (await planTables(tx)).find(({ name }) => name === table.name)?.isDone;
        if (!isDone) await moveTable(tx, table);
        await lock.assertHeld(tx);
      });
    }
    await removeCopiedRows(db, await planTables(db));
    return missing.map(({ name }) => name);
  });

async function hasRows(db: Db, { name }: PlannedTable): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists (select from ${sql.id(name)}) as has`.execute(db);
  return rows[0]?.has ?? false;
}

async function listFilled(db: Db, tables: PlannedTable[]): Promise<string[]> {
  const filled: string[] = [];
  for (const table of tables) if (await hasRows(db, table)) filled.push(table.name);
  return filled;
}

const remedy = 'Stop all processes of the service and run the command `distribute`.';

/** Distributes new and empty tables. Leaves a filled database to the operator, and throws if that was cut off. */
export async function distributeEmptyTables(db: Db, log?: MigrationLog): Promise<void> {
  if ((await findCluster(db)) === undefined) return;
  const tables = await planTables(db);
  const missing = tables.filter(({ isDone }) => !isDone);
  if (missing.length === 0) return;
  const filled = await listFilled(
    db,
    missing.filter(({ placement }) => placement === 'distributed'),
  );
  if (filled.length > 0) {
    const hasBegun = tables.some(({ isDone }) => isDone);
    if (!hasBegun) return;
    throw new OperatorError(`The tables ${filled.join(', ')} are not distributed yet. ${remedy}`);
  }
  await moveTables(db, log, (step) => log?.info(step, 'distributing a table'));
}

/** Throws while processes of the service are connected: they would wait for locks and run into time limits. */
async function assertUnused(db: Db): Promise<void> {
  const { rows } = await sql<{ connections: number }>`
    select count(*) as connections from pg_stat_activity
    where datname = current_database() and application_name ~ '^transit (serve|queue)'`.execute(db);
  const connections = rows[0]?.connections ?? 0;
  if (connections > 0) {
    throw new OperatorError(
      `Processes of the service hold ${connections} connections to this database. Stop them, then run \`distribute\` again.`,
    );
  }
}

/** Distributes a filled database. Returns the names of the moved tables, none if all were distributed before. */
export async function distributeAllTables(db: Db, report: Report): Promise<string[]> {
  const cluster = await findCluster(db);
  if (cluster === undefined) {
    throw new OperatorError(
      'DATABASE_URL points to a database without Citus nodes. Create the extension there and add the nodes first (docs/operate/scale-out.md).',
    );
  }
  if ((await listMissing(db)).length > 0) await assertUnused(db);
  return moveTables(db, undefined, report);
}

export interface Distribution {
  nodes: number;
  distributed: number;
  remaining: string[];
}

/** Returns undefined on plain PostgreSQL. */
export async function describeDistribution(db: Db): Promise<Distribution | undefined> {
  const cluster = await findCluster(db);
  if (cluster === undefined) return undefined;
  const tables = await planTables(db);
  const names = (isDone: boolean) => tables.filter((table) => table.isDone === isDone).map(({ name }) => name);
  return { nodes: cluster.nodes, distributed: names(true).length, remaining: names(false) };
}
