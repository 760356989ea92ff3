import { type RawBuilder, sql } from 'kysely';

export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface PageRequest {
  page: number;
  perPage: number;
}

export interface PageShape {
  perPage: number;
  sortOrder: SortOrder;
}

export const offsetOf = ({ page, perPage }: PageRequest) => (page <= 1 ? undefined : (page - 1) * perPage);

/** Every row contains the total. A page without rows is one row that contains nothing else. */
export interface PageRow {
  total: number;
  id: number | null;
}

export interface Page<Row> {
  rows: Row[];
  total: number;
}

export type VersionedPage<Row> = Page<Row> & { version: number };

export function toPage<Row extends PageRow>(rows: Row[]): Page<Row & { id: number }> {
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is Row & { id: number } => row.id !== null),
  };
}

/** Every row contains the version, also that of a page without rows. */
export const toVersionedPage = <Row extends PageRow & { version: number }>(
  rows: Row[],
): VersionedPage<Row & { id: number }> => ({ ...toPage(rows), version: rows[0]?.version ?? 0 });

/** Returns the limit as a literal: with a parameter, PostgreSQL plans each time, which takes longer than the page. */
const limitOffset = (perPage: number, offset: number | undefined) =>
  offset === undefined ? sql`limit ${sql.lit(perPage)}` : sql`limit ${sql.lit(perPage)} offset ${offset}`;

/** Returns a total order: by the column, then by id in the same direction. */
function orderBy(table: string, column: string, order: SortOrder): RawBuilder<unknown> {
  const direction = sql.raw(order);
  return sql`order by ${sql.ref(`${table}.${column}`)} ${direction}, ${sql.ref(`${table}.id`)} ${direction}`;
}

/** A trigram index finds words of at least three characters. For shorter words the whole index would be read. */
const indexedLength = 3;

export interface WordForm {
  isIndexed: boolean;
  value: string;
}

/** Returns what to compare for each form of each word. `%`, `_` and `\` are ordinary characters. */
export const wordForms = (words: string[][]): WordForm[][] =>
  words.map((forms) =>
    forms.map((form) => {
      const isIndexed = form.length >= indexedLength;
      return { isIndexed, value: isIndexed ? `%${form.replace(/[\\%_]/g, '\\$&')}%` : form };
    }),
  );

export function matchesWords(table: string, words: WordForm[][]): RawBuilder<unknown>[] {
  const column = sql.ref(`${table}.search_text`);
  const contains = ({ isIndexed, value }: WordForm) =>
    isIndexed ? sql`${column} like ${value}` : sql`strpos(${column}, ${value}) > 0`;
  return words.map((forms) => sql`(${sql.join(forms.map(contains), sql` or `)})`);
}

interface Matching {
  /** Selects `id` and `sorted`, the sort value, of every matching record. */
  rows: RawBuilder<unknown>;
  /** Selects `total` where it is stored. Undefined: the matching records are counted. */
  storedTotal: RawBuilder<unknown> | undefined;
}

interface PageParts {
  found: RawBuilder<unknown>;
  source: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/** Returns the total `n` and the page `p` of ids, where `page` selects the page from the matching records `m`. */
export function pageWith({ rows, storedTotal }: Matching, sortOrder: SortOrder, page: RawBuilder<unknown>): PageParts {
  const found = sql`with m as ${sql.raw(storedTotal ? 'not materialized' : 'materialized')} (${rows})`;
  const source = sql`(${storedTotal ?? sql`select count(*) as total from m`}) n left join lateral (${page}) p on true`;
  return { found, source, order: orderBy('p', 'sorted', sortOrder) };
}

/**
 * Returns the total `n` and the page `p` of ids, to be joined with the records. It is one statement, so both come from
 * one snapshot. The ids are found in an index before any record is read. Records that have to be counted are found
 * once, for the total and the page together.
 */
export function pageOf(matching: Matching, { perPage, sortOrder }: PageShape, offset: number | undefined): PageParts {
  const page = sql`select m.id, m.sorted from m ${orderBy('m', 'sorted', sortOrder)} ${limitOffset(perPage, offset)}`;
  return pageWith(matching, sortOrder, page);
}
