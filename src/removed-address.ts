import { sql } from 'kysely';

/** Stands where an address was that may not be empty; the database checks it before it redacts the audit log. */
export const removedDomain = '@removed.invalid';

/** An address in place of the one of a row, as SQL. */
export const removedAddress = (table: string) => sql<string>`${sql.ref(`${table}.id`)} || ${removedDomain}`;
