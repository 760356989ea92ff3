import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../../support/database.ts';
import { freePort, run, serve, withFolder } from '../../support/process.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

/**
 * Returns everything below a folder that another user could read or enter, except what PostgreSQL stores behind its own
 * 0700.
 */
async function openToOthers(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  const found = await Promise.all(
    paths
      .filter((path) => !path.startsWith(join(folder, 'postgres/')))
      .map(async (path) => ((await modeOf(path)) & 0o077 ? [path] : [])),
  );
  return found.flat();
}

/** Starts and stops the service, by default with the demo's files, documents and secret. */
async function startOnce(env: Record<string, string>): Promise<void> {
  const service = await serve({ env: { PORT: String(await freePort()), ...env } });
  service.signal('SIGTERM');
  assert.equal((await service.exited).code, 0);
}

describe('the files of the service', () => {
  it('cannot be read by other users with an external database', async () => {
    const database = await createTestDatabase();
    await withFolder(async (folder) => {
      const dataDir = join(folder, 'data');
      await startOnce({ DATA_DIR: dataDir, DATABASE_URL: database.url });
      const files = await readdir(dataDir, { recursive: true });
      assert(files.includes('session-secret') && files.includes('demo-access.json'));
      assert(
        files.some((name) => /^documents\/company-\d+\/.+\.pdf$/.test(name)),
        'there are documents',
      );
      assert.deepEqual(await openToOthers(dataDir), []);
    });
    await database.drop();
  });

  it('cannot be read by other users with the embedded database', () =>
    withFolder(async (folder) => {
      // Without the demo, whose documents would still be written when the service is to stop.
      await startOnce({ DATA_DIR: join(folder, 'data'), DEMO: 'off' });
      assert.deepEqual(await openToOthers(join(folder, 'data')), []);
    }));

  it('are made private if an earlier version left them readable', async () => {
    const database = await createTestDatabase();
    await withFolder(async (folder) => {
      const [dataDir, documents] = [join(folder, 'data'), join(folder, 'documents')];
      for (const path of [dataDir, documents]) await mkdir(path);
      await writeFile(join(dataDir, 'session-secret'), 'x'.repeat(64));
      for (const path of [dataDir, documents]) await chmod(path, 0o755);
      await chmod(join(dataDir, 'session-secret'), 0o644);
      await startOnce({ DATA_DIR: dataDir, DOCUMENT_STORE: documents, DATABASE_URL: database.url, DEMO: 'off' });
      assert.deepEqual(await openToOthers(dataDir), []);
      assert.equal(await modeOf(documents), 0o700);
    });
    await database.drop();
  });

  it('are not stored in a folder shared by all users', () =>
    withFolder(async (folder) => {
      await chmod(folder, 0o1777);
      const { code, stderr } = await run(['serve'], { DATA_DIR: folder, DEMO: 'off' });
      assert.equal(code, 1);
      assert.equal(
        stderr,
        `The folder ${folder} is shared by all users. Choose a folder that belongs to the service, for example inside it.\n`,
      );
      assert.equal((await stat(folder)).mode & 0o7777, 0o1777);
    }));
});
