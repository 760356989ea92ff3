import { sql } from 'kysely';
import type { TestApp } from './app.ts';
import { until } from './until.ts';

/** Returns the server processes of this application's connections for streams. */
export async function streamsOf({ db }: TestApp, condition = `state <> 'idle'`): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'stream' and ${sql.raw(condition)}`.execute(db);
  return rows.map((row) => row.pid);
}

export const allStreamsEnd = (app: TestApp) =>
  until('all queries of exports have ended', async () => (await streamsOf(app)).length === 0);
