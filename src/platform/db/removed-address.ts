import { sql } from 'kysely';

/** Replaces an email address that may not be empty. The database checks for it before it redacts the audit log. */
export const removedDomain = '@removed.invalid';

export const removedAddress = (table: string) => sql<string>`${sql.ref(`${table}.id`)} || ${removedDomain}`;
