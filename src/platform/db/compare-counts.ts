import { type RawBuilder, sql } from 'kysely';

export interface CountDifference {
  key: Record<string, string>;
  stored: Record<string, number> | null;
  counted: Record<string, number> | null;
}

interface Compared {
  /** Selects the key columns and the figures as stored. The company may be among them, since it is the same in all. */
  stored: RawBuilder<unknown>;
  counted: RawBuilder<unknown>;
  key: readonly string[];
}

/** Selects stored counts that differ from the actual ones, in one snapshot, so that it needs no lock. */
export function compareCounts({ stored, counted, key }: Compared): RawBuilder<CountDifference> {
  const keyOf = sql`jsonb_build_object(${sql.join(key.flatMap((column) => [sql.lit(column), sql`r.${sql.ref(column)}`]))})`;
  const figuresOf = sql`to_jsonb(r) - array[${sql.join(['company_id', ...key].map((column) => sql.lit(column)))}]::text[]`;
  const rows = (from: RawBuilder<unknown>) => sql`select ${keyOf} as key, ${figuresOf} as figures from (${from}) r`;
  return sql<CountDifference>`
    select coalesce(k.key, n.key) as key, k.figures as stored, n.figures as counted
    from (${rows(stored)}) k full join (${rows(counted)}) n on k.key = n.key
    where k.figures is distinct from n.figures order by 1`;
}
