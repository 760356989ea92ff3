import type { Db } from '../../platform/db/database.ts';
import { readShards, type SharedRead } from '../../platform/db/shards.ts';

/** An aggregate over the rows of all companies. */
export interface Aggregate<Name extends string> {
  table: SharedRead;
  /** Returns what to read instead of the table itself, in SQL. */
  source?: (table: string) => string;
  /** What to calculate, in SQL, and how the results of several shards become one. */
  columns: Record<Name, { expression: string; combine: 'sum' | 'max' }>;
  where: string;
}

export type AggregateResult<Name extends string> = Record<Name, number> & {
  /** Whether every company is included. On Citus, those of a node that does not respond are missing. */
  isComplete: boolean;
};

/** Calculates an aggregate over all companies, also while a node of a Citus cluster does not respond. */
export async function readAggregate<Name extends string>(
  db: Db,
  { table, source = (name) => name, columns: named, where }: Aggregate<Name>,
): Promise<AggregateResult<Name>> {
  const columns = Object.entries(named) as [Name, Aggregate<Name>['columns'][Name]][];
  const values = columns.map(([, { expression }]) => expression).join(', ');
  const { results, isComplete } = await readShards(
    db,
    table,
    (name) => `select json_build_array(${values}) from ${source(name)} t where ${where}`,
  );
  const read = results.map((result) => JSON.parse(result) as (number | null)[]);
  const totals = columns.map(([name, { combine }], index) => {
    const numbers = read.map((row) => row[index] ?? 0);
    const total = combine === 'max' ? Math.max(0, ...numbers) : numbers.reduce((sum, number) => sum + number, 0);
    return [name, total];
  });
  return { ...Object.fromEntries(totals), isComplete };
}
