import { execFile, execFileSync } from 'node:child_process';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findAccount } from '../../src/platform/db/embedded/account.ts';
import { childEnvironment, childIdentity } from '../../src/platform/db/embedded/binaries.ts';
import { clusterIn, placeChild, prepareDataFolder, readPassword } from '../../src/platform/db/embedded/cluster.ts';
import { ensureDatabase } from '../../src/platform/db/embedded/members.ts';
import { prepareCluster } from '../../src/platform/db/embedded/prepare-cluster.ts';
import { urlsOf } from '../../src/platform/db/embedded/roles.ts';
import { withConnection } from '../../test/support/database.ts';
import { findInstalled, notInstalled } from '../../test/support/installed-programs.ts';
import { freePort, withFolder } from '../../test/support/process.ts';

const execute = promisify(execFile);

const common = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_min_messages: 'fatal',
};

/** Starts a PostgreSQL server. It keeps its port when it is stopped and started again. */
async function startServer(
  bin: string,
  data: string,
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number },
  settings: Record<string, string>,
) {
  const port = await freePort();
  const given = Object.entries({ ...common, ...settings, port }).map(([name, value]) => `-c ${name}='${value}'`);
  const program = join(bin, 'pg_ctl');
  const stopping = (mode: string) => ['-D', data, '-m', mode, 'stop'];
  const stopWithUs = () => execFileSync(program, stopping('immediate'), { ...options, stdio: 'ignore' });
  const stop = async (mode: 'fast' | 'immediate') => {
    process.off('exit', stopWithUs);
    await execute(program, stopping(mode), options).catch(() => {});
  };
  const server = {
    port,
    async start() {
      const words = ['-D', data, '-l', join(data, 'log'), '-o', given.join(' '), '-t', '300', 'start'];
      await execute(program, words, options);
      process.once('exit', stopWithUs);
    },
    /** Stops the server immediately, as a crash would. Nothing more is written, and the next start recovers. */
    crash: () => stop('immediate'),
    stop: () => stop('fast'),
  };
  await server.start();
  return server;
}

/** Durable as in production: an acknowledged commit must survive the crash. */
const durable = { shared_buffers: '128MB', fsync: 'on', synchronous_commit: 'on' };

export async function startOwnPostgres(dataDir: string) {
  const cluster = clusterIn(dataDir);
  await prepareDataFolder(cluster.dataDir);
  const runtime = await prepareCluster(cluster, () => {});
  const { data, options } = placeChild(cluster.folder, runtime);
  const server = await startServer(dirname(runtime.binaries.postgres), data, options, durable);
  const endpoint = { port: server.port, password: await readPassword(cluster) };
  await ensureDatabase(endpoint, 'transit');
  return { ...server, urls: urlsOf(endpoint, 'transit'), logFile: join(cluster.folder, 'log') };
}

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;

export const neededPrograms = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'psql'];

/** A server of the system's PostgreSQL. The embedded one has neither pg_dump nor pg_restore. */
export interface InstalledPostgres {
  folder: string;
  createDatabase(name: string): Promise<string>;
  shell(commands: string, folder: string, variables?: Record<string, string>): Promise<string>;
}

const owner = 'transit_owner';
export const serviceRole = 'transit_app';

export const forService = (ownerUrl: string) => Object.assign(new URL(ownerUrl), { username: serviceRole }).href;

export async function withInstalledPostgres<T>(work: (postgres: InstalledPostgres) => Promise<T>): Promise<T> {
  const bin = await findInstalled(neededPrograms);
  if (bin === undefined) throw new Error(notInstalled(neededPrograms));
  return withFolder(async (folder) => {
    const data = join(folder, 'postgres');
    // PostgreSQL refuses to run as root. If we are root, it runs as another account, which needs access to its folder.
    const account = await findAccount(data);
    await mkdir(data, { mode: 0o700 });
    if (account !== undefined) {
      await chmod(folder, 0o711);
      await chown(data, account.uid, account.gid);
    }
    const options = { cwd: data, env: childEnvironment(), ...childIdentity(account) };
    const initial = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    await execute(join(bin, 'initdb'), ['-D', data, ...initial], options);
    // Nothing in this server is needed after the scenario, so writes do not wait for the disk.
    const server = await startServer(bin, data, options, { fsync: 'off' });
    const urlOf = (role: string, database: string) => `postgres://${role}@127.0.0.1:${server.port}/${database}`;
    const asAdmin = (statement: string) =>
      withConnection(urlOf('postgres', 'postgres'), (admin) => admin.query(statement));
    try {
      for (const role of [owner, serviceRole]) await asAdmin(`create role ${role} login`);
      return await work({
        folder,
        async createDatabase(name) {
          await asAdmin(`create database ${name} template template0 owner ${owner}`);
          return urlOf(owner, name);
        },
        async shell(commands, cwd, variables) {
          const env = { PATH: `${bin}:${process.env.PATH ?? ''}`, ...variables };
          const words = ['-euo', 'pipefail', '-c', commands];
          return (await execute('bash', words, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
        },
      });
    } finally {
      await server.stop();
    }
  });
}
