import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openEmbedded } from '../../../src/platform/db/embedded/index.ts';
import { createTestDatabase, denied, withConnection } from '../../support/database.ts';
import { run, serve, withFolder } from '../../support/process.ts';

describe('An external database', () => {
  it('makes the service warn only if it runs as the owner', async () => {
    const warning = /running as the owner of the tables/;
    const { url, ownerUrl, drop } = await createTestDatabase();
    await withFolder(async (folder) => {
      for (const [address, isWarned] of [
        [ownerUrl, true],
        [url, false],
      ] as const) {
        const env = { DATABASE_URL: address, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: folder, PORT: '0', DEMO: 'off' };
        const service = await serve({ env });
        service.signal('SIGTERM');
        const { code, stderr } = await service.exited;
        assert.equal(code, 0);
        assert.equal(warning.test(stderr), isWarned, stderr);
      }
    });
    await drop();
  });
});

describe('The embedded database', () => {
  it('belongs to a role of its own, and the service uses another', async () => {
    await withFolder(async (folder) => {
      const env = { DATA_DIR: join(folder, 'data'), DEMO: 'off' };
      assert.equal((await run(['company', 'create', '--name', 'Kept'], env)).stderr, '');
      const server = await openEmbedded({ dataDir: env.DATA_DIR, role: 'command' });
      const owners = await withConnection(server.url, async (client) => {
        await assert.rejects(client.query('delete from audit_log'), denied);
        const { rows } = await client.query(
          `select distinct pg_get_userbyid(relowner) as owner from pg_class
           where relnamespace in ('public'::regnamespace, 'queue'::regnamespace)`,
        );
        return rows;
      });
      assert.deepEqual(owners, [{ owner: 'transit_owner' }]);
      await server.stop();
      const password = (await readFile(join(env.DATA_DIR, 'postgres.password'), 'utf8')).trim();
      assert(!server.url.includes(password), 'the service does not connect with the password of the superuser');
    });
  });
});
