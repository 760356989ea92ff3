import type pg from 'pg';
import { LazyClient } from './lazy-client.ts';
import type { LookUpSource } from './look-ups.ts';

type Execute = (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;

const executors = new WeakMap<object, Execute>();

/** Adds where the statement was executed to the stack, which otherwise ends in the connection. */
function extendStack(error: unknown): unknown {
  if (error instanceof Error) error.stack += new Error().stack?.replace(/^.*/, '') ?? '';
  return error;
}

/**
 * Lets complete statements of a database skip Kysely, which creates a connection object and a dozen promises for each of
 * them, and remembers the former in weak maps. The same statements in a transaction do not skip it.
 */
export function allowDirectStatements(db: object, pool: pg.Pool, lookUps: LookUpSource): void {
  executors.set(db, async (text, values) => {
    const client = new LazyClient(pool, lookUps);
    try {
      return await client.query(text, values);
    } catch (error) {
      throw extendStack(error);
    } finally {
      client.release();
    }
  });
}

/** Returns undefined if statements have to be executed by Kysely, as in a transaction or with a plugin. */
export const findDirectExecutor = (db: object): Execute | undefined => executors.get(db);
