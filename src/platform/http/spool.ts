import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { makePrivateFolder, privateFile } from '../files/private-files.ts';

/** What a client has not read yet stays in memory up to this size. */
const maxMemoryBytes = 256 * 1024;
const pieceBytes = 64 * 1024;
/** A client that takes longer to read a response is disconnected. */
export const maxDownloadMillis = 15 * 60_000;

/** Opens a file that has no name any more, so that it disappears when it is closed, also with the process. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  await makePrivateFolder(folder);
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx+', privateFile);
  await unlink(path);
  return file;
}

/** Returns a stream of the text. What the client has not read waits in memory, and in a file if it is much. */
function spool(
  first: IteratorResult<string | Uint8Array>,
  source: AsyncGenerator<string | Uint8Array>,
  folder: string,
): Readable {
  const memory: Buffer[] = [];
  let inMemory = 0;
  let file: FileHandle | undefined;
  let [written, read] = [0, 0];
  let [isComplete, isClosed] = [false, false];
  let failure: unknown;
  let changed = Promise.withResolvers<void>();
  const announce = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  /** Text goes to the file until all that is there has been read, so that the order remains. */
  async function store(bytes: Buffer): Promise<void> {
    if (written === read && inMemory + bytes.length <= maxMemoryBytes) {
      memory.push(bytes);
      inMemory += bytes.length;
    } else {
      file ??= await openUnnamed(folder);
      await file.write(bytes, 0, bytes.length, written);
      written += bytes.length;
    }
    announce();
  }

  async function fill(): Promise<void> {
    try {
      for (let next = first; !next.done && !isClosed; next = await source.next())
        await store(Buffer.from(next.value as string));
      await source.return(undefined);
    } catch (error) {
      failure = error;
    } finally {
      isComplete = true;
      announce();
    }
  }

  async function readFile(from: FileHandle): Promise<Buffer> {
    const { buffer, bytesRead } = await from.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, read);
    read += bytesRead;
    return buffer.subarray(0, bytesRead);
  }

  async function* drain(): AsyncGenerator<Buffer> {
    while (!isClosed) {
      const bytes = memory.shift();
      if (bytes !== undefined) {
        inMemory -= bytes.length;
        yield bytes;
      } else if (file !== undefined && read < written) yield await readFile(file);
      else if (failure !== undefined) throw failure;
      else if (isComplete) return;
      else await changed.promise;
    }
  }

  const filling = fill();
  const body = Readable.from(drain(), { objectMode: false });
  return body.once('close', async () => {
    isClosed = true;
    announce();
    await filling;
    await file?.close();
  });
}

/**
 * Sends text that a client may read slowly. The connection and the slot that the source uses are free when the database
 * has sent everything, however slowly the client reads. The response begins with the first text, so that a failure up to
 * that point gets its own status. A later failure breaks the connection, so that no response looks complete when it is not.
 */
export async function sendSpooled(reply: FastifyReply, source: AsyncGenerator<string | Uint8Array>, folder: string) {
  const body = spool(await source.next(), source, folder);
  const timer = setTimeout(() => body.destroy(new Error('The client read too slowly.')), maxDownloadMillis);
  body.once('close', () => clearTimeout(timer));
  // The client may have disconnected already. Nothing else would then end the source.
  if (reply.raw.socket?.destroyed) body.destroy();
  return reply.send(body);
}
