import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** An aggregate over the rows of all companies. */
export interface Aggregate<Name extends string> {
  table: 'companies' | 'documents' | 'syncs';
  /** What to calculate, in SQL, and how the results of several shards become one. */
  columns: Record<Name, { expression: string; combine: 'sum' | 'max' }>;
  where: string;
}

export type AggregateResult<Name extends string> = Record<Name, number> & {
  /** Whether every company is included. On Citus, those of a node that does not respond are missing. */
  isComplete: boolean;
};

/** Returns whether the table is spread over the nodes of a Citus cluster. */
async function isDistributed(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ hasCitus: boolean }>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as "hasCitus"`.execute(db);
  if (!rows[0]?.hasCitus) return false;
  const { rows: found } = await sql`
    select 1 from pg_dist_partition p
    where p.logicalrelid = to_regclass(${`public.${table}`}) and p.partmethod = 'h'`.execute(db);
  return found.length > 0;
}

interface ShardResult {
  success: boolean;
  result: string;
}

/**
 * Returns one JSON array per shard, or a single one. Citus would reject a query over all companies as a whole while one
 * node does not respond. `run_command_on_shards` reports the failure of each shard instead.
 */
async function readShards(db: Db, { table, where }: Aggregate<string>, values: string): Promise<ShardResult[]> {
  const command = (name: string) => `select json_build_array(${values}) from ${name} t where ${where}`;
  if (await isDistributed(db, table)) {
    const { rows } = await sql<ShardResult>`
      select r.success, r.result from run_command_on_shards(${`public.${table}`}::regclass, ${command('%s')}) r`.execute(
      db,
    );
    return rows;
  }
  const { rows } = await sql<{ result: string }>`
    select r.result::text as result from (${sql.raw(command(table))}) r(result)`.execute(db);
  return rows.map(({ result }) => ({ success: true, result }));
}

/** Calculates an aggregate over all companies, also while a node of a Citus cluster does not respond. */
export async function readAggregate<Name extends string>(
  db: Db,
  aggregate: Aggregate<Name>,
): Promise<AggregateResult<Name>> {
  const columns = Object.entries(aggregate.columns) as [Name, Aggregate<Name>['columns'][Name]][];
  const shards = await readShards(db, aggregate, columns.map(([, { expression }]) => expression).join(', '));
  const read = shards.filter(({ success }) => success).map(({ result }) => JSON.parse(result) as (number | null)[]);
  const totals = columns.map(([name, { combine }], index) => {
    const numbers = read.map((row) => row[index] ?? 0);
    const total = combine === 'max' ? Math.max(0, ...numbers) : numbers.reduce((sum, number) => sum + number, 0);
    return [name, total];
  });
  return { ...Object.fromEntries(totals), isComplete: read.length === shards.length };
}
