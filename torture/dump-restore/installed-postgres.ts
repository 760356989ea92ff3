import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, findAccount } from '../../src/db/embedded/account.ts';
import { childEnvironment, childIdentity } from '../../src/db/embedded/binaries.ts';
import { readPidFile } from '../../src/db/embedded/postmaster.ts';
import { connectAs } from '../../test/support/database.ts';
import { freePort } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';

/** A server of the system's PostgreSQL. The embedded one has neither pg_dump nor pg_restore. */
export interface InstalledPostgres {
  /** Creates an empty database. Returns its address for its owner. */
  createDatabase(name: string): Promise<string>;
  /** Runs commands in a folder as an operator would type them. Rejects with their output if one fails. */
  shell(commands: string, folder: string, variables: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

/** The role that owns the databases. `serviceRole` is the role of the service. */
const owner = 'transit_owner';
export const serviceRole = 'transit_app';

/** Returns the address of the owner's database for the service. */
export const forService = (ownerUrl: string) => Object.assign(new URL(ownerUrl), { username: serviceRole }).href;

/** Nothing in this server is needed after the scenario, so writes do not wait for the disk. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  timezone: 'UTC',
  log_min_messages: 'fatal',
};

const execute = promisify(execFile);

interface Cluster {
  bin: string;
  folder: string;
  logFile: string;
  /** The account that the server runs as if we are root, because PostgreSQL refuses to run as root. */
  account: Account | undefined;
}

const optionsOf = ({ folder, account }: Cluster) => ({
  cwd: folder,
  env: childEnvironment(),
  ...childIdentity(account),
});

async function initialise(cluster: Cluster): Promise<void> {
  const { bin, folder, account } = cluster;
  await mkdir(folder, { mode: 0o700 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const words = [
    '-D',
    folder,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ];
  await execute(join(bin, 'initdb'), words, optionsOf(cluster));
}

async function launch(cluster: Cluster): Promise<{ port: number; stop(): Promise<void> }> {
  const { bin, folder, logFile } = cluster;
  const port = await freePort();
  const log = await open(logFile, 'a', 0o600);
  const words = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', folder, ...words], {
    ...optionsOf(cluster),
    stdio: ['ignore', log.fd, log.fd],
  });
  const endWithUs = () => child.kill('SIGQUIT');
  process.once('exit', endWithUs);
  const exited = once(child, 'exit').then(async () => {
    process.off('exit', endWithUs);
    await log.close();
  });
  await until('PostgreSQL is ready', async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start, see ${logFile}`);
    return (await readPidFile(folder))?.ready === true;
  });
  return {
    port,
    async stop() {
      child.kill('SIGINT');
      await exited;
    },
  };
}

export async function startInstalledPostgres(bin: string, dataDir: string): Promise<InstalledPostgres> {
  const folder = join(dataDir, 'installed-postgres');
  const account = await findAccount(folder);
  // The account needs access to this folder.
  if (account !== undefined) await chmod(dataDir, 0o711);
  const cluster = { bin, folder, logFile: join(dataDir, 'installed-postgres.log'), account };
  await initialise(cluster);
  const { port, stop } = await launch(cluster);
  const urlOf = (role: string, database: string) => `postgres://${role}@127.0.0.1:${port}/${database}`;
  const askAsAdmin = async (statement: string) => {
    const admin = await connectAs(urlOf('postgres', 'postgres'));
    await admin.query(statement);
    await admin.end();
  };
  for (const role of [owner, serviceRole]) await askAsAdmin(`create role ${role} login`);
  return {
    stop,
    async createDatabase(name) {
      await askAsAdmin(`create database ${name} template template0 owner ${owner}`);
      return urlOf(owner, name);
    },
    async shell(commands, cwd, variables) {
      const env = { PATH: `${bin}:${process.env.PATH ?? ''}`, ...variables };
      await execute('bash', ['-euo', 'pipefail', '-c', commands], { cwd, env });
    },
  };
}
