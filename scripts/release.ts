import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  assertLater,
  developmentVersion,
  type FileChange,
  nextVersion,
  replaceVersion,
  writeSection,
} from './release-changes.ts';

/**
 * `npm run release -- X.Y.Z|major|minor|patch [--dry-run]`: makes a release of the current commit. Commits the changelog
 * section and the version, tags the commit, and writes the release notes and a software bill of materials to `release/`.
 * A second commit sets the version of what is developed next, so that only the tagged commit calls itself the release.
 */

const root = process.cwd();
const say = (line: string) => process.stdout.write(`${line}\n`);

const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const has = (...words: string[]) => spawnSync('git', words, { cwd: root, stdio: 'ignore' }).status === 0;

function assertReady(version: string): void {
  if (git('status', '--porcelain') !== '') throw new Error('The working tree has changes. Commit or stash them first.');
  if (!has('symbolic-ref', '-q', 'HEAD')) throw new Error('No branch is checked out. Check one out first.');
  if (has('rev-parse', '-q', '--verify', `refs/tags/v${version}`))
    throw new Error(`The tag v${version} exists already.`);
  const { status } = spawnSync('npm', ['run', '--silent', 'check:static'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('`npm run check:static` fails. Fix what it reports first.');
}

/** Returns the tag of the newest release, or its commit: releases up to 0.2.0 have no tag. */
function findStart(): string {
  if (has('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')) {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');
  }
  const commit = git('log', '-n', '1', '-E', '--format=%h', '--grep=^Release [0-9]+[.][0-9]+[.][0-9]+$');
  // Without either, the range begins with the first commit.
  return commit || git('rev-list', '--max-parents=0', '--abbrev-commit', 'HEAD').split('\n').at(-1) || 'HEAD';
}

/** Returns the packages that the service runs with. npm takes the name from the folder, which differs per machine. */
function makeBillOfMaterials(name: string): { text: string; components: number } {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit=dev'];
  const output = execFileSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const bill = JSON.parse(output);
  bill.metadata.component.name = name;
  return { text: `${JSON.stringify(bill, null, 2)}\n`, components: bill.components.length };
}

function write(changes: FileChange[]): void {
  for (const { file, text } of changes) writeFileSync(join(root, file), text);
}

interface Artefacts {
  version: string;
  notes: string;
  bill: string;
}

/** The bill has a new serial number every time, so it is an artefact of the release and not part of the repository. */
function writeArtefacts({ version, notes, bill }: Artefacts): string {
  const folder = join('release', `v${version}`);
  mkdirSync(join(root, folder), { recursive: true });
  write([
    { file: join(folder, 'notes.md'), text: notes },
    { file: join(folder, 'sbom.cdx.json'), text: bill },
  ]);
  return folder;
}

function release(word: string, isDry: boolean): void {
  const { name, version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = nextVersion(current, word);
  assertLater(current, version);
  assertReady(version);
  const development = developmentVersion(version);
  const day = new Date().toISOString().slice(0, 10);
  const old = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const { changelog, notes } = writeSection(old, version, day, findStart());
  const changes = [{ file: 'CHANGELOG.md', text: changelog }, ...replaceVersion(root, current, version)];
  const files = changes.map(({ file }) => file);
  say(
    `Release ${version} (was ${current})\n\nFiles:\n${files.map((file) => `  ${file}`).join('\n')}\n\nNotes:\n\n${notes}`,
  );
  if (isDry) {
    say(`Bill of materials: ${makeBillOfMaterials(name).components} packages`);
    say(
      `Dry run: nothing was changed. Without --dry-run: commit "Release ${version}", tag v${version}, release/v${version}/, commit "Begin ${development}".`,
    );
    return;
  }
  write(changes);
  try {
    const { text: bill, components } = makeBillOfMaterials(name);
    git('add', '--', ...files);
    git('commit', '--quiet', '--message', `Release ${version}`);
    git('tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `Release ${version}\n\n${notes}`);
    const changesAfter = replaceVersion(root, version, development);
    write(changesAfter);
    git('commit', '--quiet', '--message', `Begin ${development}`, '--', ...changesAfter.map(({ file }) => file));
    const folder = writeArtefacts({ version, notes, bill });
    say(
      `Committed and tagged v${version}. ${folder}/ has the notes and the bill of materials (${components} packages).`,
    );
    say(`The branch is at ${development} now.`);
    say(`Publish: git push --follow-tags`);
  } catch (error) {
    // Undoes what is not committed.
    git('reset', '--quiet', '--hard', 'HEAD');
    throw error;
  }
}

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
});
try {
  const [word, ...others] = positionals;
  if (word === undefined || others.length > 0) {
    throw new Error('Usage: npm run release -- X.Y.Z|major|minor|patch [--dry-run]');
  }
  release(word, values['dry-run']);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
