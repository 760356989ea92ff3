import { createMessage } from '../../domain/messages/message.ts';
import { MemoryExceededError, startLimitedThread } from '../threads/thread.ts';
import { SftpError, type SftpOptions, type SftpServer } from './session.ts';
import type { NewClient, SentFile, SftpCall, SftpReply } from './thread.ts';

/** Works with the files of a server. Failures are `SftpError`s. */
export interface SftpClient {
  write(path: string, content: Uint8Array): Promise<void>;
  /** Gives a file its name, and replaces none. Returns false if the file is not there. */
  rename(from: string, to: string): Promise<boolean>;
  remove(path: string): Promise<void>;
  /** Lists the files of a path with a pattern in its last part, or the file itself. */
  list(path: string): Promise<SentFile[]>;
  /** Reads a file that does not change meanwhile, and throws if it does. */
  read(path: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Much more than the largest file that is read. */
const maxHeapMegabytes = 768;

/** Opens a session in a thread with limited memory: what a server sends decides how much work it is. The caller closes it. */
export function openSftp(
  server: SftpServer,
  { signal, ...options }: SftpOptions & Pick<NewClient['options'], 'settleMillis'>,
): SftpClient {
  const workerData: NewClient = { server, options };
  const url = new URL('./thread.ts', import.meta.url);
  const thread = startLimitedThread<SftpCall, SftpReply>(url, { workerData, maxHeapMegabytes, signal });

  async function call<T>(sent: SftpCall): Promise<T> {
    const reply = await thread.call(sent).catch((error: unknown) => {
      if (!(error instanceof MemoryExceededError)) throw error;
      throw new SftpError('unexpected-response', createMessage('sftp-too-large', { host: server.host }));
    });
    if ('result' in reply) return reply.result as T;
    const { explanation, code, message } = reply.error;
    throw explanation === undefined ? new Error(message) : new SftpError(code, explanation);
  }

  return {
    write: (path, content) => call({ name: 'write', path, content }),
    rename: (from, to) => call({ name: 'rename', from, to }),
    remove: (path) => call({ name: 'remove', path }),
    list: (path) => call({ name: 'list', path }),
    read: (path) => call({ name: 'read', path }),
    close: () => thread.stop(),
  };
}
