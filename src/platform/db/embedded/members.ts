import { Socket } from 'node:net';
import pg from 'pg';
import { OperatorError } from '../../config/operator-error.ts';
import type { Endpoint } from './endpoint.ts';
import { ensureOwnedDatabase } from './roles.ts';

export type Role = 'serve' | 'command';

/** A process that uses the server now, known by a connection, which the kernel closes if the process is killed. */
export interface Member {
  role: Role;
  pid: number;
}

interface Connection {
  client: pg.Client;
  socket: Socket;
}

const passingCodes = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

function isPassing(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string };
  return passingCodes.has(code) || message.startsWith('Connection terminated');
}

/** Returns undefined while the server accepts no connections. Not to the application's database. */
async function connect({ port, password }: Endpoint, applicationName: string): Promise<Connection | undefined> {
  const socket = new Socket();
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    application_name: applicationName,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    stream: () => socket,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return { client, socket };
  } catch (error) {
    if (isPassing(error)) return undefined;
    if ((error as { code?: string }).code !== '28P01') throw error;
    throw new OperatorError(
      'PostgreSQL rejects the password in postgres.password. Restore the file that belongs to this database.',
    );
  }
}

/** Joins the members and returns how to leave. Rejoins after a backend crash, which closes all connections. */
export async function join(endpoint: Endpoint, role: Role): Promise<(() => Promise<void>) | undefined> {
  let left = false;
  let connection: Connection | undefined;
  const enter = async () => {
    const entered = await connect(endpoint, `transit ${role} ${process.pid}`);
    if (entered === undefined) return false;
    if (left) {
      await entered.client.end();
      return true;
    }
    connection = entered;
    entered.client.once('end', () => enterAgain(60));
    entered.socket.unref();
    return true;
  };
  const enterAgain = (tries: number) => {
    if (left || tries === 0) return;
    setTimeout(async () => {
      if (!left && !(await enter().catch(() => false))) enterAgain(tries - 1);
    }, 500).unref();
  };
  if (!(await enter())) return undefined;
  return async () => {
    left = true;
    connection?.socket.ref();
    await connection?.client.end().catch(() => {});
  };
}

async function withClient<T>(endpoint: Endpoint, work: (client: pg.Client) => Promise<T>): Promise<T | undefined> {
  const connection = await connect(endpoint, 'transit');
  if (connection === undefined) return undefined;
  try {
    return await work(connection.client);
  } catch (error) {
    if (isPassing(error)) return undefined;
    throw error;
  } finally {
    await connection.client.end().catch(() => {});
  }
}

export function listMembers(endpoint: Endpoint): Promise<Member[] | undefined> {
  return withClient(endpoint, async (client) => {
    const { rows } = await client.query<{ application_name: string }>(
      `select application_name from pg_stat_activity
       where datname = 'postgres' and application_name ~ '^transit (serve|command) [0-9]+$'`,
    );
    return rows.map(({ application_name }) => {
      const [, role, pid] = application_name.split(' ');
      return { role: role === 'serve' ? 'serve' : 'command', pid: Number(pid) };
    });
  });
}

export async function ensureDatabase(endpoint: Endpoint, name: string): Promise<boolean> {
  const done = await withClient(endpoint, async (client) => {
    await ensureOwnedDatabase(client, endpoint, name);
    return true;
  });
  return done ?? false;
}
