import type { Db } from '../../platform/db/database.ts';
import { readShards, type SharedRead } from '../../platform/db/shards.ts';

/** A value that each shard calculates, in SQL, and how the values of several shards become one. */
interface Column {
  expression: string;
  combine(values: number[]): number;
}

export const sum = (expression: string): Column => ({
  expression,
  combine: (values) => values.reduce((total, value) => total + value, 0),
});
export const max = (expression: string): Column => ({ expression, combine: (values) => Math.max(0, ...values) });

interface Aggregate<Name extends string> {
  table: SharedRead;
  /** Returns what to read instead of the table itself, in SQL. */
  source?: (table: string) => string;
  columns: Record<Name, Column>;
  where?: string;
}

type AggregateResult<Name extends string> = Record<Name, number> & {
  /** Whether every company is included. On Citus, those of a node that does not respond are missing. */
  isComplete: boolean;
};

/** Calculates an aggregate over all companies, also while a node of a Citus cluster does not respond. */
export async function readAggregate<Name extends string>(
  db: Db,
  { table, source = (name) => name, columns: named, where = 'true' }: Aggregate<Name>,
): Promise<AggregateResult<Name>> {
  const columns = Object.entries<Column>(named);
  const values = columns.map(([, { expression }]) => expression).join(', ');
  const { results, isComplete } = await readShards(
    db,
    table,
    (name) => `select json_build_array(${values}) from ${source(name)} t where ${where}`,
  );
  const rows = results.map((result) => JSON.parse(result) as (number | null)[]);
  const totals = columns.map(([name, { combine }], index) => [name, combine(rows.map((row) => row[index] ?? 0))]);
  return { ...Object.fromEntries(totals), isComplete };
}
