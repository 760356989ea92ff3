import { createThread } from '../../../platform/threads/thread.ts';
import type { PrintedContent } from './content.ts';

/** Renders documents on a separate thread, so that the API in the same process stays responsive. */
export interface Renderer {
  render(content: PrintedContent): Promise<Buffer>;
  stop(): Promise<void>;
}

export function startRenderer(threadUrl = new URL('./thread.ts', import.meta.url)): Renderer {
  const thread = createThread<PrintedContent, Uint8Array>(threadUrl);
  return {
    async render(content) {
      const { buffer, byteOffset, byteLength } = await thread.run(content);
      return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
    },
    stop: thread.stop,
  };
}
