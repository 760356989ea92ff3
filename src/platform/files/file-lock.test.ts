import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withFileLock } from './file-lock.ts';

const options = (timeoutMs: number) => ({
  timeoutMs,
  describeFailure: (path: string, reason: string) => `cannot lock ${path}: ${reason}`,
  describeTimeout: (path: string) => `${path} is held`,
});

/** Starts a process that takes the lock and keeps it until it is killed. */
async function startHolder(path: string) {
  const script = `
    const { withFileLock } = await import(${JSON.stringify(new URL('./file-lock.ts', import.meta.url).href)});
    await withFileLock(${JSON.stringify(path)}, { timeoutMs: 1000 }, async () => {
      console.log('locked');
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('withFileLock', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-lock-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('lets one caller at a time work, also within one process', async () => {
    const path = join(folder, 'one-at-a-time');
    let working = 0;
    const work = async () => {
      working += 1;
      assert.equal(working, 1);
      await new Promise((resolve) => setImmediate(resolve));
      working -= 1;
      return 'done';
    };
    const results = await Promise.all([1, 2, 3].map(() => withFileLock(path, options(60_000), work)));
    assert.deepEqual(results, ['done', 'done', 'done']);
  });

  it('gives up while another process holds the lock, and takes it over when that process is killed', async () => {
    const path = join(folder, 'killed');
    const holder = await startHolder(path);
    try {
      await assert.rejects(
        withFileLock(path, options(50), async () => {}),
        { message: `${path} is held` },
      );
    } finally {
      await holder.kill();
    }
    assert.equal(await withFileLock(path, options(0), async () => 'taken over'), 'taken over');
  });

  it('releases the lock when the work fails', async () => {
    const path = join(folder, 'failed');
    await assert.rejects(
      withFileLock(path, options(0), () => Promise.reject(new Error('no'))),
      { message: 'no' },
    );
    assert.equal(await withFileLock(path, options(0), async () => 'free'), 'free');
  });

  it('reports a file that cannot be locked', async () => {
    const path = join(folder, 'none/lock');
    await assert.rejects(
      withFileLock(path, options(0), async () => {}),
      /cannot lock .*none\/lock: ENOENT/,
    );
  });
});
