import pg from 'pg';

/** How often to check with the server on a statement without a response. */
const checkEveryMillis = 10_000;
const queryTimeoutMillis = 5_000;

/** If the server finished earlier than this, it has sent its response and the response was lost. */
const isStillWorking = `select from pg_stat_activity
  where pid = $1 and (state = 'active' or state_change > now() - interval '15 seconds')`;

async function isLost(config: pg.ClientConfig, backend: number): Promise<boolean> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: queryTimeoutMillis,
    query_timeout: queryTimeoutMillis,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query(isStillWorking, [backend]);
    return rowCount === 0;
  } catch {
    // If the server cannot be queried, the state of the connection is unknown.
    return false;
  } finally {
    client.end().catch(() => {});
  }
}

/** Finds a connection that was lost silently by asking the server on another: statements may take minutes. */
export function endIfLost<T>(
  client: { abandon(): void },
  backend: number,
  config: pg.ClientConfig,
  response: Promise<T>,
): Promise<T> {
  const check = async () => {
    if (await isLost(config, backend)) client.abandon();
  };
  const timer = setInterval(check, checkEveryMillis).unref();
  return response.finally(() => clearInterval(timer));
}
