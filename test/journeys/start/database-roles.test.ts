import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { openEmbedded } from '../../../src/platform/db/embedded/index.ts';
import { createEmptyDatabase, createTestDatabase, denied, withConnection } from '../../support/database.ts';
import { run, serve, startProgram, withFolder } from '../../support/process.ts';
import { until } from '../../support/until.ts';

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

describe('migrate', () => {
  it('applies once when two processes start together, and the second waits', async () => {
    const { db, ownerUrl, drop } = await createEmptyDatabase();
    try {
      const env = { DATABASE_URL: ownerUrl, DEMO: 'off', LOG_LEVEL: 'info' };
      const running = await db.transaction().execute(async (tx) => {
        // Both find the lock taken, so that they are waiting together when it is released.
        await sql`select pg_advisory_xact_lock(hashtext('schema_migrations'))`.execute(tx);
        const both = [startProgram(['migrate'], { env }), startProgram(['migrate'], { env })];
        await until('both processes wait', () =>
          both.every(({ output }) => output.stderr.includes('waiting for another migration')),
        );
        return both;
      });
      const results = await Promise.all(running.map(({ finished }) => finished));
      assert.deepEqual(
        results.map(({ code }) => code),
        [0, 0],
        results.map(({ stderr }) => stderr).join('\n'),
      );
      const applied = results.map(({ stdout }) => JSON.parse(stdout).applied.length);
      assert.deepEqual(
        applied.map((count) => count > 0),
        applied[0] > 0 ? [true, false] : [false, true],
      );
      const logged = results.flatMap(
        ({ stderr }) => stderr.match(/"migrations":\d+,.*"msg":"all migrations applied"/g) ?? [],
      );
      assert.equal(logged.length, 1);
      assert.match(logged[0] ?? '', new RegExp(`"migrations":${Math.max(...applied)},`));
    } finally {
      await drop();
    }
  });
});
