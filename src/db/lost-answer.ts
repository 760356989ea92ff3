import pg from 'pg';

/** How often the server is asked about a statement that has no answer yet. */
const askEveryMillis = 10_000;
const askingMillis = 5_000;

/** A server that finished longer ago has sent its answer, and it did not arrive. */
const isStillAnswering = `select from pg_stat_activity
  where pid = $1 and (state = 'active' or state_change > now() - interval '15 seconds')`;

/** The number by which the server knows a connection; what pg was told may be that of a pooler in between. */
export async function findBackend(client: pg.ClientBase): Promise<number> {
  const question = { text: 'select pg_backend_pid() as pid', query_timeout: askingMillis };
  const { rows } = await client.query<{ pid: number }>(question);
  return rows[0]?.pid ?? 0;
}

async function isLost(config: pg.ClientConfig, backend: number): Promise<boolean> {
  const asking = new pg.Client({ ...config, connectionTimeoutMillis: askingMillis, query_timeout: askingMillis });
  asking.on('error', () => {});
  try {
    await asking.connect();
    const { rowCount } = await asking.query(isStillAnswering, [backend]);
    return rowCount === 0;
  } catch {
    // As long as nobody can be asked, nobody knows.
    return false;
  } finally {
    asking.end().catch(() => {});
  }
}

/**
 * Where a statement may take minutes, waiting does not tell whether its connection is lost without a word, as behind a
 * firewall that has forgotten it. The server does, on another connection. What is lost is ended, which fails the statement.
 */
export function endIfLost<T>(
  client: { abandon(): void },
  backend: number,
  config: pg.ClientConfig,
  answer: Promise<T>,
): Promise<T> {
  const look = async () => {
    if (await isLost(config, backend)) client.abandon();
  };
  const timer = setInterval(look, askEveryMillis).unref();
  return answer.finally(() => clearInterval(timer));
}
