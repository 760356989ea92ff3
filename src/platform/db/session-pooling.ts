import pg from 'pg';
import { OperatorError } from '../config/operator-error.ts';
import { connectMillisOf } from './connect-timeout.ts';

const findBackend = async (client: pg.Client): Promise<number | undefined> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

/** Returns whether each connection has its own session: in transaction mode, a pooler mixes those of two. */
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

/** Throws if a pooler assigns sessions per transaction: prepared statements, locks and notifications need their own. */
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
