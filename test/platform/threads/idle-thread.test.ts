import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createThread } from '../../../src/platform/threads/thread.ts';
import { until } from '../../support/until.ts';

const module = new URL('./thread-id.ts', import.meta.url);

describe('a thread', () => {
  it('ends when it is idle, and starts again with the next task', async () => {
    const thread = createThread<null, number>(module, undefined, { endsAfterMillis: 1 });
    const first = await thread.run(null);
    await until('another thread works', async () => (await thread.run(null)) !== first);
    await thread.stop();
    await assert.rejects(thread.run(null), /has been stopped/);
  });

  it('is the same one as long as there are tasks', async () => {
    const thread = createThread<null, number>(module);
    const ids = await Promise.all([1, 2, 3].map(() => thread.run(null)));
    assert.equal(new Set([...ids, await thread.run(null)]).size, 1);
    await thread.stop();
  });
});
