import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { appendEvents } from '../../../src/features/events/append.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { assertNothingMissed } from '../../support/event-log.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';

describe('clients that read 100,000 events', () => {
  const app = useApp({ env: { RATE_LIMIT_PER_MINUTE: '0' } });

  it('find all events of one large transaction in their order', async () => {
    const companyId = await makeCompany(app.db);
    const occurredAt = Temporal.Instant.from('2026-11-15T11:00:00Z');
    const count = 100_001;
    await writeCompany(app.serviceDb, companyId, async (tx) => {
      for (let id = 1; id <= count; id++) {
        const payload = { id, resource: 'employee', hrIntegrationId: null } as const;
        appendEvents(tx, companyId, [{ type: 'employee-created', occurredAt, payload }]);
      }
    });
    const { rows } = await sql<{ wrong: number; total: number }>`
      select count(*) filter (where (e.payload->>'id')::bigint <> e.sequence) as wrong, count(*) as total
      from events e where e.company_id = ${companyId}`.execute(app.db);
    assert.deepEqual(rows, [{ wrong: 0, total: count }]);
  });

  it('miss none, receive none twice and see no gap while they are written', async () => {
    const companyId = await makeCompany(app.db);
    const key = await makeKey(app.db, companyId);
    const count = await assertNothingMissed(app, { companyId, key }, { writers: 8, transactions: 500, events: 60 });
    assert(count > 100_000, `only ${count} events`);
  });
});
