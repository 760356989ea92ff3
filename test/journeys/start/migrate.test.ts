import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { createEmptyDatabase } from '../../support/database.ts';
import { startProgram } from '../../support/process.ts';
import { until } from '../../support/until.ts';

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
