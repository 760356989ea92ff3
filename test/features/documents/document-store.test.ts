import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type DocumentStore, openDocumentStore } from '../../../src/features/documents/files.ts';
import { asCompanyId } from '../../../src/platform/db/company-scope.ts';
import { startTestApp } from '../../support/app.ts';
import { makeCompany, makeDocument, makeKey } from '../../support/factories.ts';

const companyId = asCompanyId(7);
const bytes = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, index) => (index * 11) % 256));

/** Defines the tests that every store must pass, wherever it stores the bytes. */
function keepsFiles(subject: () => DocumentStore): void {
  it('returns the stored bytes', async () => {
    const file = await subject().put(companyId, 'pdf', bytes);
    assert.equal(file.sizeBytes, bytes.length);
    assert.deepEqual(file.sha256, createHash('sha256').update(bytes).digest());
    assert((await buffer(await subject().open(file.key, file.sizeBytes))).equals(bytes));
  });

  it('stores an empty file', async () => {
    const file = await subject().put(companyId, 'txt', Buffer.alloc(0));
    assert.equal((await buffer(await subject().open(file.key, 0))).length, 0);
  });

  it('gives every file its own key under the prefix of its company', async () => {
    const files = await Promise.all(Array.from({ length: 5 }, () => subject().put(companyId, 'pdf', bytes)));
    assert.equal(new Set(files.map((file) => file.key)).size, 5);
    for (const { key } of files) assert.match(key, /(^|\/)company-7\/[0-9a-f-]{36}\.pdf$/);
  });

  it('rejects when the size is not the one that was stored', async () => {
    const { key } = await subject().put(companyId, 'pdf', bytes);
    await assert.rejects(subject().open(key, bytes.length + 1), /200000 bytes instead of 200001/);
  });

  it('rejects when there is no such file', async () => {
    await assert.rejects(subject().open('company-7/00000000-0000-0000-0000-000000000000.pdf', 1));
  });

  it('removes a file, and only that', async () => {
    const [gone, kept] = [await subject().put(companyId, 'pdf', bytes), await subject().put(companyId, 'pdf', bytes)];
    await subject().remove(gone.key);
    await assert.rejects(subject().open(gone.key, bytes.length));
    assert((await buffer(await subject().open(kept.key, bytes.length))).equals(bytes));
  });

  it('ignores the removal of a missing file', async () => {
    const { key } = await subject().put(companyId, 'pdf', bytes);
    await subject().remove(key);
    await assert.doesNotReject(subject().remove(key));
  });
}

describe('A document store in a folder', () => {
  let folder: string;
  let store: DocumentStore;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-store-'));
    store = await openDocumentStore(join(folder, 'not', 'there', 'yet'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  keepsFiles(() => store);

  it('stores files in the configured folder, unreadable for other users', async () => {
    const { key } = await store.put(companyId, 'pdf', bytes);
    const path = join(folder, 'not', 'there', 'yet', key);
    assert((await readFile(path)).equals(bytes));
    const modeOf = async (name: string) => (await stat(name)).mode & 0o777;
    assert.equal(await modeOf(path), 0o600);
    for (const above of ['..', '../..']) assert.equal(await modeOf(join(path, above)), 0o700);
  });

  it('makes an existing folder unreadable for other users', async () => {
    const existing = join(folder, 'existing');
    await mkdir(existing);
    await chmod(existing, 0o755);
    await openDocumentStore(existing);
    assert.equal((await stat(existing)).mode & 0o777, 0o700);
  });

  it('rejects when another process has changed the file', async () => {
    const { key } = await store.put(companyId, 'pdf', bytes);
    await writeFile(join(folder, 'not', 'there', 'yet', key), 'short');
    await assert.rejects(store.open(key, bytes.length), /5 bytes instead of 200000/);
  });
});

/** Creates a server that implements as much of S3 as a store needs, with the bucket in the path. */
function createBucketServer() {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  let mood: 'well' | 'silent' | 'breaking off' | 'failing' = 'well';
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://bucket').pathname);
    requests.push(`${request.method} ${path}`);
    const body = await buffer(request);
    if (mood === 'silent') return;
    const object = objects.get(path);
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code><Message>no</Message></Error>`);
    if (mood === 'failing') refuse(500, 'InternalError');
    else if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=test-key/')) {
      refuse(403, 'AccessDenied');
    } else if (request.method === 'PUT') {
      objects.set(path, body);
      response.writeHead(200, { etag: '"any"' }).end();
    } else if (request.method === 'DELETE') {
      objects.delete(path);
      response.writeHead(204).end();
    } else if (object === undefined) refuse(404, 'NoSuchKey');
    else {
      const headers = { 'content-length': object.length, etag: '"any"', 'last-modified': new Date(0).toUTCString() };
      response.writeHead(200, headers);
      if (request.method === 'HEAD') response.end();
      else if (mood === 'breaking off') {
        response.write(object.subarray(0, object.length / 2), () => response.destroy());
      } else response.end(object);
    }
  }
  const server = createServer((request, response) => void respond(request, response));
  return {
    objects,
    requests,
    become(next: typeof mood) {
      mood = next;
    },
    async start(): Promise<string> {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('A document store in a bucket', () => {
  const bucket = createBucketServer();
  const environment = { ...process.env };
  let store: DocumentStore;
  before(async () => {
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: await bucket.start(),
      AWS_ACCESS_KEY_ID: 'test-key',
      AWS_SECRET_ACCESS_KEY: 'test-secret',
      AWS_REGION: 'eu-central-1',
    });
    store = await openDocumentStore('s3://documents/staging/documents/');
  });
  after(() => {
    bucket.stop();
    process.env = environment;
  });

  keepsFiles(() => store);

  it('stores objects in the bucket of the address, under its path', async () => {
    const { key } = await store.put(companyId, 'pdf', bytes);
    assert.match(key, /^staging\/documents\/company-7\//);
    assert(bucket.objects.get(`/documents/${key}`)?.equals(bytes));
    assert(bucket.requests.includes(`PUT /documents/${key}`));
  });

  it('needs no path in the address', async () => {
    const bare = await openDocumentStore('s3://documents');
    const { key } = await bare.put(companyId, 'pdf', bytes);
    assert.match(key, /^company-7\//);
    assert((await buffer(await bare.open(key, bytes.length))).equals(bytes));
  });

  it('serves downloads', async () => {
    await using app = await startTestApp({ env: { DOCUMENT_STORE: 's3://documents/staging' } });
    const company = await makeCompany(app.db);
    const file = await app.documents.put(company, 'pdf', bytes);
    const id = await makeDocument(app.db, company, { file });
    const key = await makeKey(app.db, company);
    const download = await app.request(`/employee-documents/${id}/download`, { key });
    assert.equal(download.status, 200);
    assert(download.bytes.equals(bytes));
    await app.documents.remove(file.key);
    assert.equal((await app.request(`/employee-documents/${id}/download`, { key })).status, 503);
  });

  it('aborts the download when the bucket does', async () => {
    const file = await store.put(companyId, 'pdf', bytes);
    bucket.become('breaking off');
    try {
      const stream = await store.open(file.key, file.sizeBytes);
      await assert.rejects(buffer(stream));
    } finally {
      bucket.become('well');
    }
  });

  it('rejects when the bucket fails', async () => {
    const file = await store.put(companyId, 'pdf', bytes);
    bucket.become('failing');
    try {
      await assert.rejects(store.open(file.key, file.sizeBytes));
      await assert.rejects(store.put(companyId, 'pdf', bytes));
    } finally {
      bucket.become('well');
    }
  });

  it('rejects if the bucket does not respond, instead of waiting forever', async () => {
    const file = await store.put(companyId, 'pdf', bytes);
    bucket.become('silent');
    try {
      const outcome = await Promise.race([
        store.open(file.key, file.sizeBytes).then(
          () => 'opened',
          () => 'rejected',
        ),
        new Promise((resolve) => setTimeout(resolve, 240_000, 'still waiting').unref()),
      ]);
      assert.equal(outcome, 'rejected');
    } finally {
      bucket.become('well');
    }
  });
});
