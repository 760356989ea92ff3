import { posix } from 'node:path';
import { promisify } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import ssh2, { type Stats } from 'ssh2';
import { listFiles, locate, type RemoteFile, readSettled } from './files.ts';
import {
  incomplete,
  SftpError,
  type SftpOptions,
  type SftpServer,
  type SftpSession,
  signIn,
  withinTime,
} from './session.ts';

/** Holds one session in a thread, and answers the calls of `client.ts` one after another. */

export interface NewClient {
  server: SftpServer;
  options: Omit<SftpOptions, 'signal'> & { settleMillis?: number | undefined };
}

export type SftpCall =
  | { name: 'write'; path: string; content: Uint8Array }
  | { name: 'rename'; from: string; to: string }
  | { name: 'remove'; path: string }
  | { name: 'list'; path: string }
  | { name: 'read'; path: string };

/** A file, as it can be sent between threads. */
export interface SentFile {
  path: string;
  bytes: number;
  modifiedMillis: number;
}

export type SftpReply =
  | { result: unknown }
  | { error: Pick<SftpError, 'message' | 'code'> & { explanation: SftpError['explanation'] | undefined } };

const { server, options } = workerData as NewClient;
// The thread as a whole is ended instead.
const { signal } = new AbortController();
const { NO_SUCH_FILE } = ssh2.utils.sftp.STATUS_CODE;

let session: SftpSession | undefined;

const toSent = ({ name, bytes, modifiedAt }: RemoteFile): SentFile => ({
  ...{ path: name, bytes, modifiedMillis: modifiedAt.epochMilliseconds },
});

async function findFiles({ sftp }: SftpSession, path: string): Promise<RemoteFile[]> {
  const place = await withinTime(locate(sftp, path), path, signal);
  return 'folder' in place ? withinTime(listFiles(sftp, place), place.folder, signal) : [place];
}

async function findFile(known: SftpSession, path: string): Promise<RemoteFile> {
  const [file] = await findFiles(known, path);
  if (file === undefined) throw incomplete('file-none', { path });
  return file;
}

/** Writes a file, and compares its size. */
async function write({ sftp }: SftpSession, path: string, content: Uint8Array): Promise<void> {
  const folder = posix.dirname(path);
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const writing = promisify<string, Buffer>(sftp.writeFile).call(sftp, path, buffer);
  await withinTime(writing as unknown as Promise<void>, folder, signal, 'sftp-write-forbidden');
  const { size } = await withinTime(promisify<string, Stats>(sftp.stat).call(sftp, path), path, signal);
  if (size !== content.length) throw incomplete('file-partial', { path, stored: size, bytes: content.length });
}

const isMissing = (error: unknown) => (error as { code?: number }).code === NO_SUCH_FILE;

/** Returns whether the file was there. */
async function move({ sftp }: SftpSession, from: string, to: string): Promise<boolean> {
  const hasFile = (path: string) =>
    promisify<string, Stats>(sftp.stat)
      .call(sftp, path)
      .then(
        () => true,
        (error: unknown) => {
          if (isMissing(error)) return false;
          throw error;
        },
      );
  if (!(await withinTime(hasFile(from), from, signal))) return false;
  // Servers differ in whether a rename replaces a file.
  if (await withinTime(hasFile(to), to, signal)) throw incomplete('file-exists', { path: to });
  const renaming = promisify<string, string>(sftp.rename).call(sftp, from, to) as unknown as Promise<void>;
  const moved = renaming.then(
    () => true,
    (error: unknown) => {
      // Another attempt was faster.
      if (isMissing(error)) return false;
      throw error;
    },
  );
  return withinTime(moved, posix.dirname(to), signal, 'sftp-write-forbidden');
}

async function answer(call: SftpCall): Promise<unknown> {
  session ??= await signIn(server, { ...options, signal });
  const known = session;
  if (call.name === 'write') return write(known, call.path, call.content);
  if (call.name === 'rename') return move(known, call.from, call.to);
  if (call.name === 'remove') {
    const removing = promisify<string>(known.sftp.unlink).call(known.sftp, call.path) as unknown as Promise<void>;
    return withinTime(removing, call.path, signal, 'sftp-write-forbidden');
  }
  if (call.name === 'list') return (await findFiles(known, call.path)).map(toSent);
  const find = () => findFile(known, call.path);
  return readSettled(known.sftp, await find(), { find, signal, millis: options.settleMillis });
}

parentPort?.on('message', (call: SftpCall) => {
  answer(call)
    .then(
      (result): SftpReply => ({ result }),
      (error: SftpError): SftpReply => {
        const explanation = error instanceof SftpError ? error.explanation : undefined;
        return { error: { message: error.message, code: error.code, explanation } };
      },
    )
    .then((reply) => parentPort?.postMessage(reply));
});
