import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { composeDocument } from '../../src/documents/pdf/compose.ts';
import type { PrintedContent } from '../../src/documents/pdf/content.ts';
import { renderDocument } from '../../src/documents/pdf/render.ts';
import { type Renderer, startRenderer } from '../../src/documents/pdf/renderer.ts';
import { aContent, allKinds } from './contents.ts';

async function withRenderer(work: (renderer: Renderer) => Promise<void>, threadUrl?: URL): Promise<void> {
  const renderer = startRenderer(threadUrl);
  try {
    await work(renderer);
  } finally {
    await renderer.stop();
  }
}

/** A thread that exits on employee 13, and returns the number of every other employee. */
const fragileThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ number, question }) => {
    if (question.employeeId === 13) process.exit(3);
    parentPort.postMessage({ number, answer: Uint8Array.of(question.employeeId) });
  });
`)}`,
);

describe('the renderer', () => {
  it('gives the bytes that rendering without a thread gives', () =>
    withRenderer(async ({ render }) => {
      for (const content of [...allKinds(), ...allKinds({ locale: 'en-GB', lastName: 'Шевченко' })]) {
        const bytes = await render(content);
        assert(Buffer.isBuffer(bytes));
        assert(bytes.equals(await renderDocument(composeDocument(content))));
      }
    }));

  it('renders many at once, each for the one who asked', () =>
    withRenderer(async ({ render }) => {
      const contents = Array.from({ length: 50 }, (_, employeeId) => aContent('ticket-confirmation', { employeeId }));
      const rendered = await Promise.all(contents.map(render));
      const expected = await Promise.all(contents.map((content) => renderDocument(composeDocument(content))));
      assert.deepEqual(rendered, expected);
    }));

  it('rejects a document that cannot be rendered, and no other', () =>
    withRenderer(async ({ render }) => {
      const good = aContent('ticket-confirmation');
      const bad = { ...good, madeOn: 'yesterday' };
      const unsendable = { ...good, email: () => 'anna@example.com' } as unknown as PrintedContent;
      const [before, failed, unsent, after] = await Promise.allSettled([good, bad, unsendable, good].map(render));
      assert.equal(before?.status, 'fulfilled');
      assert.equal(after?.status, 'fulfilled');
      assert(failed?.status === 'rejected' && failed.reason instanceof RangeError);
      assert.equal(unsent?.status, 'rejected');
      assert((await render(good)).length > 0);
    }));

  it('rejects what was under way when its thread is lost, and goes on with a new one', () =>
    withRenderer(async ({ render }) => {
      const of = (employeeId: number) => render(aContent('ticket-confirmation', { employeeId }));
      assert.deepEqual(await of(1), Buffer.of(1));
      const results = await Promise.allSettled([of(13), of(2)]);
      for (const { status } of results) assert.equal(status, 'rejected');
      assert.deepEqual(await of(3), Buffer.of(3));
    }, fragileThread));

  it('rejects when its thread cannot even start', () =>
    withRenderer(async ({ render }) => {
      for (let attempt = 0; attempt < 2; attempt++) {
        await assert.rejects(render(aContent('ticket-confirmation')), /no thread today/);
      }
    }, new URL("data:text/javascript,throw new Error('no thread today')")));

  it('rejects what is under way when it stops, and takes no more', async () => {
    const renderer = startRenderer();
    const pending = Promise.allSettled(allKinds().map(renderer.render));
    await renderer.stop();
    for (const { status } of await pending) assert.equal(status, 'rejected');
    await assert.rejects(renderer.render(aContent('ticket-confirmation')), /stopped/);
    await renderer.stop();
  });

  it('stops when it never started', () => startRenderer().stop());

  it('does not keep a process alive that has nothing to render', async () => {
    const modules = ['../../src/documents/pdf/renderer.ts', './contents.ts'];
    const [rendererUrl, contentsUrl] = modules.map((path) => JSON.stringify(new URL(path, import.meta.url).href));
    const script = `
      import { startRenderer } from ${rendererUrl};
      import { aContent } from ${contentsUrl};
      const { render } = startRenderer();
      const bytes = await render(aContent('ticket-confirmation'));
      console.log(bytes.toString('latin1', 0, 5));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      timeout: 300_000,
    });
    assert.equal(stdout, '%PDF-\n');
  });
});
