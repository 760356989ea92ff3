import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { assertLater, developmentVersion, nextVersion } from '../../../scripts/release-changes.ts';
import { withFolder } from '../../support/process.ts';

const root = join(import.meta.dirname, '../../..');

function run(program: string, words: string[], cwd: string) {
  const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
  return spawnSync(program, words, { cwd, encoding: 'utf8', env: { ...process.env, ...author, ...committer } });
}

interface Clone {
  folder: string;
  read(file: string): Promise<string>;
  change(file: string, edit: (text: string) => string): Promise<void>;
  git(...words: string[]): string;
  release(...words: string[]): { status: number | null; stdout: string; stderr: string };
}

/** Clones the repository, with a static check that succeeds at once and something to release. */
async function withClone(t: TestContext, work: (clone: Clone) => Promise<void>): Promise<void> {
  if (!existsSync(join(root, '.git'))) return t.skip('there is no git repository to clone');
  await withFolder(async (parent) => {
    const folder = join(parent, 'clone');
    assert.equal(run('git', ['clone', '--quiet', root, folder], parent).status, 0);
    const git = (...words: string[]) => run('git', words, folder).stdout.trim();
    const read = (file: string) => readFile(join(folder, file), 'utf8');
    const change = async (file: string, edit: (text: string) => string) => {
      await writeFile(join(folder, file), edit(await read(file)));
      git('commit', '--quiet', '--all', '--message', `Change ${file}`);
    };
    git('checkout', '--quiet', '-B', 'releasing');
    await change('package.json', (text) => text.replace(/"check:static": ".*"/, '"check:static": "true"'));
    await change('CHANGELOG.md', (text) =>
      text.replace(/^## Unreleased\n[\s\S]*?(?=^## )/m, '## Unreleased\n\n### Added\n\n- Something `new`.\n\n'),
    );
    const release = (...words: string[]) => run(process.execPath, [join(root, 'scripts/release.ts'), ...words], folder);
    await work({ folder, read, change, git, release });
  });
}

describe('npm run release', () => {
  it('takes the version being developed as the next release', () => {
    const versions = ['major', 'minor', 'patch'].map((word) => nextVersion('0.3.0-dev', word));
    assert.deepEqual(versions, ['1.0.0', '0.3.0', '0.3.0']);
    assert.equal(nextVersion('0.3.1-dev', 'minor'), '0.4.0');
    assert.equal(nextVersion('1.0.0-dev', 'major'), '1.0.0');
    assert.equal(nextVersion('0.3.0', 'patch'), '0.3.1');
    assert.equal(developmentVersion('0.3.1'), '0.4.0-dev');
    assert.throws(() => assertLater('0.3.0-dev', '0.2.1'), /not later/);
    assert.doesNotThrow(() => assertLater('0.3.0-dev', '0.3.0'));
  });

  it('commits the version and the changelog, tags, and writes notes and bill of materials', (t) =>
    withClone(t, async ({ folder, read, git, release }) => {
      const { version: current } = JSON.parse(await read('package.json'));
      const next = nextVersion(current, 'minor');
      await mkdir(join(folder, 'deploy/helm'), { recursive: true });
      await writeFile(join(folder, 'deploy/helm/Chart.yaml'), `version: ${current}\nnode: 1${current}1\n`);
      git('add', '.');
      git('commit', '--quiet', '--message', 'Add a chart');
      const { status, stderr } = release('minor');
      assert.equal(status, 0, stderr);
      const development = developmentVersion(next);
      assert.equal(git('log', '-n', '2', '--format=%s'), `Begin ${development}\nRelease ${next}`);
      assert.equal(git('status', '--porcelain'), '');
      assert.equal(JSON.parse(await read('package.json')).version, development);
      assert.match(git('diff', '--stat', 'HEAD^', '--', 'package-lock.json'), /5 insertions\(\+\), 5 deletions/);
      assert.equal(await read('deploy/helm/Chart.yaml'), `version: ${development}\nnode: 1${current}1\n`);
      git('checkout', '--quiet', 'HEAD^');
      assert.equal(git('describe', '--tags'), `v${next}`);
      const day = new Date().toISOString().slice(0, 10);
      assert.match(
        await read('CHANGELOG.md'),
        new RegExp(`## Unreleased\n\n## ${next} - ${day}\n\nAll changes: .*\n\n### Added\n\n- Some`),
      );
      const lockfile = JSON.parse(await read('package-lock.json'));
      const versions = [
        lockfile.version,
        lockfile.packages[''].version,
        lockfile.packages.portal.version,
        lockfile.packages.my.version,
        lockfile.packages.sdk.version,
      ];
      versions.push(
        JSON.parse(await read('package.json')).version,
        JSON.parse(await read('portal/package.json')).version,
        JSON.parse(await read('my/package.json')).version,
        JSON.parse(await read('sdk/package.json')).version,
      );
      assert.deepEqual(new Set(versions), new Set([next]));
      assert.equal(await read('deploy/helm/Chart.yaml'), `version: ${next}\nnode: 1${current}1\n`);
      // Only versions differ: the files keep their format.
      assert.match(git('diff', '--stat', 'HEAD^', '--', 'package.json'), /1 insertion\(\+\), 1 deletion/);
      assert.match(git('diff', '--stat', 'HEAD^', '--', 'package-lock.json'), /5 insertions\(\+\), 5 deletions/);
      const bill = JSON.parse(await read(`release/v${next}/sbom.cdx.json`));
      assert.equal(bill.metadata.component.name, 'transit-benefits');
      assert.equal(bill.metadata.component.version, next);
      assert(bill.components.some(({ name }: { name: string }) => name === 'fastify'));
      assert(!bill.components.some(({ name }: { name: string }) => name === 'playwright-core'));
      assert.match(await read(`release/v${next}/notes.md`), /Something `new`\./);
      assert.match(git('tag', '-n9', '-l', `v${next}`), /### Added/);
    }));

  it('changes nothing with --dry-run', (t) =>
    withClone(t, async ({ git, release }) => {
      const before = git('rev-parse', 'HEAD');
      const { status, stdout, stderr } = release('major', '--dry-run');
      assert.equal(status, 0, stderr);
      assert.match(stdout, /package-lock\.json[\s\S]*Something `new`[\s\S]*Bill of materials: \d+ packages\nDry run/);
      assert.deepEqual(
        [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--points-at')],
        [before, '', ''],
      );
    }));

  it('refuses what must not be released', (t) =>
    withClone(t, async ({ folder, change, git, release }) => {
      const refuse = (words: string[], message: RegExp) => {
        const { status, stderr } = release(...words);
        assert.equal(status, 1);
        assert.match(stderr, message);
      };
      refuse([], /^Usage/);
      refuse(['next'], /not a version/);
      refuse(['0.0.1'], /not later than/);
      git('tag', 'v99.0.0');
      refuse(['99.0.0'], /tag v99\.0\.0 exists/);
      await writeFile(join(folder, 'new-file'), '');
      refuse(['minor'], /working tree has changes/);
      git('add', '.');
      git('commit', '--quiet', '--message', 'Add a file');
      await change('package.json', (text) => text.replace('"check:static": "true"', '"check:static": "false"'));
      refuse(['minor'], /check:static` fails/);
      await change('package.json', (text) => text.replace('"check:static": "false"', '"check:static": "true"'));
      await change('CHANGELOG.md', (text) => text.replace('### Added\n\n- Something `new`.\n\n', ''));
      refuse(['minor'], /nothing under "Unreleased"/);
      git('checkout', '--quiet', '--detach');
      refuse(['minor'], /No branch/);
    }));
});
