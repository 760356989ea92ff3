import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { previewSync } from '../../../src/features/roster/preview.ts';
import { readRoster } from '../../../src/features/roster/read-roster.ts';
import type { DB } from '../../../src/platform/db/types.gen.ts';
import { createLinks } from '../../../src/platform/http/links.ts';
import { testClock, testDay } from '../../support/app.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeCompany, makeIntegration } from '../../support/factories.ts';
import { entries } from '../../support/sync.ts';

const idleMillis = 200;

it('finishes a preview whose transaction is idle for longer than the default timeout', async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, idle_in_transaction_session_timeout: idleMillis, max: 1 });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  try {
    const companyId = await makeCompany(database.db);
    const target = { companyId, hrIntegrationId: await makeIntegration(database.db, companyId) };
    const body = Readable.from([Buffer.from(JSON.stringify({ syncId: 'paused', employees: entries(3) }))]);
    const roster = await readRoster(body, { maxBytes: 1_000_000, maxEntries: 10, today: testDay });
    let text = '';
    for await (const chunk of previewSync(
      { db, clock: testClock, target },
      roster,
      createLinks('http://localhost:3000'),
    )) {
      // Read the response slowly. PostgreSQL ends other transactions that are idle for as long.
      await sleep(2 * idleMillis);
      text += chunk;
    }
    assert.equal(JSON.parse(text).data.counts.created, 3);
  } finally {
    await db.destroy();
    await database.drop();
  }
});
