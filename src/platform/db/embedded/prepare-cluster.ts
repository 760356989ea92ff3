import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { OperatorError } from '../../config/operator-error.ts';
import { findAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { type Cluster, placeChild, type Runtime } from './cluster.ts';

const temporaryPrefix = 'postgres.new-';

async function runInitdb(folder: string, runtime: Runtime): Promise<{ code: number | null; errors: string }> {
  const { data, options } = placeChild(folder, runtime);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=postgres', '--pwfile=../password', '--auth=scram-sha-256'];
  const args = ['-D', data, ...locale, ...access, '--data-checksums', '--no-instructions'];
  const child = spawn(runtime.binaries.initdb, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, errors] = await Promise.all([ended, text(child.stderr)]);
  return { code, errors };
}

function explainInitdb(errors: string, dataDir: string): OperatorError {
  if (/No space left on device|Disk quota exceeded/.test(errors)) {
    return new OperatorError(
      `There is no space for the database in ${dataDir} (it needs at least 50 MB). Free some space, or set DATA_DIR to another folder.`,
    );
  }
  const lines = errors.split('\n').filter((line) => /error|FATAL|PANIC/.test(line));
  return new OperatorError(`The database in ${dataDir} cannot be created: ${lines.at(0) ?? errors.trim()}`);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates the cluster. A process that is killed meanwhile leaves a temporary folder and never a partial cluster. */
async function createCluster(cluster: Cluster, runtime: Runtime): Promise<void> {
  const temporary = await mkdtemp(join(cluster.dataDir, temporaryPrefix));
  try {
    const folder = join(temporary, 'data');
    const passwordFile = join(temporary, 'password');
    await chmod(temporary, 0o711);
    await mkdir(folder, { mode: 0o700 });
    await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
    if (runtime.account !== undefined) {
      for (const path of [folder, passwordFile]) await chown(path, runtime.account.uid, runtime.account.gid);
    }
    const { code, errors } = await runInitdb(folder, runtime);
    if (code !== 0) throw explainInitdb(errors, cluster.dataDir);
    // Move the password first, so that an existing cluster always has its password file.
    await rename(passwordFile, cluster.passwordFile);
    await rename(folder, cluster.folder);
    await syncFolder(cluster.dataDir);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Removes temporary folders. The start lock is held, so only an initdb whose parent was killed can still use them. */
async function removeLeftovers({ dataDir }: Cluster): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(temporaryPrefix)) continue;
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

async function assertOwner({ folder }: Cluster, { account }: Runtime): Promise<void> {
  const { uid } = await stat(folder);
  const runner = account?.uid ?? process.getuid?.();
  if (uid === runner) return;
  throw new OperatorError(
    `The database in ${folder} belongs to user id ${uid}, but PostgreSQL would run as ${runner}. ` +
      `Start as its owner, or change the owner (chown -R ${runner} ${folder}).`,
  );
}

async function assertVersion({ folder }: Cluster, { binaries }: Runtime): Promise<void> {
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version === binaries.major) return;
  if (version === '') {
    throw new OperatorError(
      `${folder} does not contain a PostgreSQL cluster. Move it away, or set DATA_DIR to another folder.`,
    );
  }
  throw new OperatorError(
    `The database in ${folder} was created by PostgreSQL ${version}, but this program contains version ${binaries.major}. ` +
      'Load a dump of it into a new DATA_DIR, or set DATABASE_URL to a server of that version.',
  );
}

/** Returns true for an empty folder too, because `rename` replaces it. An unreadable folder is not ours to replace. */
async function isMissing(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

export async function prepareCluster(cluster: Cluster, log: (line: string) => void): Promise<Runtime> {
  const account = await findAccount(cluster.folder);
  const runtime = { binaries: await findBinaries(account), account };
  await removeLeftovers(cluster);
  if (await isMissing(cluster.folder)) {
    log(`Creating a PostgreSQL ${runtime.binaries.major} database in ${cluster.folder}.`);
    await createCluster(cluster, runtime);
  }
  await assertOwner(cluster, runtime);
  await assertVersion(cluster, runtime);
  return runtime;
}
