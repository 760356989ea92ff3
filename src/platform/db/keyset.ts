import { type RawBuilder, sql } from 'kysely';
import type { PageShape, SortOrder } from './page.ts';

/** A place in a sorted list: the sort value and the id of the row before or after which a page begins. */
export interface Place {
  side: 'after' | 'before';
  /** Null sorts last in ascending order, as PostgreSQL does. */
  value: string | null;
  id: number;
}

const opposite = { asc: 'desc', desc: 'asc' } as const;

/**
 * Returns the page of `m` that begins after a place, or ends before it. Each range is read from the index of the order, so
 * that a page costs the same wherever it is, and rows that come or go elsewhere move nothing. `cast` gives the sort value
 * the type and the collation of the column.
 */
export function pageAt(
  { side, value, id }: Place,
  { perPage, sortOrder }: PageShape,
  cast: (value: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  // A page that ends before a place is read from there in the opposite direction, in which nulls are mirrored too.
  const order: SortOrder = side === 'after' ? sortOrder : opposite[sortOrder];
  const direction = sql.raw(order);
  const beyond = sql.raw(order === 'asc' ? '>' : '<');
  const ordered = sql`order by m.sorted ${direction}, m.id ${direction} limit ${sql.lit(perPage)}`;
  const range = (condition: RawBuilder<unknown>) => sql`(select m.id, m.sorted from m where ${condition} ${ordered})`;
  const nullsAhead = order === 'asc';
  const ranges =
    value === null
      ? [
          range(sql`m.sorted is null and m.id ${beyond} ${id}`),
          ...(nullsAhead ? [] : [range(sql`m.sorted is not null`)]),
        ]
      : [
          range(sql`(m.sorted, m.id) ${beyond} (${cast(sql`${value}`)}, ${id}::bigint)`),
          ...(nullsAhead ? [range(sql`m.sorted is null`)] : []),
        ];
  return sql`select u.id, u.sorted from (${sql.join(ranges, sql` union all `)}) u
    order by u.sorted ${direction}, u.id ${direction} limit ${sql.lit(perPage)}`;
}
