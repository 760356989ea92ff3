import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openDocumentStore } from '../../features/documents/files.ts';
import { describeExpiry, readSigningMaterial } from '../../features/wallet/apple-certificate.ts';
import { openGoogleWallet } from '../../features/wallet/google.ts';
import type { Config } from '../../platform/config/config.ts';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import { assertPagesBuilt } from '../../portal/build.ts';
import { fail, ok, type Result, skipped, warn } from './finding.ts';

/** No company has this id, so the probe lies beside all documents. */
const noCompany = asCompanyId(0);

export async function checkStorage({ documentStore }: Config): Promise<Result[]> {
  const store = await openDocumentStore(documentStore);
  const content = randomBytes(1024);
  const { key, sizeBytes } = await store.put(noCompany, 'bin', content, `doctor-${randomUUID()}`);
  try {
    const read = await buffer(await store.open(key, sizeBytes));
    if (!read.equals(content)) {
      return [fail(`a file in ${documentStore} has other content than was written`, 'check the disk or the bucket')];
    }
  } finally {
    await store.remove(key);
  }
  return [ok(`a file in ${documentStore} was written, read and deleted`)];
}

export async function checkAppleWallet({ appleWallet }: Config, now: Temporal.Instant): Promise<Result[]> {
  if (appleWallet === undefined) return [skipped('Apple Wallet is not configured')];
  const { expiresAt } = await readSigningMaterial(appleWallet);
  const warning = describeExpiry(expiresAt, now);
  if (warning === undefined) return [ok(`the certificate is valid until ${expiresAt.toString().slice(0, 10)}`)];
  const isExpired = Temporal.Instant.compare(expiresAt, now) <= 0;
  const [finding = '', remedy = ''] = warning.replace(/\.$/, '').split(': ');
  return [isExpired ? fail(finding, remedy) : warn(finding, remedy)];
}

export async function checkGoogleWallet({ googleWallet, publicUrl }: Config): Promise<Result[]> {
  if (googleWallet === undefined) return [skipped('Google Wallet is not configured')];
  await openGoogleWallet(googleWallet, publicUrl);
  return [ok('the service account has a usable key')];
}

export async function checkPages({ portal, environment }: Config): Promise<Result[]> {
  if (!portal) return [skipped('PORTAL is off')];
  // Staging builds them at the start.
  if (environment === 'production') await assertPagesBuilt();
  return [ok('the pages of the portal can be served')];
}

const gibibyte = 2 ** 30;
const formatGibibytes = (bytes: number) => `${(bytes / gibibyte).toFixed(1)} GiB`;

/** Returns whether a disk will soon be full. Documents and the embedded database stop when it is. */
export function judgeDisk(folder: string, freeBytes: number, sizeBytes: number): Result {
  const share = sizeBytes === 0 ? 0 : freeBytes / sizeBytes;
  const finding = `${formatGibibytes(freeBytes)} of ${formatGibibytes(sizeBytes)} are free for ${folder}`;
  const remedy = 'free some space or enlarge the disk';
  if (freeBytes < gibibyte / 10 || share < 0.01) return fail(finding, remedy);
  return freeBytes < gibibyte || share < 0.05 ? warn(finding, remedy) : ok(finding);
}

/** Returns the folder, or the one in which the first start will create it. */
const findExisting = (folder: string): string =>
  existsSync(folder) || folder === dirname(folder) ? folder : findExisting(dirname(folder));

export async function checkDisk({ dataDir, documentStore, databaseUrl }: Config): Promise<Result[]> {
  const isFolder = !documentStore.startsWith('s3://');
  // With an external database and a bucket, the service writes nothing to this machine.
  const folders = new Set([...(databaseUrl === undefined ? [dataDir] : []), ...(isFolder ? [documentStore] : [])]);
  if (folders.size === 0) return [skipped('nothing is stored on this machine')];
  return Promise.all(
    [...folders].map(async (folder) => {
      const { bavail, blocks, bsize } = await statfs(findExisting(folder));
      return judgeDisk(folder, bavail * bsize, blocks * bsize);
    }),
  );
}
