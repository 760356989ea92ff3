import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { expireLog } from '../../../src/features/webhooks/expire.ts';
import { redeliverEvent, replayEvents, sendTestEvent } from '../../../src/features/webhooks/redeliver.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { testClock } from '../../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { addEvents, makeEndpoint, readDeliveries } from '../../support/webhooks.ts';

describe('deliveries on request', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('replay a range of the events that the endpoint wants', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 10);
    const all = await makeEndpoint(db, companyId);
    const some = await makeEndpoint(db, companyId, { eventTypes: ['sync-finished'] });
    await writeCompany(db, companyId, async (tx) => {
      assert.equal(await replayEvents(tx, all, { from: 3, to: 5 }), 3);
      assert.equal(await replayEvents(tx, all, { from: 5, to: 100 }), 6);
      assert.equal(await replayEvents(tx, some, { from: 1, to: 10 }), 0);
      assert.equal(await replayEvents(tx, { ...all, endpointId: 0 }, { from: 1, to: 10 }), undefined);
    });
    const sequences = (await readDeliveries(db, all)).map(({ sequence }) => sequence);
    assert.deepEqual(sequences, [3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('redeliver one event that was delivered', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 2);
    const key = await makeEndpoint(db, companyId);
    await writeCompany(db, companyId, async (tx) => {
      assert(await redeliverEvent(tx, key, 2));
      await tx
        .updateTable('webhook_deliveries')
        .set({ state: 'succeeded', next_attempt_at: null, attempts: 4, failures: 3 })
        .where('company_id', '=', companyId)
        .execute();
      assert(await redeliverEvent(tx, key, 2));
      assert(!(await redeliverEvent(tx, key, 3)), 'there is no such event');
    });
    const [delivery] = await readDeliveries(db, key);
    assert.deepEqual([delivery?.state, delivery?.attempts, delivery?.failures], ['pending', 4, 0]);
  });

  it('are deleted with their log after thirty days', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 2);
    const key = await makeEndpoint(db, companyId);
    await writeCompany(db, companyId, (tx) => replayEvents(tx, key, { from: 1, to: 2 }));
    const [old, recent] = [31, 29].map((days) =>
      Temporal.Now.instant()
        .subtract({ hours: days * 24 })
        .toString(),
    );
    for (const [sequence, at] of [old, recent].entries()) {
      await sql`update webhook_deliveries set created_at = ${at}, finished_at = ${at}, state = 'succeeded',
        next_attempt_at = null where company_id = ${companyId} and sequence = ${sequence + 1}`.execute(db);
      await sql`insert into webhook_attempts (company_id, endpoint_id, sequence, attempt, event_id, event_type,
          attempted_at, status, duration_ms)
        select company_id, endpoint_id, sequence, 1, event_id, event_type, ${at}, 200, 5 from webhook_deliveries
        where company_id = ${companyId} and sequence = ${sequence + 1}`.execute(db);
    }
    assert.equal(await expireLog(db, new AbortController().signal), 1);
    const left = (rows: { sequence: number }[]) => rows.map(({ sequence }) => sequence);
    assert.deepEqual(left(await readDeliveries(db, key)), [2]);
    const attempts = db.selectFrom('webhook_attempts').select('sequence').where('company_id', '=', companyId);
    assert.deepEqual(left(await attempts.execute()), [2]);
  });

  it('send a test event to one endpoint only', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 2);
    const [key, other] = [await makeEndpoint(db, companyId), await makeEndpoint(db, companyId)];
    const sent = await writeCompany(db, companyId, (tx) => sendTestEvent(tx, key, testClock.now()));
    const [delivery] = await readDeliveries(db, key);
    assert.deepEqual(sent, { eventId: delivery?.event_id, sequence: 3 });
    assert.equal(delivery?.event_type, 'webhook-test');
    await writeCompany(db, companyId, (tx) => replayEvents(tx, other, { from: 1, to: 10 }));
    assert.deepEqual(
      (await readDeliveries(db, other)).map(({ sequence }) => sequence),
      [1, 2],
    );
  });
});
