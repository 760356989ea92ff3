import { type RawBuilder, sql } from 'kysely';

export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface PageRequest {
  page: number;
  perPage: number;
}

/** What of a page stands in a statement's text. */
export interface PageShape {
  perPage: number;
  sortOrder: SortOrder;
}

/** Rows before the page; undefined for the first one. */
export const offsetOf = ({ page, perPage }: PageRequest) => (page <= 1 ? undefined : (page - 1) * perPage);

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

/**
 * How many rows is told in the text: where it is a parameter, PostgreSQL reckons with a tenth of all rows, holds the plan
 * that it has kept for a bad one and makes a new plan each time, which takes longer than the page itself.
 */
const limitOffset = (perPage: number, offset: number | undefined) =>
  offset === undefined ? sql`limit ${sql.lit(perPage)}` : sql`limit ${sql.lit(perPage)} offset ${offset}`;

/** A total order: the column first, then the id in the same direction. */
function orderBy(table: string, column: string, order: SortOrder): RawBuilder<unknown> {
  const direction = sql.raw(order);
  return sql`order by ${sql.ref(`${table}.${column}`)} ${direction}, ${sql.ref(`${table}.id`)} ${direction}`;
}

/** A trigram index finds words of at least three characters; asked for shorter ones it would be read as a whole. */
const indexedLength = 3;

/** One condition a word: the stored text contains the word in one of its forms. `%`, `_` and `\` are ordinary characters. */
export function matchesWords(table: string, words: string[][]): RawBuilder<unknown>[] {
  const column = sql.ref(`${table}.search_text`);
  const contains = (form: string) =>
    form.length < indexedLength
      ? sql`strpos(${column}, ${form}) > 0`
      : sql`${column} like ${`%${form.replace(/[\\%_]/g, '\\$&')}%`}`;
  return words.map((forms) => sql`(${sql.join(forms.map(contains), sql` or `)})`);
}

interface Matching {
  /** Selects `id` and `sorted`, what to sort by, of every record that matches. */
  rows: RawBuilder<unknown>;
  /** Selects `total` where it is kept; undefined: the matching records are counted. */
  storedTotal: RawBuilder<unknown> | undefined;
}

/**
 * The total `n` beside the page `p` of ids, to be joined with the records themselves: one statement, so both come from one
 * snapshot, and ids are found in an index before any record is read. Records that have to be counted are found once,
 * for the total and the page together.
 */
export function pageOf(
  { rows, storedTotal: keptTotal }: Matching,
  { perPage, sortOrder }: PageShape,
  offset: number | undefined,
) {
  const found = sql`with m as ${sql.raw(keptTotal ? 'not materialized' : 'materialized')} (${rows})`;
  const page = sql`select m.id, m.sorted from m ${orderBy('m', 'sorted', sortOrder)} ${limitOffset(perPage, offset)}`;
  const source = sql`(${keptTotal ?? sql`select count(*) as total from m`}) n left join lateral (${page}) p on true`;
  return { found, source, order: orderBy('p', 'sorted', sortOrder) };
}
