import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { expireLog } from '../../../src/features/webhooks/expire.ts';
import { redeliverEvent, replayEvents, sendTestEvent } from '../../../src/features/webhooks/send-events.ts';
import { useDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { updateRows } from '../../support/rows.ts';
import { addEvents, companyContext, makeEndpoint, readDeliveries } from '../../support/webhooks.ts';

describe('deliveries on request', () => {
  const database = useDatabase();

  it('replay a range of the events that the endpoint wants', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 10);
    const all = await makeEndpoint(db, companyId);
    const some = await makeEndpoint(db, companyId, { eventTypes: ['sync-finished'] });
    const context = companyContext(db, companyId);
    const replay = async ({ endpointId: id }: { endpointId: number }, from: number, to?: number) =>
      (await replayEvents(context, { id, from, to })).events;
    assert.equal(await replay(all, 3, 5), 3);
    assert.equal(await replay(all, 5), 6);
    assert.equal(await replay(some, 1, 10), 0);
    await assert.rejects(replay({ endpointId: 0 }, 1, 10), { code: 'not-found' });
    await assert.rejects(replay(all, 5, 4), { code: 'invalid-body' });
    const sequences = (await readDeliveries(db, all)).map(({ sequence }) => sequence);
    assert.deepEqual(sequences, [3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('redeliver one event that was delivered', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 2);
    const key = await makeEndpoint(db, companyId);
    const redeliver = (sequence: number) =>
      redeliverEvent(companyContext(db, companyId), { id: key.endpointId, sequence });
    await redeliver(2);
    await updateRows(
      db,
      'webhook_deliveries',
      { company_id: companyId },
      { state: 'succeeded', next_attempt_at: null, attempts: 4, failures: 3 },
    );
    await redeliver(2);
    await assert.rejects(redeliver(3), { code: 'not-found' }, 'there is no such event');
    const [delivery] = await readDeliveries(db, key);
    assert.deepEqual([delivery?.state, delivery?.attempts, delivery?.failures], ['pending', 4, 0]);
  });

  it('are deleted with their log after thirty days', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    await addEvents(db, companyId, 2);
    const key = await makeEndpoint(db, companyId);
    await replayEvents(companyContext(db, companyId), { id: key.endpointId, from: 1, to: 2 });
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
    const sent = await sendTestEvent(companyContext(db, companyId), { id: key.endpointId });
    const [delivery] = await readDeliveries(db, key);
    assert.deepEqual(sent, { eventId: delivery?.event_id, sequence: 3 });
    assert.equal(delivery?.event_type, 'webhook-test');
    await replayEvents(companyContext(db, companyId), { id: other.endpointId, from: 1, to: 10 });
    assert.deepEqual(pluck(await readDeliveries(db, other), 'sequence'), [1, 2]);
  });
});
