import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { composeDocument } from '../../../src/features/documents/pdf/compose.ts';
import type { PrintedContent } from '../../../src/features/documents/pdf/content.ts';
import { renderDocument } from '../../../src/features/documents/pdf/page.ts';
import { type Renderer, startRenderer } from '../../../src/features/documents/pdf/renderer.ts';
import { aContent, allKinds } from '../../support/document-contents.ts';
import { pluck } from '../../support/pluck.ts';

async function withRenderer(work: (renderer: Renderer) => Promise<void>, threadUrl?: URL): Promise<void> {
  const renderer = startRenderer(false, threadUrl);
  try {
    await work(renderer);
  } finally {
    await renderer.stop();
  }
}

const fragileThread = new URL('./fragile-thread.ts', import.meta.url);
const failingThread = new URL('./failing-thread.ts', import.meta.url);

describe('the renderer', () => {
  it('returns the same bytes as rendering without a thread', () =>
    withRenderer(async ({ render }) => {
      for (const content of [...allKinds(), ...allKinds({ locale: 'en-GB', lastName: 'Шевченко' })]) {
        const bytes = await render(content);
        assert(Buffer.isBuffer(bytes));
        assert(bytes.equals(await renderDocument(composeDocument(content))));
      }
    }));

  it('renders many concurrently, each for its caller', () =>
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

  it('rejects the document on which its thread is lost, and renders the others on a new one', () =>
    withRenderer(async ({ render }) => {
      const of = (employeeId: number) => render(aContent('ticket-confirmation', { employeeId }));
      assert.deepEqual(await of(1), Buffer.of(1));
      const results = await Promise.allSettled([of(13), of(2), of(13), of(3)]);
      assert.deepEqual(pluck(results, 'status'), ['rejected', 'fulfilled', 'rejected', 'fulfilled']);
      assert.deepEqual(await of(4), Buffer.of(4));
    }, fragileThread));

  it('rejects every document while its thread cannot start', () =>
    withRenderer(async ({ render }) => {
      for (let attempt = 0; attempt < 4; attempt++) {
        const results = await Promise.allSettled(allKinds().map(render));
        for (const result of results) {
          assert(result.status === 'rejected');
          assert.match(String(result.reason), /no thread today/);
        }
      }
    }, failingThread));

  it('rejects the documents in progress when it stops, and accepts no more', async () => {
    const renderer = startRenderer(false);
    const pending = Promise.allSettled(allKinds().map(renderer.render));
    await renderer.stop();
    for (const { status } of await pending) assert.equal(status, 'rejected');
    await assert.rejects(renderer.render(aContent('ticket-confirmation')), /stopped/);
    await renderer.stop();
  });

  it('stops even if it never started', () => startRenderer(false).stop());

  it('does not keep a process alive that has nothing to render', async () => {
    const modules = ['../../../src/features/documents/pdf/renderer.ts', '../../support/document-contents.ts'];
    const [rendererUrl, contentsUrl] = modules.map((path) => JSON.stringify(new URL(path, import.meta.url).href));
    const script = `
      import { startRenderer } from ${rendererUrl};
      import { aContent } from ${contentsUrl};
      const { render } = startRenderer(false);
      const bytes = await render(aContent('ticket-confirmation'));
      console.log(bytes.toString('latin1', 0, 5));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      timeout: 300_000,
    });
    assert.equal(stdout, '%PDF-\n');
  });
});
