import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../domain/enums.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { withFileLock } from '../platform/files/file-lock.ts';

const root = join(import.meta.dirname, '../..');

/** Each is a page of its own with a build of its own: the portal, and the employee's page at `/my`. */
export const workspaces = ['portal', 'my'] as const;
export type Workspace = (typeof workspaces)[number];

/** The folders of built pages. */
export type PageFolders = Readonly<Record<Workspace, string>>;
export const builtPages: PageFolders = { portal: join(root, 'portal/dist'), my: join(root, 'my/dist') };

const buildTimeoutMs = 120_000;
const buildLock = {
  timeoutMs: 2 * buildTimeoutMs,
  describeFailure: (path: string, reason: string) =>
    `Cannot lock ${path}: ${reason}. Make the folder writable, or build as its owner.`,
  describeTimeout: (path: string) => `Another process has held ${path} for minutes while it builds: try again.`,
};

const settings = ['scripts/build-pages.ts', 'package-lock.json'];

export async function listSources(workspace: Workspace, folder = root): Promise<string[]> {
  const own = await readdir(join(folder, workspace), { withFileTypes: true });
  // Not the lock of a build that is running.
  const ownFiles = own.filter(({ name }) => /\.(html|json|ts)$/.test(name)).map(({ name }) => join(workspace, name));
  // Pages import words and messages from the domain.
  const folders = ['src', 'public'].map((name) => join(folder, workspace, name)).filter((path) => existsSync(path));
  folders.push(join(folder, 'src/domain'));
  const entries = await Promise.all(folders.map((one) => readdir(one, { recursive: true, withFileTypes: true })));
  const files = entries.flat().filter((entry) => entry.isFile());
  const sources = files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return [...sources, ...ownFiles, ...settings].sort();
}

export async function hashSources(workspace: Workspace, folder = root): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listSources(workspace, folder)) {
    const bytes = await readFile(join(folder, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

const isBuiltFrom = async (target: string, hash: string) =>
  (await readFile(join(target, 'sources.txt'), 'utf8').catch(() => undefined)) === hash;

/** Builds the pages and swaps them in by renaming folders, so that a reader finds the old or the new ones. */
async function build(workspace: Workspace, target: string, hash: string): Promise<void> {
  const fresh = `${target}.new`;
  await rm(fresh, { recursive: true, force: true });
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build-pages.ts'), workspace, fresh], {
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
export async function ensurePages(workspace: Workspace, target = builtPages[workspace]): Promise<'found' | 'built'> {
  const hash = await hashSources(workspace);
  if (await isBuiltFrom(target, hash)) return 'found';
  await mkdir(join(target, '..'), { recursive: true });
  return withFileLock(`${target}.lock`, buildLock, async () => {
    if (await isBuiltFrom(target, hash)) return 'found';
    await build(workspace, target, hash);
    return 'built';
  });
}

/** Returns whether the pages are built from the current sources. Without sources, any pages are current. */
export async function arePagesCurrent(workspace: Workspace): Promise<boolean> {
  const target = builtPages[workspace];
  const hash = await hashSources(workspace).catch(() => undefined);
  return hash === undefined ? existsSync(join(target, 'index.html')) : isBuiltFrom(target, hash);
}

/** Throws unless the folders contain pages. Production does not build them itself. */
export async function assertPagesBuilt(): Promise<void> {
  const missing = Object.values(builtPages).filter((folder) => !existsSync(join(folder, 'index.html')));
  if (missing.length === 0) return;
  throw new OperatorError('The pages of the portal are not built: run `npm run build`, or set PORTAL=off.');
}

interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/** Returns the folders of the pages. Staging builds them if their sources changed, and works without them. */
export async function findPages(
  { environment }: { environment: Environment },
  log: Log,
): Promise<PageFolders | undefined> {
  for (const workspace of workspaces) {
    if (await arePagesCurrent(workspace)) continue;
    // An installation without sources has nothing to compare.
    if (environment === 'production') {
      log.warn('the pages of the portal are older than their sources: run `npm run build`');
      continue;
    }
    try {
      if ((await ensurePages(workspace)) === 'built') log.info('the pages of the portal are built');
    } catch (error) {
      log.error(`The pages of the portal could not be built; the API works without them. ${describeBuildError(error)}`);
      return undefined;
    }
  }
  return builtPages;
}

export function describeBuildError(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  const [line] = (stderr || message).split('\n').filter((text) => /error/i.test(text));
  return line ?? message.split('\n')[0] ?? '';
}
