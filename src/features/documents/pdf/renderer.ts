import { createThread } from '../../../platform/threads/thread.ts';
import type { PrintedContent } from './content.ts';
import type { Letters } from './letter.ts';

/** Renders documents on a separate thread, so that the API in the same process stays responsive. */
export interface Renderer {
  render(content: PrintedContent): Promise<Buffer>;
  renderLetters(letters: Letters): Promise<Buffer>;
  stop(): Promise<void>;
}

/** `isTest`: all documents are marked as valid nowhere. */
export function startRenderer(isTest: boolean, threadUrl = new URL('./thread.ts', import.meta.url)): Renderer {
  const thread = createThread<PrintedContent | Letters, Uint8Array>(threadUrl);
  async function render(content: PrintedContent | Letters): Promise<Buffer> {
    const { buffer, byteOffset, byteLength } = await thread.run({ ...content, isTest });
    return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  }
  return { render, renderLetters: render, stop: thread.stop };
}
