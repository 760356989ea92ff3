import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { basic } from '../../support/app.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';
import { makeCompany, makeIntegration, makeKey } from '../../support/factories.ts';
import { missingPgBouncer, type PoolMode, startPgBouncer } from '../../support/pgbouncer.ts';
import { run, serve, withFolder } from '../../support/process.ts';
import { entries } from '../../support/roster-entries.ts';
import { until } from '../../support/until.ts';

interface Place {
  database: TestDatabase;
  env: Record<string, string>;
}

/** Runs the test with an empty database behind PgBouncer. */
const behindPgBouncer = (mode: PoolMode, test: (place: Place) => Promise<void>) =>
  withFolder(async (folder) => {
    const database = await createEmptyDatabase();
    const pgBouncer = await startPgBouncer(folder, mode);
    const env = {
      DATABASE_URL: pgBouncer.through(database.url),
      DATABASE_OWNER_URL: pgBouncer.through(database.ownerUrl),
      DATA_DIR: folder,
      DEMO: 'off',
      RATE_LIMIT_PER_MINUTE: '0',
    };
    try {
      await test({ database, env });
    } finally {
      await pgBouncer.stop();
      await database.drop();
    }
  });

/** Adds a company to the database and returns a function that calls the API with its key. */
async function makeClient({ db }: TestDatabase, url: string) {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  const authorization = basic(await makeKey(db, companyId));
  return async (path: string, body?: object) => {
    const response = await fetch(`${url}/hr-integrations/${integrationId}${path}`, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}

const skip = await missingPgBouncer();

describe('Behind PgBouncer in session mode', { skip }, () => {
  it('the service migrates, serves and works, whatever the settings of the server are', () =>
    behindPgBouncer('session', async ({ database, env }) => {
      // Prove that the service applies its own settings, which PgBouncer does not accept as connection parameters.
      const name = new URL(database.url).pathname.slice(1);
      await sql`alter database ${sql.id(name)} set timezone = 'Asia/Tokyo'`.execute(database.db);
      const migrated = await run(['migrate'], env);
      assert.equal(migrated.code, 0, migrated.stderr);
      const service = await serve({ env });
      try {
        const request = await makeClient(database, service.url);
        const rounds = ['first', 'second', 'third'];
        for (const syncId of rounds) {
          assert.equal((await request('/sync', { syncId, employees: entries(50) })).status, 204);
        }
        for (const syncId of rounds) {
          await until(`${syncId} is applied`, async () => {
            const { status, body } = await request(`/syncs/${syncId}`);
            assert.equal(status, 200, JSON.stringify(body));
            return body.data.state === 'succeeded';
          });
        }
        const { body } = await request('/syncs/first');
        const acceptedAt = Temporal.Instant.from(body.data.acceptedAt);
        assert.ok(Math.abs(acceptedAt.until(Temporal.Now.instant()).total('minutes')) < 60, body.data.acceptedAt);
      } finally {
        service.signal('SIGTERM');
      }
      const { code, stderr } = await service.exited;
      assert.deepEqual([code, stderr], [0, '']);
    }));
});

for (const mode of ['transaction', 'statement'] as const) {
  describe(`Behind PgBouncer in ${mode} mode`, { skip }, () => {
    it('no command runs, and the refusal names the mode to use', () =>
      behindPgBouncer(mode, async ({ env }) => {
        const refusal = /^DATABASE_URL leads through a connection pooler in transaction or statement mode.*\n$/;
        for (const words of [['migrate'], ['company', 'list']]) {
          const { code, stderr } = await run(words, env);
          assert.equal(code, 1);
          assert.match(stderr, refusal);
        }
      }));
  });
}
