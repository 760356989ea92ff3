import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectAs, roles, serverUrl } from './connections.ts';
import { freePort } from './process.ts';
import { until } from './until.ts';

const program = '/usr/sbin/pgbouncer';

/** Returns why PgBouncer cannot be tested here, or false. */
export const missingPgBouncer = (): Promise<string | false> =>
  access(program).then(
    () => false,
    () => `${program} not found (Debian: apt install pgbouncer).`,
  );

export type PoolMode = 'session' | 'transaction' | 'statement';

export interface PgBouncer {
  /** Returns the address at which PgBouncer serves the database of this address. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Only what a new user would set: the mode, and as many connections as the service opens. */
const settingsOf = (port: number, folder: string, mode: PoolMode) => {
  const server = new URL(serverUrl());
  return `[databases]
* = host=${server.hostname} port=${server.port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
default_pool_size = 60
`;
};

/** It refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts PgBouncer in front of the server of the test run. Its settings are written to the given folder. */
export async function startPgBouncer(folder: string, mode: PoolMode): Promise<PgBouncer> {
  const port = await freePort();
  const users = Object.values(roles).map((role) => `"${role}" "${role}"\n`);
  await writeFile(join(folder, 'users'), users.join(''));
  await writeFile(join(folder, `${mode}.ini`), settingsOf(port, folder, mode));
  await chmod(folder, 0o755);
  const child = spawn(program, [join(folder, `${mode}.ini`)], { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const exited = once(child, 'close');
  const through = (url: string) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
  await until('PgBouncer accepts connections', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer has ended: ${output}`);
    return connectAs(through(serverUrl())).then(
      (client) => client.end().then(() => true),
      // It listens, but does not know the superuser.
      (error: { code?: string }) => error.code !== 'ECONNREFUSED',
    );
  });
  return {
    through,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
