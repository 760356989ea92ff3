import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAtLeast } from '../src/platform/config/version.ts';

/** What a release changes in the files of the repository. */

export interface FileChange {
  file: string;
  text: string;
}

export interface ReleaseSection {
  /** The whole changelog with the new section. */
  changelog: string;
  /** The text of the section without its heading: the release notes. */
  notes: string;
}

/** Returns the version that the word means: a version, or which part of the last release to increase, as `npm version` does. */
export function nextVersion(current: string, word: string): string {
  const [major = 0, minor = 0, patch = 0] = current.split(/[.-]/, 3).map(Number);
  const isNext = { major: minor === 0 && patch === 0, minor: patch === 0, patch: true };
  // What is being developed is the next release already, if it is one of this kind.
  if (word in isNext && current.includes('-') && isNext[word as keyof typeof isNext]) {
    return `${major}.${minor}.${patch}`;
  }
  if (word === 'major') return `${major + 1}.0.0`;
  if (word === 'minor') return `${major}.${minor + 1}.0`;
  if (word === 'patch') return `${major}.${minor}.${patch + 1}`;
  return word;
}

/** Returns the version of what is developed after a release. */
export const developmentVersion = (release: string): string => `${nextVersion(release, 'minor')}-dev`;

/** Throws unless a version is a release after the current one. */
export function assertLater(current: string, next: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(next)) {
    throw new Error(`"${next}" is not a version such as 1.2.3, nor major, minor or patch.`);
  }
  if (isAtLeast(current, next)) throw new Error(`${next} is not later than the current version ${current}.`);
}

/** Turns the section `Unreleased` into that of a version. Throws if it is empty. */
export function writeSection(changelog: string, version: string, day: string, since: string): ReleaseSection {
  const found = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog);
  const body = found?.[1]?.trim() ?? '';
  if (found === null || body === '') {
    throw new Error('CHANGELOG.md has nothing under "Unreleased". Describe the changes for users first.');
  }
  const notes = `All changes: \`git log ${since}..v${version}\`.\n\n${body}\n`;
  const section = `## Unreleased\n\n## ${version} - ${day}\n\n${notes}\n`;
  const before = changelog.slice(0, found.index);
  return { changelog: `${before}${section}${changelog.slice(found.index + found[0].length)}`, notes };
}

const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Replaces the version wherever it is named: in the packages, the lockfile and the files of deployments. */
export function replaceVersion(root: string, current: string, next: string): FileChange[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const packages = ['package.json', ...globSync('{portal,my,sdk}/package.json', { cwd: root })].map((file) => ({
    file,
    text: formatJson({ ...JSON.parse(read(file)), version: next }),
  }));
  const lockfile = JSON.parse(read('package-lock.json'));
  lockfile.version = next;
  for (const path of ['', 'portal', 'my', 'sdk']) if (lockfile.packages[path]) lockfile.packages[path].version = next;
  const named = new RegExp(`(?<![\\d.])${RegExp.escape(current)}(?![\\d.])`, 'g');
  const deployed = globSync(['Dockerfile', 'deploy/**/*.{yaml,yml,service,env,conf,md}'], { cwd: root })
    .map((file) => ({ file, before: read(file) }))
    .filter(({ before }) => before.search(named) >= 0)
    .map(({ file, before }) => ({ file, text: before.replace(named, next) }));
  return [...packages, { file: 'package-lock.json', text: formatJson(lockfile) }, ...deployed];
}
