import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { findPathProblem, isPattern, matchesPattern } from './file-pattern.ts';
import { incomplete, SftpError, sftpCodes, withinTime } from './session.ts';

const maxFileBytes = 128 * 1024 * 1024;
const maxListedFiles = 10_000;
/** A file that is still written changes within this time. */
const settleMillis = 3_000;

export interface RemoteFile {
  name: string;
  bytes: number;
  modifiedAt: Temporal.Instant;
}

export const isSameState = (a: RemoteFile, b: RemoteFile): boolean =>
  a.bytes === b.bytes && Temporal.Instant.compare(a.modifiedAt, b.modifiedAt) === 0;

/** `pattern`: of the names of files. */
export interface Place {
  folder: string;
  pattern: string;
}

/** Returns where to look: a path with a pattern in its last part, a folder, or a single file. */
export async function locate(sftp: SFTPWrapper, path: string): Promise<Place | RemoteFile> {
  const problem = findPathProblem(path);
  if (problem !== undefined) throw new SftpError('incomplete', problem);
  const name = posix.basename(path);
  if (isPattern(name)) return { folder: posix.dirname(path), pattern: name };
  const stats = await promisify<string, Stats>(sftp.stat).call(sftp, path);
  return stats.isDirectory() ? { folder: path, pattern: '*.csv' } : describeFile(path, stats);
}

/** A server may leave size and time out. Such a file is refused as empty or old. */
const describeFile = (name: string, { size = 0, mtime = 0 }: Partial<Stats>): RemoteFile => ({
  name,
  bytes: size,
  modifiedAt: Temporal.Instant.fromEpochMilliseconds(mtime * 1000),
});

/** Lists the files that match, one part of the folder after another. Stops at a folder that has no end. */
export async function listFiles(sftp: SFTPWrapper, { folder, pattern }: Place): Promise<RemoteFile[]> {
  const handle = await promisify<string, Buffer>(sftp.opendir).call(sftp, folder);
  const readPart = promisify<Buffer, FileEntryWithStats[]>(sftp.readdir);
  const files: RemoteFile[] = [];
  for (let listed = 0; listed <= maxListedFiles; ) {
    const part = await readPart.call(sftp, handle).catch((error: { code?: number }) => {
      if (error.code === sftpCodes().EOF) return undefined;
      throw error;
    });
    if (part === undefined) {
      sftp.close(handle, () => {});
      return files;
    }
    // A part without names counts too.
    listed += Math.max(1, part.length);
    for (const { filename, attrs } of part) {
      if (attrs.isDirectory() || !matchesPattern(filename, pattern)) continue;
      files.push(describeFile(posix.join(folder, filename), attrs));
    }
  }
  throw incomplete('file-many', { path: folder, limit: maxListedFiles });
}

/** Reads what was announced, and one byte more if there is one: that file grows, or the server lied about its size. */
async function readBytes(sftp: SFTPWrapper, { name, bytes }: RemoteFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  const stream = sftp.createReadStream(name, { start: 0, end: bytes });
  // The file is closed after its last byte. It does not matter whether that succeeds.
  stream.on('error', () => {});
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

interface Settling {
  /** Looks the file up again. */
  find: () => Promise<RemoteFile>;
  signal: AbortSignal;
  millis?: number | undefined;
}

/** Returns the bytes of a file that did not change before, during and after it was read. */
export async function readSettled(
  sftp: SFTPWrapper,
  file: RemoteFile,
  { find, signal, millis = settleMillis }: Settling,
): Promise<Buffer> {
  if (file.bytes > maxFileBytes) throw incomplete('file-too-large', { name: file.name });
  await sleep(millis, undefined, { signal });
  const growing = () => incomplete('file-growing', { name: file.name });
  if (!isSameState(await find(), file)) throw growing();
  const bytes = await withinTime(readBytes(sftp, file), file.name, signal);
  if (bytes.length !== file.bytes || !isSameState(await find(), file)) throw growing();
  return bytes;
}
