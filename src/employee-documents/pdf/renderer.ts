import { Worker } from 'node:worker_threads';
import type { DocumentContent } from './content.ts';

/** Renders documents on a thread of its own, so that the API in the same process keeps answering meanwhile. */
export interface Renderer {
  render(content: DocumentContent): Promise<Buffer>;
  /** Ends the thread; what is under way is rejected. */
  stop(): Promise<void>;
}

export interface RenderTask {
  id: number;
  content: DocumentContent;
}

export type RenderResult = { id: number; pdf: Uint8Array } | { id: number; error: Error };

interface Thread extends Renderer {
  isLost(): boolean;
}

function startThread(url: URL): Thread {
  // Flags of the process, such as those of an inline script, are not meant for the thread.
  const worker = new Worker(url, { name: 'documents', execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<Buffer>>();
  let lastId = 0;
  let isLost = false;

  function lose(error: Error): void {
    isLost = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  worker.on('error', (error) => lose(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => lose(new Error(`The thread that renders documents has ended with code ${code}.`)));
  worker.on('message', (result: RenderResult) => {
    const document = waiting.get(result.id);
    waiting.delete(result.id);
    // Only work keeps the process alive, not a thread that waits for some.
    if (waiting.size === 0) worker.unref();
    if ('error' in result) document?.reject(result.error);
    else document?.resolve(Buffer.from(result.pdf.buffer, result.pdf.byteOffset, result.pdf.byteLength));
  });

  return {
    isLost: () => isLost,
    render(content) {
      const id = ++lastId;
      const document = Promise.withResolvers<Buffer>();
      worker.postMessage({ id, content } satisfies RenderTask);
      waiting.set(id, document);
      worker.ref();
      return document.promise;
    },
    async stop() {
      await worker.terminate();
    },
  };
}

/** The thread starts with the first document, and anew with the next one when it was lost. */
export function startRenderer(threadUrl = new URL('./thread.ts', import.meta.url)): Renderer {
  let thread: Thread | undefined;
  let isStopped = false;
  return {
    async render(content) {
      if (isStopped) throw new Error('The renderer has been stopped.');
      if (thread === undefined || thread.isLost()) thread = startThread(threadUrl);
      return thread.render(content);
    },
    async stop() {
      isStopped = true;
      await thread?.stop();
    },
  };
}
