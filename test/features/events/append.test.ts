import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { appendEvents } from '../../../src/features/events/append.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { connectDatabase, type Database } from '../../../src/platform/db/database.ts';
import { writeCompany, writeShared } from '../../../src/platform/db/write.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';

describe('appendEvents', () => {
  let database: TestDatabase;
  let service: Database;
  let companyId: CompanyId;
  before(async () => {
    database = await createTestDatabase();
    service = connectDatabase({ url: database.url, max: 2, applicationName: 'test' });
  });
  after(async () => {
    await service.close();
    await database.drop();
  });

  const occurredAt = Temporal.Instant.from('2026-11-15T11:00:00Z');
  const created = (id: number) =>
    ({
      type: 'employee-created',
      occurredAt,
      payload: { id, resource: 'employee', hrIntegrationId: 7 },
    }) as const;

  async function listRows(ofCompany: CompanyId) {
    const { rows } = await sql<{ sequence: number; id: string; type: string; payload: unknown }>`
      select e.sequence, e.id, e.type, e.occurred_at, e.payload from events e where e.company_id = ${ofCompany}
      order by e.sequence`.execute(database.db);
    return rows;
  }

  it('writes all events of a transaction in their order, numbered from 1', async () => {
    companyId = await makeCompany(database.db);
    await writeCompany(service.db, companyId, async (tx) => {
      appendEvents(tx, companyId, [created(3), created(1)]);
      appendEvents(tx, companyId, [
        { type: 'tickets-issued', occurredAt, payload: { period: '2026-11-01', tickets: 2 } },
        created(2),
      ]);
    });
    const rows = await listRows(companyId);
    const employee = (id: number) => ({ id, resource: 'employee', hrIntegrationId: 7 });
    assert.deepEqual(
      rows.map(({ sequence, type, payload }) => ({ sequence, type, payload })),
      [
        { sequence: 1, type: 'employee-created', payload: employee(3) },
        { sequence: 2, type: 'employee-created', payload: employee(1) },
        { sequence: 3, type: 'tickets-issued', payload: { period: '2026-11-01', tickets: 2 } },
        { sequence: 4, type: 'employee-created', payload: employee(2) },
      ],
    );
    for (const { id } of rows) assert.match(id, /^evt_[0-9a-f]{32}$/);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  });

  it('writes nothing if the transaction fails, and leaves no gap', async () => {
    const failing = writeCompany(service.db, companyId, async (tx) => {
      appendEvents(tx, companyId, [created(4)]);
      throw new Error('on purpose');
    });
    await assert.rejects(failing, /on purpose/);
    await writeCompany(service.db, companyId, async (tx) => appendEvents(tx, companyId, [created(5)]));
    const rows = await listRows(companyId);
    assert.deepEqual(pluck(rows, 'sequence'), [1, 2, 3, 4, 5]);
  });

  it('numbers the events of each company separately', async () => {
    const other = await makeCompany(database.db);
    await writeCompany(service.db, other, async (tx) => appendEvents(tx, other, [created(1)]));
    assert.deepEqual(pluck(await listRows(other), 'sequence'), [1]);
  });

  it('refuses to commit events that nothing would write', async () => {
    const forgotten = writeShared(service.db, async (tx) => appendEvents(tx, companyId, [created(6)]));
    await assert.rejects(forgotten, /Events of company \d+ were not written/);
    const other = await makeCompany(database.db);
    const misplaced = writeCompany(service.db, other, async (tx) => appendEvents(tx, companyId, [created(6)]));
    await assert.rejects(misplaced, /Events of company \d+ were not written/);
    assert.equal((await listRows(companyId)).length, 5);
  });
});
