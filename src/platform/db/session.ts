import type pg from 'pg';

interface SessionOptions {
  settings: Record<string, string>;
  withinMillis: number;
}

/**
 * Applies settings to a new connection and returns the process id of the server's backend. The settings are not sent as
 * parameters of the connection, because PgBouncer refuses parameters that it does not know. The id that pg received
 * may be that of a pooler.
 */
export async function startSession(client: pg.ClientBase, { settings, withinMillis }: SessionOptions): Promise<number> {
  const values = Object.entries(settings).flat();
  const calls = values.flatMap((_value, at) => (at % 2 ? [] : [`set_config($${at + 1}, $${at + 2}, false)`]));
  const text = `select pg_backend_pid() as pid, ${calls.join(', ')}`;
  const query = { text, values, query_timeout: withinMillis };
  const { rows } = await client.query<{ pid: number }>(query);
  return rows[0]?.pid ?? 0;
}
