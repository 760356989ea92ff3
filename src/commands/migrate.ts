import { sql } from 'kysely';
import { listAllEmailClashes } from '../employees/email-clashes.ts';
import { openDatabase } from '../open-database.ts';
import type { CommandContext } from './define.ts';

export async function migrate(_options: unknown, { config }: CommandContext) {
  const database = await openDatabase({ ...config, databasePoolSize: 2 }, { role: 'command' });
  try {
    const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(database.db);
    const emailClashes = await listAllEmailClashes(database.db);
    return { applied: database.migrated, migrations: rows.map((row) => row.name), emailClashes };
  } finally {
    await database.close();
  }
}
