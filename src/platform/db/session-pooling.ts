import pg from 'pg';
import { OperatorError } from '../config/operator-error.ts';
import { connectMillisOf } from './connect-timeout.ts';

const findBackend = async (client: pg.Client): Promise<number | undefined> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

/**
 * Returns whether each connection keeps the same session of the server. Behind a pooler in transaction mode, a second
 * connection that begins a transaction gets the session that the first one has used, or the first one then gets
 * another.
 */
async function hasOwnSession(first: pg.Client, second: pg.Client): Promise<boolean> {
  const own = await findBackend(first);
  try {
    await second.query('begin');
  } catch {
    // A pooler in statement mode refuses transactions.
    return false;
  }
  return (await findBackend(second)) !== own && (await findBackend(first)) === own;
}

/**
 * Throws if a pooler assigns sessions of the server per transaction or statement. The service prepares statements,
 * holds locks and listens for notifications of the queue beyond a transaction, and would do so in sessions of others.
 */
export async function assertSessionPooling(url: string, setting: string): Promise<void> {
  const millis = connectMillisOf(url);
  const options = { connectionString: url, connectionTimeoutMillis: millis, query_timeout: millis };
  const clients = [new pg.Client(options), new pg.Client(options)] as const;
  for (const client of clients) client.on('error', () => {});
  try {
    for (const client of clients) await client.connect();
    if (await hasOwnSession(...clients)) return;
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
  throw new OperatorError(
    `${setting} leads through a connection pooler in transaction or statement mode, in which locks and prepared statements do not work. Set the pooler to session mode (PgBouncer: pool_mode = session), or connect to the server directly.`,
  );
}
