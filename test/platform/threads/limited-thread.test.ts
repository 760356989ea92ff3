import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryExceededError, startLimitedThread } from '../../../src/platform/threads/thread.ts';

/** Returns a module that does something with each message. */
const moduleOf = (body: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';
      parentPort.on('message', (message) => { ${body} });`)}`,
  );

describe('a thread with limits', () => {
  it('answers one call after another', async () => {
    const { signal } = new AbortController();
    const thread = startLimitedThread<number, number>(moduleOf('parentPort.postMessage(message * 2)'), {
      maxHeapMegabytes: 64,
      signal,
    });
    assert.deepEqual([await thread.call(1), await thread.call(2)], [2, 4]);
    await thread.stop();
    await assert.rejects(thread.call(3), /The thread has ended/);
  });

  it('ends at its limit of time, although it is busy', async () => {
    const options = { maxHeapMegabytes: 64, signal: AbortSignal.timeout(500) };
    const thread = startLimitedThread(moduleOf('for (;;);'), options);
    await assert.rejects(thread.call('begin'), { name: 'TimeoutError' });
  });

  it('ends at its limit of memory, and the process goes on', async () => {
    const { signal } = new AbortController();
    const thread = startLimitedThread(moduleOf('const all = []; for (;;) all.push(new Array(1e5).fill(message));'), {
      maxHeapMegabytes: 32,
      signal,
    });
    await assert.rejects(thread.call('begin'), MemoryExceededError);
  });
});
