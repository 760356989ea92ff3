import { parentPort } from 'node:worker_threads';
import { letterOf } from './letters.ts';
import { renderLetter } from './render.ts';
import type { RenderResult, RenderTask } from './renderer.ts';

/** The other end of `renderer.ts`. A document that cannot be rendered is answered with the reason and harms no other. */
async function answer({ id, content }: RenderTask): Promise<RenderResult> {
  try {
    return { id, pdf: await renderLetter(letterOf(content)) };
  } catch (error) {
    return { id, error: error instanceof Error ? error : new Error(String(error)) };
  }
}

parentPort?.on('message', async (task: RenderTask) => {
  parentPort?.postMessage(await answer(task));
});
