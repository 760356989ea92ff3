import { parentPort, Worker } from 'node:worker_threads';

/** A thread for work that would block other requests. */
export interface Thread<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  /** Ends the thread and rejects the work in progress. */
  stop(): Promise<void>;
}

interface Numbered<Question> {
  number: number;
  question: Question;
}

type Reply<Answer> = { number: number; answer: Answer } | { number: number; error: Error };

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

interface Running<Question, Answer> extends Thread<Question, Answer> {
  isLost(): boolean;
}

function start<Question, Answer>(url: URL, data: unknown): Running<Question, Answer> {
  // Flags of the process, such as those of an inline script, do not apply to the thread.
  const worker = new Worker(url, { workerData: data, execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let last = 0;
  let isLost = false;

  function lose(error: Error): void {
    isLost = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  worker.on('error', (error) => lose(asError(error)));
  worker.on('exit', (code) => lose(new Error(`A thread has ended with code ${code}.`)));
  worker.on('message', (reply: Reply<Answer>) => {
    const asked = waiting.get(reply.number);
    waiting.delete(reply.number);
    // Only work in progress keeps the process alive, not an idle thread.
    if (waiting.size === 0) worker.unref();
    if ('error' in reply) asked?.reject(reply.error);
    else asked?.resolve(reply.answer);
  });

  return {
    isLost: () => isLost,
    ask(question) {
      const number = ++last;
      const asked = Promise.withResolvers<Answer>();
      // Throws if the message cannot be sent, before a caller waits for the result.
      worker.postMessage({ number, question } satisfies Numbered<Question>);
      waiting.set(number, asked);
      worker.ref();
      return asked.promise;
    },
    async stop() {
      await worker.terminate();
    },
  };
}

/** Starts the thread on the first call, and again on the next call after it was lost. */
export function createThread<Question, Answer>(url: URL, data?: unknown): Thread<Question, Answer> {
  let running: Running<Question, Answer> | undefined;
  let isStopped = false;
  return {
    async ask(question) {
      if (isStopped) throw new Error('The thread has been stopped.');
      if (running === undefined || running.isLost()) running = start(url, data);
      return running.ask(question);
    },
    async stop() {
      isStopped = true;
      await running?.stop();
    },
  };
}

/** Handles the messages in the thread. A message that fails does not affect the others. */
export function answerInThread<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  const port = parentPort;
  if (port === null) throw new Error('This module runs as a worker thread.');
  port.on('message', async ({ number, question }: Numbered<Question>) => {
    try {
      port.postMessage({ number, answer: await answer(question) } satisfies Reply<Answer>);
    } catch (error) {
      port.postMessage({ number, error: asError(error) } satisfies Reply<Answer>);
    }
  });
}
