import { type RawBuilder, sql } from 'kysely';

export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface PageRequest {
  page: number;
  perPage: number;
}

/** Each row carries the total; a page without rows is one row that carries nothing else. */
export interface PageRow {
  total: number;
  id: number | null;
}

export interface Page<Row> {
  rows: Row[];
  total: number;
}

export function toPage<Row extends PageRow>(rows: Row[]): Page<Row & { id: number }> {
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is Row & { id: number } => row.id !== null),
  };
}

export const limitOffset = ({ page, perPage }: PageRequest) =>
  sql`limit ${perPage} offset ${(Math.max(1, page) - 1) * perPage}`;

/** A total order: the column first, then the id in the same direction. */
export function orderBy(table: string, column: string, order: SortOrder): RawBuilder<unknown> {
  const direction = sql.raw(order);
  const id = sql`${sql.ref(`${table}.id`)} ${direction}`;
  return column === 'id' ? sql`order by ${id}` : sql`order by ${sql.ref(`${table}.${column}`)} ${direction}, ${id}`;
}

/** One condition a word: the stored text contains the word in one of its forms. `%`, `_` and `\` are ordinary characters. */
export function matchesWords(table: string, words: string[][]): RawBuilder<unknown>[] {
  const column = sql.ref(`${table}.search_text`);
  const like = (form: string) => sql`${column} like ${`%${form.replace(/[\\%_]/g, '\\$&')}%`}`;
  return words.map((forms) => sql`(${sql.join(forms.map(like), sql` or `)})`);
}
