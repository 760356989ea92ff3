import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findPreviousRelease } from '../../../torture/rolling-upgrade/index.ts';
import { withFolder } from '../../support/process.ts';

const execute = promisify(execFile);
const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];

/** Makes a repository with one empty commit per subject. */
async function withRepository(subjects: string[], work: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const git = (...words: string[]) => execute('git', ['-C', folder, ...identity, ...words]);
    await git('init', '-q');
    for (const subject of subjects) await git('commit', '-q', '--allow-empty', '-m', subject);
    await work(folder);
  });
}

const versionIn = async (folder: string) => {
  const release = await findPreviousRelease(folder);
  return typeof release === 'string' ? release : release.version;
};

describe('the previous release', () => {
  it('is the newest tag before this commit', () =>
    withRepository(['One', 'Two', 'Three'], async (folder) => {
      for (const words of [['v0.1.0', 'HEAD~2'], ['v0.2.0', 'HEAD~1'], ['v0.3.0']])
        await execute('git', ['-C', folder, 'tag', ...words]);
      assert.equal(await versionIn(folder), '0.2.0');
    }));

  it('is not known without one, in a shallow clone and without git, and the reason says what to do', async () => {
    await withRepository(['Begin', 'Continue'], async (folder) => {
      assert.equal(await versionIn(folder), 'the git history has no release before this commit');
    });
    await withRepository(['Release 0.1.0', 'Continue'], async (folder) => {
      const clone = join(folder, 'clone');
      await execute('git', ['clone', '-q', '--depth=1', `file://${folder}`, clone]);
      assert.match(await versionIn(clone), /is shallow .* \(git fetch --unshallow --tags\)$/);
    });
    await withFolder(async (folder) => assert.match(await versionIn(folder), /^there is no git history/));
  });
});
