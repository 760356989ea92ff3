import { createHash, randomUUID } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { makePrivateFolder, privateFile } from '../../platform/files/private-files.ts';
import { unavailable } from '../../platform/http/errors.ts';

export interface StoredFile {
  key: string;
  sha256: Buffer;
  sizeBytes: number;
}

/** Stores the bytes of documents: in a folder, or in a bucket that all processes share. */
export interface DocumentStore {
  /** Stores a file under the caller's name, replacing an earlier file of that name, or under a new unique name. */
  put(companyId: CompanyId, fileType: string, content: Buffer, name?: string): Promise<StoredFile>;
  remove(key: string): Promise<void>;
  /** Rejects if the file is missing or its size differs from the stored size. */
  open(key: string, sizeBytes: number): Promise<Readable>;
}

interface OpenDisk {
  disk: Disk;
  prefix: string;
  write(key: string, content: Buffer): Promise<void>;
}

async function openFolder(location: string): Promise<OpenDisk> {
  const disk = new Disk(new FSDriver({ location, visibility: 'private' }));
  await makePrivateFolder(location).catch((error: Error) => {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The document folder cannot be used (${error.message}): set DOCUMENT_STORE to another folder.`,
    );
  });
  return {
    disk,
    prefix: '',
    async write(key, content) {
      const path = join(location, key);
      await makePrivateFolder(dirname(path));
      await disk.put(key, content);
      // The driver has no option for the file mode.
      await chmod(path, privateFile);
    },
  };
}

/** Opens `s3://bucket/prefix`. Region, credentials and endpoint come from the AWS environment variables. */
async function openBucket(location: string): Promise<OpenDisk> {
  const { hostname, pathname } = new URL(location);
  const { S3Driver } = await import('flydrive/drivers/s3');
  const driver = new S3Driver({
    bucket: hostname,
    visibility: 'private',
    supportsACL: false,
    // A bucket that does not respond must not block requests for longer than their clients wait.
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    // Stores other than Amazon's have no host name per bucket.
    forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined || process.env.AWS_ENDPOINT_URL_S3 !== undefined,
  });
  const disk = new Disk(driver);
  return { disk, prefix: pathname.replace(/^\/|\/$/g, ''), write: (key, content) => disk.put(key, content) };
}

export async function openDocumentStore(location: string): Promise<DocumentStore> {
  const { disk, prefix, write } = await (location.startsWith('s3://') ? openBucket(location) : openFolder(location));
  return {
    async put(companyId, fileType, content, name = randomUUID()) {
      const path = [prefix, `company-${companyId}`, `${name}.${fileType}`];
      const key = path.filter(Boolean).join('/');
      await write(key, content);
      return { key, sha256: createHash('sha256').update(content).digest(), sizeBytes: content.length };
    },
    remove: (key) => disk.delete(key),
    async open(key, sizeBytes) {
      const { contentLength } = await disk.getMetaData(key);
      if (contentLength !== sizeBytes) {
        throw new Error(`Stored file ${key} has ${contentLength} bytes instead of ${sizeBytes}.`);
      }
      return disk.getStream(key);
    },
  };
}

/** Opens a file for a response. `of` says in the log whose file cannot be read. */
export const openStored = (
  documents: Pick<DocumentStore, 'open'>,
  { key, sizeBytes }: { key: string; sizeBytes: number },
  log: FastifyBaseLogger,
  of: { documentId?: number; invoiceId?: number } = {},
): Promise<Readable> =>
  documents.open(key, sizeBytes).catch((error: unknown) => {
    log.error({ err: error, ...of }, 'stored file cannot be read');
    throw unavailable('The file cannot be read right now. Try again later.');
  });
