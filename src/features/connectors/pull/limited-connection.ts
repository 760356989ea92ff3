import { createMessage } from '../../../domain/messages/message.ts';
import { MemoryExceededError, startLimitedThread } from '../../../platform/threads/thread.ts';
import { type Connection, ConnectorError, type Description, type ReadPage } from '../providers/connector.ts';
import type { Call, NewConnection, Reply } from './connection-thread.ts';

/** Much more than the largest file or response that is read. */
const maxHeapMegabytes = 1_024;

function read(reply: Reply): unknown {
  if ('result' in reply) return reply.result;
  if ('failure' in reply) {
    const { code, explanation, retryAfterMillis } = reply.failure;
    throw new ConnectorError(code, explanation, retryAfterMillis);
  }
  throw Object.assign(new Error(reply.error.message), reply.error);
}

/**
 * Opens a connection in a thread with limited memory. What an HR system or a server of the company sends decides how much
 * work it is to read, so it neither blocks nor ends the process. The signal ends the thread, whatever it does.
 */
export function openLimitedConnection(
  system: string,
  { signal, ...connection }: NewConnection & { signal: AbortSignal },
): Connection {
  const url = new URL('./connection-thread.ts', import.meta.url);
  const thread = startLimitedThread<Call, Reply>(url, { workerData: connection, maxHeapMegabytes, signal });

  async function call<T>(sent: Call): Promise<T> {
    try {
      return read(await thread.call(sent)) as T;
    } catch (error) {
      if (!(error instanceof MemoryExceededError)) throw error;
      throw new ConnectorError('unexpected-response', createMessage('connector-too-large', { system }));
    }
  }

  return {
    check: (mapping) => call({ name: 'check', mapping }),
    describe: () => call<Description>({ name: 'describe' }),
    async *read({ absences, ...request }) {
      const period = absences && { from: absences.from.toString(), to: absences.to.toString() };
      await call({ name: 'read', request: { ...request, absences: period } });
      for (;;) {
        const page = await call<ReadPage | undefined>({ name: 'next' });
        if (page === undefined) return;
        yield page;
      }
    },
    close: () => thread.stop(),
  };
}
