import { globSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Real processes, a real browser, servers that are killed, load and outages (`journeys`), and files of features that
 * take long: large inputs, one sync after another, month after month. Every other test is in the set `fast`.
 */
const slow = ['test/journeys/**/*.test.ts', '{src,test}/**/*.slow.test.ts'];
export const isSlow = (path: string) => slow.some((pattern) => matchesGlob(relative(root, path), pattern));
/** A scenario of `npm run torture`, which starts a server of its own and several processes. */
export const isTorture = (path: string) => matchesGlob(relative(root, path), 'test/journeys/torture/**');
/** Files that take long although they are short. */
const isLong = (path: string) =>
  isTorture(path) || relative(root, path) === 'test/journeys/browser/every-screen.test.ts';

const sets = {
  fast: { include: ['{src,test}/**/*.test.ts'], exclude: slow },
  slow: { include: slow, exclude: [] },
  /** What another PostgreSQL could do differently. */
  database: {
    include: [
      'test/{features,guards,mcp,operator,platform,portal,processes}/**/*.test.ts',
      'test/journeys/{load,outages}/**/*.test.ts',
      'test/journeys/start/{database-roles,demo}.test.ts',
    ],
    exclude: [],
  },
  /** What a Citus cluster could do differently: statements on tables of companies. */
  citus: {
    include: [
      'test/{features,mcp,operator,portal}/**/*.test.ts',
      'test/platform/{db,http}/*.test.ts',
      'test/journeys/{load,outages}/**/*.test.ts',
      'test/journeys/start/demo.test.ts',
    ],
    exclude: [],
  },
} satisfies Record<string, { include: string[]; exclude: string[] }>;

export type SetName = keyof typeof sets;

export const isSetName = (name: string | undefined): name is SetName => name !== undefined && Object.hasOwn(sets, name);
export const setNames = Object.keys(sets);

function listFiles(include: string[], exclude: string[] = []): string[] {
  return globSync(include, { cwd: root, exclude }).map((file) => join(root, file));
}

/** Returns the files whose properties get more random inputs in the set `slow` than in `fast`. */
const listFilesWithMoreRuns = () =>
  listFiles(sets.fast.include, slow).filter((file) => readFileSync(file, 'utf8').includes('runsOf('));

/** Returns the test files below a path: a file, a folder or a pattern. */
function expand(path: string): string[] {
  const isFolder = statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory();
  return globSync(isFolder ? join(path, '**/*.test.ts') : path).map((file) => resolve(file));
}

/** Returns the files to run, the longest first, so that no process is left with a long one at the end. */
export function chooseFiles(set: SetName, paths: string[]): string[] {
  const { include, exclude } = sets[set];
  const inSet = () => [...listFiles(include, exclude), ...(set === 'slow' ? listFilesWithMoreRuns() : [])];
  const files = paths.length > 0 ? paths.flatMap(expand) : inSet();
  const sizes = new Map(files.map((file) => [file, statSync(file).size]));
  const lengthOf = (file: string) => (isLong(file) ? Infinity : (sizes.get(file) ?? 0));
  return [...sizes.keys()].sort((a, b) => Number(lengthOf(b) > lengthOf(a)) - Number(lengthOf(b) < lengthOf(a)));
}
