import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findAccount } from '../../src/platform/db/embedded/account.ts';
import { childEnvironment, childIdentity } from '../../src/platform/db/embedded/binaries.ts';
import { withConnection } from '../../test/support/database.ts';
import { findInstalled, notInstalled } from '../../test/support/installed-programs.ts';
import { withFolder } from '../../test/support/process.ts';
import { execute, startServer } from '../support/postgres.ts';

export const neededPrograms = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'psql'];

/** A server of the system's PostgreSQL. The embedded one has neither pg_dump nor pg_restore. */
export interface InstalledPostgres {
  folder: string;
  /** Creates an empty database. Returns its address for its owner. */
  createDatabase(name: string): Promise<string>;
  /** Runs commands in a folder as an operator would type them. Rejects with their output if one fails. */
  shell(commands: string, folder: string, variables?: Record<string, string>): Promise<string>;
}

/** The role that owns the databases. `serviceRole` is the role of the service. */
const owner = 'transit_owner';
export const serviceRole = 'transit_app';

/** Returns the address of the owner's database for the service. */
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
