import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db } from '../../src/platform/db/database.ts';
import type { DB } from '../../src/platform/db/types.gen.ts';

/** Short forms of the statements with which tests look at tables and change them behind the service's back. */
type Table = keyof DB & string;
type Column<T extends Table> = keyof Selectable<DB[T]> & string;
/** The values that a row must have. A list means any of them. */
type Where<T extends Table> = { [C in Column<T>]?: unknown };

// biome-ignore lint/suspicious/noExplicitAny: kysely's types do not know a column that is only known when it is called.
type Query = any;

const restrict = (query: Query, where: object): Query =>
  Object.entries(where).reduce(
    (all, [column, value]) => all.where(column, value === null ? 'is' : Array.isArray(value) ? 'in' : '=', value),
    query,
  );

function select(db: Db, table: Table, where: object, columns: readonly string[]): Query {
  const restricted = restrict(db.selectFrom(table as Query), where);
  return columns.length === 0 ? restricted.selectAll() : restricted.select(columns);
}

const orders: Partial<Record<Table, string>> = {
  events: 'sequence',
  mails: 'created_at',
  employee_mails: 'created_at',
};

/** Returns the rows with these values in the order of their creation. Without columns: all columns. */
export const rowsOf = <T extends Table, C extends Column<T> = Column<T>>(
  db: Db,
  table: T,
  where: Where<T>,
  columns: readonly C[] = [],
): Promise<Pick<Selectable<DB[T]>, C>[]> =>
  select(db, table, where, columns)
    .orderBy(orders[table] ?? 'id')
    .execute();

/** Returns the row with these values. Throws if there is none. */
export const rowOf = <T extends Table, C extends Column<T> = Column<T>>(
  db: Db,
  table: T,
  where: Where<T>,
  columns: readonly C[] = [],
): Promise<Pick<Selectable<DB[T]>, C>> => select(db, table, where, columns).executeTakeFirstOrThrow();

export const updateRows = <T extends Table>(
  db: Db,
  table: T,
  where: Where<T>,
  values: Updateable<DB[T]>,
): Promise<void> => restrict(db.updateTable(table as Query).set(values as Query), where).execute();

export const insertRows = <T extends Table>(
  db: Db,
  table: T,
  rows: Insertable<DB[T]> | readonly Insertable<DB[T]>[],
): Promise<unknown> =>
  db
    .insertInto(table as Query)
    .values(rows as Query)
    .execute();
