import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const workspace = join(root, 'portal');
export const builtPages = join(workspace, 'dist');

/** Files that the pages share with the server beyond types. */
const shared = [
  'src/portal/contract.ts',
  'src/domain/roles.ts',
  'src/domain/enums.ts',
  'src/domain/integrations.ts',
  'src/domain/roster/csv.ts',
  'package-lock.json',
];
const patienceMillis = 120_000;

async function listSources(): Promise<string[]> {
  const entries = await readdir(join(workspace, 'src'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const settings = ['index.html', 'package.json', 'vite.config.ts', 'build.ts'].map((name) => join(workspace, name));
  return [...files, ...settings, ...shared.map((name) => join(root, name))].sort();
}

/** Returns a hash of the names and contents of everything that a build is made from. */
async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listSources()) {
    const bytes = await readFile(file);
    hash.update(`${file.slice(root.length)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

const isBuiltFrom = async (target: string, hash: string) =>
  (await readFile(join(target, 'sources.txt'), 'utf8').catch(() => undefined)) === hash;

/** Returns whether the process that took the lock has ended without releasing it. */
async function isAbandoned(lock: string): Promise<boolean> {
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''));
  if (pid > 0) {
    try {
      process.kill(pid, 0);
    } catch (error) {
      return (error as { code?: string }).code === 'ESRCH';
    }
  }
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > patienceMillis;
}

/**
 * Waits until no other process builds, then takes the lock. A process that ended during a build does not block the next
 * one.
 */
async function takeLock(lock: string): Promise<void> {
  for (;;) {
    try {
      const file = await open(lock, 'wx');
      await file.writeFile(String(process.pid));
      return await file.close();
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
    }
    if (await isAbandoned(lock)) await rm(lock, { force: true });
    else await pause(100);
  }
}

/**
 * Builds the pages and swaps them in by renaming folders. A concurrent reader finds either the old pages or the new
 * ones in full, except in the moment between the two renames.
 */
async function build(target: string, hash: string): Promise<void> {
  const fresh = `${target}.new`;
  await rm(fresh, { recursive: true, force: true });
  await promisify(execFile)(process.execPath, [join(workspace, 'build.ts'), fresh], {
    timeout: patienceMillis,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await writeFile(join(fresh, 'sources.txt'), hash);
  await rm(`${target}.old`, { recursive: true, force: true });
  await rename(target, `${target}.old`).catch(() => {});
  await rename(fresh, target);
  await rm(`${target}.old`, { recursive: true, force: true });
}

/** Makes sure that the folder contains the pages built from the current sources. Concurrent callers build only once. */
export async function ensurePages(target = builtPages): Promise<'found' | 'built'> {
  const hash = await hashSources();
  if (await isBuiltFrom(target, hash)) return 'found';
  await mkdir(join(target, '..'), { recursive: true });
  const lock = `${target}.lock`;
  await takeLock(lock);
  try {
    if (await isBuiltFrom(target, hash)) return 'found';
    await build(target, hash);
    return 'built';
  } finally {
    await rm(lock, { force: true });
  }
}

/** Returns the folder of the pages, or undefined if there are none. The API works without them. */
export async function findPages(log: {
  info(text: string): void;
  error(text: string): void;
}): Promise<string | undefined> {
  try {
    if ((await ensurePages()) === 'built') log.info('the pages of the portal are built');
    return builtPages;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const [line] = (stderr || message).split('\n').filter((text) => /error/i.test(text));
    log.error(
      `The pages of the portal could not be built; the API works without them. ${line ?? message.split('\n')[0]}`,
    );
    return undefined;
  }
}
