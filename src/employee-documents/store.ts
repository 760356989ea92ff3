import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { CompanyId } from '../db/company-scope.ts';

export interface StoredFile {
  key: string;
  sha256: Buffer;
  sizeBytes: number;
}

/** Where the bytes of documents lie: a folder, or a bucket that all processes share. */
export interface DocumentStore {
  /** Under a name of the caller's, which replaces what was stored under it, or under one that nothing else has. */
  put(companyId: CompanyId, fileType: string, content: Buffer, name?: string): Promise<StoredFile>;
  remove(key: string): Promise<void>;
  /** Rejects when the file is missing or has another size than was stored. */
  open(key: string, sizeBytes: number): Promise<Readable>;
}

/** `s3://bucket/prefix`; region, credentials and endpoint come from the AWS environment variables. */
async function openDisk(location: string): Promise<{ disk: Disk; prefix: string }> {
  if (!location.startsWith('s3://')) {
    return { disk: new Disk(new FSDriver({ location, visibility: 'private' })), prefix: '' };
  }
  const { hostname, pathname } = new URL(location);
  const { S3Driver } = await import('flydrive/drivers/s3');
  const driver = new S3Driver({
    bucket: hostname,
    visibility: 'private',
    supportsACL: false,
    // A bucket that does not answer must not hold requests for longer than their clients wait.
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    // Stores other than Amazon's have no name per bucket.
    forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined || process.env.AWS_ENDPOINT_URL_S3 !== undefined,
  });
  return { disk: new Disk(driver), prefix: pathname.replace(/^\/|\/$/g, '') };
}

export async function openDocumentStore(location: string): Promise<DocumentStore> {
  const { disk, prefix } = await openDisk(location);
  return {
    async put(companyId, fileType, content, name = randomUUID()) {
      const path = [prefix, `company-${companyId}`, `${name}.${fileType}`];
      const key = path.filter(Boolean).join('/');
      await disk.put(key, content);
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
