import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withFolder } from '../../test/support/process.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');

export interface Release {
  version: string;
  commit: string;
}

const runGit = async (folder: string, ...words: string[]) =>
  (await execute('git', ['-C', folder, ...words])).stdout.trim();

type Git = (...words: string[]) => Promise<string>;

/** Returns the newest tagged release before this commit. */
async function findTag(git: Git): Promise<Release | undefined> {
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^').catch(() => undefined);
  return tag === undefined ? undefined : { version: tag.slice(1), commit: await git('rev-list', '-n', '1', tag) };
}

/** Returns the newest commit before this one that made a release. Releases up to 0.2.0 have no tag. */
async function findCommit(git: Git): Promise<Release | undefined> {
  const pattern = '^Release [0-9]+[.][0-9]+[.][0-9]+$';
  const line = await git('log', '-n', '1', '-E', `--grep=${pattern}`, '--format=%H %s', 'HEAD^').catch(() => '');
  const [, commit, version] = /^(\S+) Release (\S+)$/.exec(line) ?? [];
  return commit === undefined || version === undefined ? undefined : { version, commit };
}

/** Returns the release before this commit, or the reason why there is none. */
export async function findPreviousRelease(folder = root): Promise<Release | string> {
  const git: Git = (...words) => runGit(folder, ...words);
  if ((await git('rev-parse', '--git-dir').catch(() => undefined)) === undefined) {
    return 'there is no git history, from which the previous release is taken';
  }
  const found = (await findTag(git)) ?? (await findCommit(git));
  if (found !== undefined) return found;
  return (await git('rev-parse', '--is-shallow-repository')) === 'true'
    ? 'the git history is shallow and has no release before this commit (git fetch --unshallow --tags)'
    : 'the git history has no release before this commit';
}

interface Lockfile {
  packages: Record<string, { version?: string; dev?: boolean; devOptional?: boolean; optional?: boolean }>;
}

const readLockfile = async (folder: string): Promise<Lockfile> =>
  JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));

/** Returns whether the packages of this version include every package that the service of another needs. */
async function isServedByOwnPackages(folder: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all([readLockfile(folder), readLockfile(root)]);
  return Object.entries(theirs.packages)
    .filter(([path, one]) => path.startsWith('node_modules/') && !one.dev && !one.devOptional && !one.optional)
    .every(([path, { version }]) => ours.packages[path]?.version === version);
}

async function installPackages(folder: string): Promise<void> {
  if (await isServedByOwnPackages(folder)) {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  await execute('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

/** Unpacks a release with its packages into a temporary folder, and passes its program on. */
export const withRelease = <T>({ commit }: Release, work: (main: string) => Promise<T>): Promise<T> =>
  withFolder(async (folder) => {
    await runGit(root, 'archive', '--format=tar', `--output=${join(folder, 'release.tar')}`, commit);
    await execute('tar', ['-xf', 'release.tar'], { cwd: folder });
    await installPackages(folder);
    return work(join(folder, 'src/main.ts'));
  });
