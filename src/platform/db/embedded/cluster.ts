import { access, constants, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OperatorError } from '../../config/operator-error.ts';
import { makePrivateFolder } from '../../files/private-files.ts';
import type { Account } from './account.ts';
import { type Binaries, childEnvironment, childIdentity } from './binaries.ts';

export interface Cluster {
  dataDir: string;
  folder: string;
  passwordFile: string;
  logFile: string;
  lockFile: string;
  /** A pipe that every process that uses the server holds open (guard.ts). */
  usersFile: string;
}

export interface Runtime {
  binaries: Binaries;
  account: Account | undefined;
}

export function clusterIn(dataDir: string): Cluster {
  const file = (name: string) => resolve(dataDir, name);
  return {
    dataDir: resolve(dataDir),
    folder: file('postgres'),
    passwordFile: file('postgres.password'),
    logFile: file('postgres.log'),
    lockFile: file('postgres.lock'),
    usersFile: file('postgres.users'),
  };
}

export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await makePrivateFolder(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = (error as Error).message;
    throw new OperatorError(
      `The data folder ${dataDir} cannot be used (${reason}). Make it writable, or set DATA_DIR to another folder.`,
    );
  }
}

export async function readPassword({ passwordFile }: Cluster): Promise<string> {
  try {
    return (await readFile(passwordFile, 'utf8')).trim();
  } catch (error) {
    const reason = (error as Error).message;
    throw new OperatorError(`The password of the database cannot be read (${reason}). Restore ${passwordFile}.`);
  }
}

/**
 * Returns the working folder and data folder for a child process. The account that PostgreSQL runs as may be unable to
 * traverse the path to the cluster, for instance below a home folder of mode 0700. A child enters its working folder
 * before it drops root privileges, and the link to that folder needs no traversal.
 */
export function placeChild(folder: string, { account }: Runtime) {
  const data = account !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : folder;
  return { data, options: { cwd: folder, env: childEnvironment(), ...childIdentity(account) } };
}
