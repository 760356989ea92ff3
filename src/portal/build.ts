import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../domain/enums.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { withFileLock } from '../platform/files/file-lock.ts';

const root = join(import.meta.dirname, '../..');
const workspace = join(root, 'portal');
export const builtPages = join(workspace, 'dist');

const buildTimeoutMs = 120_000;
const buildLock = {
  timeoutMs: 2 * buildTimeoutMs,
  describeFailure: (path: string, reason: string) =>
    `Cannot lock ${path}: ${reason}. Make the folder writable, or build as its owner.`,
  describeTimeout: (path: string) => `Another process has held ${path} for minutes while it builds: try again.`,
};

const settings = [
  ...['index.html', 'package.json', 'vite.config.ts', 'build.ts'].map((name) => join('portal', name)),
  'package-lock.json',
];

export async function listSources(folder = root): Promise<string[]> {
  // The pages import words and messages from the domain.
  const folders = ['portal/src', 'src/domain'].map((one) => join(folder, one));
  const entries = await Promise.all(folders.map((one) => readdir(one, { recursive: true, withFileTypes: true })));
  const files = entries.flat().filter((entry) => entry.isFile());
  const sources = files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return [...sources, ...settings].sort();
}

export async function hashSources(folder = root): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listSources(folder)) {
    const bytes = await readFile(join(folder, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

const isBuiltFrom = async (target: string, hash: string) =>
  (await readFile(join(target, 'sources.txt'), 'utf8').catch(() => undefined)) === hash;

/** Builds the pages and swaps them in by renaming folders, so that a reader finds the old or the new ones. */
async function build(target: string, hash: string): Promise<void> {
  const fresh = `${target}.new`;
  await rm(fresh, { recursive: true, force: true });
  await promisify(execFile)(process.execPath, [join(workspace, 'build.ts'), fresh], {
    timeout: buildTimeoutMs,
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
  return withFileLock(`${target}.lock`, buildLock, async () => {
    if (await isBuiltFrom(target, hash)) return 'found';
    await build(target, hash);
    return 'built';
  });
}

/** Returns whether the pages are built from the current sources. Without sources, any pages are current. */
export async function arePagesCurrent(): Promise<boolean> {
  const hash = await hashSources().catch(() => undefined);
  return hash === undefined ? existsSync(join(builtPages, 'index.html')) : isBuiltFrom(builtPages, hash);
}

/** Throws unless the folder contains pages. Production does not build them itself. */
export async function assertPagesBuilt(target = builtPages): Promise<void> {
  try {
    await access(join(target, 'index.html'));
  } catch {
    throw new OperatorError('The pages of the portal are not built: run `npm run build`, or set PORTAL=off.');
  }
}

interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/** Warns if the pages are older than their sources. An installation without sources has nothing to compare. */
async function warnIfStale(log: Log): Promise<void> {
  if (await arePagesCurrent()) return;
  log.warn('the pages of the portal are older than their sources: run `npm run build`');
}

/** Returns the folder of the pages. Staging builds them if their sources changed, and works without them. */
export async function findPages({ environment }: { environment: Environment }, log: Log): Promise<string | undefined> {
  if (environment === 'production') {
    await warnIfStale(log);
    return builtPages;
  }
  if (await arePagesCurrent()) return builtPages;
  try {
    if ((await ensurePages()) === 'built') log.info('the pages of the portal are built');
    return builtPages;
  } catch (error) {
    log.error(`The pages of the portal could not be built; the API works without them. ${describeBuildError(error)}`);
    return undefined;
  }
}

export function describeBuildError(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  const [line] = (stderr || message).split('\n').filter((text) => /error/i.test(text));
  return line ?? message.split('\n')[0] ?? '';
}
