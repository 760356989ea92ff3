import { sql } from 'kysely';
import type { Db } from '../../src/db/database.ts';

export interface DumpedTable {
  table: string;
  rows: string[];
}

/** Returns every row of every table as text, including those of the queue and of sign-in. Bytes are hexadecimal. */
export async function dumpDatabase(db: Db): Promise<DumpedTable[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by 1, 2`.execute(db);
  const dump: DumpedTable[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.id(schema, name)} t`.execute(db);
    dump.push({ table: `${schema}.${name}`, rows: rows.map(({ text }) => text) });
  }
  return dump;
}
