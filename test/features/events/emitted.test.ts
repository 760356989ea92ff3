import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { operator } from '../../../src/domain/actor.ts';
import type { EventType } from '../../../src/domain/enums.ts';
import { correctCharges } from '../../../src/features/corrections/correct.ts';
import { insertDocument } from '../../../src/features/documents/add.ts';
import { appendEvents } from '../../../src/features/events/append.ts';
import { updateHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { recordFailure } from '../../../src/features/roster/outcome.ts';
import { decidePendingRemovals } from '../../../src/features/roster/pending-removals.ts';
import { findWaitingSync } from '../../../src/features/roster/store.ts';
import { applyDecision } from '../../../src/features/subscriptions/apply-decision.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { connectDatabase } from '../../../src/platform/db/database.ts';
import { writeCompany, writeShared } from '../../../src/platform/db/write.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { useDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { useEach, useResource } from '../../support/prepare.ts';
import { anEntry, entries } from '../../support/sync.ts';

describe('appendEvents', () => {
  const database = useDatabase();
  const service = useResource(() => connectDatabase({ url: database.url, max: 2, applicationName: 'test' }));
  let companyId: CompanyId;

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

const subscribed = { autoSyncEmployee: true } as const;

interface Event {
  sequence: number;
  type: EventType;
  // biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document has checked every payload.
  payload: any;
}

describe('the event log', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(settings: Record<string, unknown> = {}) {
    fixture.clock.moveTo('2026-01-15');
    return joinCompany(fixture, settings);
  }

  /** Returns all events, or those after a sequence. Checks that they have no gap. */
  async function eventsOf(company: TestCompany, after = 0): Promise<Event[]> {
    const { status, body } = await company.get(`/events?after=${after}`);
    assert.equal(status, 200, JSON.stringify(body));
    const events: Event[] = body.data.data;
    assert.deepEqual(
      pluck(events, 'sequence'),
      events.map((_, index) => after + 1 + index),
    );
    return events;
  }
  const typesOf = (events: Event[]) => events.map(({ type }) => type);

  const target = ({ companyId, integrationId }: TestCompany) => ({ companyId, hrIntegrationId: integrationId });
  const company = useEach(() => begin());

  it('reports who a sync adds, whose subscription it changes, and its outcome, in this order', async () => {
    await company.preview(entries(2, subscribed));
    await company.sync('one', [anEntry(1, subscribed), anEntry(2)]);
    const [created, other, changed, finished, ...none] = await eventsOf(company);
    const [first, second] = await company.employees();
    const hrIntegrationId = company.integrationId;
    assert.deepEqual(created?.payload, { id: first.id, resource: 'employee', hrIntegrationId });
    assert.deepEqual(other?.payload, { id: second.id, resource: 'employee', hrIntegrationId });
    assert.equal(changed?.type, 'employee-subscription-changed');
    assert.deepEqual(changed?.payload, {
      id: first.id,
      resource: 'employee',
      subscription: first.subscription,
      previousStatus: 'no-subscription',
      cause: 'subscribe',
      rule: 'start-next-month',
    });
    assert.equal(finished?.type, 'sync-finished');
    const counts = { created: 2, updated: 0, offboarded: 0, held: 0, failed: 0, unchanged: 0 };
    assert.deepEqual(finished?.payload, { syncId: 'one', hrIntegrationId, status: 'succeeded', counts });
    assert.deepEqual(none, []);
    await company.sync('two', [anEntry(1, subscribed), anEntry(2)]);
    assert.deepEqual(typesOf(await eventsOf(company, 4)), ['sync-finished']);
  });

  it('reports a first of a month: subscriptions, one event for the tickets, one for the charges', async () => {
    await company.sync('one', entries(2, subscribed));
    const before = (await eventsOf(company)).length;
    await company.runTo('2026-02-01');
    const [one, two, tickets, charges, ...none] = await eventsOf(company, before);
    const employees = await company.employees();
    assert.deepEqual(
      [one, two].map((event) => event?.payload),
      employees.map(({ id, subscription }) => ({
        id,
        resource: 'employee',
        subscription,
        previousStatus: 'scheduled',
        cause: 'calendar',
        rule: 'start-has-come',
      })),
    );
    assert.equal(tickets?.type, 'tickets-issued');
    assert.deepEqual(tickets?.payload, { period: '2026-02-01', tickets: 2 });
    assert.equal(charges?.type, 'billing-items-created');
    assert.deepEqual(charges?.payload, {
      period: '2026-02-01',
      chargeTypes: [
        { chargeType: 'ticket-charge', items: 2, overall: { label: '119,70\u00a0€', value: 11_970 } },
        { chargeType: 'service-charge', items: 1, overall: { label: '3,57\u00a0€', value: 357 } },
      ],
    });
    assert.deepEqual(none, []);
  });

  it('reports who leaves when they are removed, and again who returns', async () => {
    await company.sync('one', entries(2, subscribed));
    await company.runTo('2026-02-05');
    const gone = await company.employee('E2');
    let last = (await eventsOf(company)).length;
    await company.sync('two', [anEntry(1, subscribed)]);
    assert.deepEqual(typesOf(await eventsOf(company, last)), ['employee-subscription-changed', 'sync-finished']);
    last += 2;
    await company.runTo('2026-02-13');
    assert.deepEqual(await eventsOf(company, last), []);
    await company.runTo('2026-03-01');
    const removed = (await eventsOf(company, last)).filter(({ type }) => type === 'employee-removed');
    const payload = { id: gone.id, resource: 'employee', hrIntegrationId: company.integrationId };
    assert.deepEqual(pluck(removed, 'payload'), [payload]);
    last = (await company.get('/events?limit=1&types=webhook-test')).body.data.nextAfter;
    await company.sync('three', entries(2, subscribed));
    const [created, changed] = await eventsOf(company, last);
    assert.deepEqual([created?.type, created?.payload], ['employee-created', payload]);
    assert.deepEqual([changed?.payload.id, changed?.payload.previousStatus], [gone.id, 'cancelled']);
  });

  it('reports removals that wait for approval, and who is removed by it', async () => {
    const company = await begin({ guard_minimum_linked: 10 });
    await company.sync('one', entries(10));
    const last = (await eventsOf(company)).length;
    await company.sync('two', entries(5));
    const [finished, held, ...none] = await eventsOf(company, last);
    assert.deepEqual([finished?.payload.status, finished?.payload.counts.held], ['partially-failed', 5]);
    const hrIntegrationId = company.integrationId;
    assert.deepEqual([held?.type, held?.payload], ['sync-removals-held', { syncId: 'two', hrIntegrationId, count: 5 }]);
    assert.deepEqual(none, []);
    const { app } = fixture;
    await decidePendingRemovals(app.serviceDb, app.deps, target(company), { syncId: 'two', decision: 'approved' });
    assert.deepEqual(typesOf(await eventsOf(company, last + 2)), Array(5).fill('employee-removed'));
  });

  it('reports a sync that has failed for good', async () => {
    const { app, clock } = fixture;
    const sync = { syncKey: 0, syncId: 'lost', pushedBy: 'key', userId: null, attempts: 1 } as const;
    const failed = { ...sync, requestId: null, acceptedAt: '', entries: 1 };
    const record = (attempts: number) =>
      recordFailure(app.serviceDb, {
        notices: app.deps.notices,
        target: target(company),
        sync: { ...failed, attempts },
        error: new Error('on purpose'),
        now: clock.now(),
      });
    assert.equal(await record(1), false);
    assert.deepEqual(await eventsOf(company), []);
    assert.equal(await record(2), true);
    const [event] = await eventsOf(company);
    assert.deepEqual([event?.payload.syncId, event?.payload.status], ['lost', 'failed']);
    assert.equal(await findWaitingSync(app.db, target(company)), undefined);
  });

  it('reports a decision of a user and a correction of a charge', async () => {
    const { app } = fixture;
    const { companyId } = company;
    await company.sync('one', [anEntry(1, subscribed)]);
    await company.runTo('2026-02-01');
    const { id: employeeId } = await company.employee('E1');
    let last = (await eventsOf(company)).length;
    const actor = { type: 'user', name: 'someone' } as const;
    const decide = () =>
      writeCompany(app.serviceDb, companyId, (tx) =>
        applyDecision(tx, app.deps, companyId, { employeeId, decision: 'cancel', actor }),
      );
    await decide();
    await decide();
    const [changed, ...none] = await eventsOf(company, last);
    assert.deepEqual([changed?.payload.cause, changed?.payload.previousStatus], ['cancel', 'active']);
    assert.deepEqual(changed?.payload.subscription, (await company.employee('E1')).subscription);
    assert.deepEqual(none, []);
    last += 1;
    const [item] = await company.items('2026-02-01');
    const correction = { companyId, selection: { items: [item.id] }, reason: 'Refunded', actor: operator };
    await writeCompany(app.serviceDb, companyId, (tx) => correctCharges(tx, app.deps, correction));
    const [corrected] = await eventsOf(company, last);
    assert.deepEqual(corrected?.payload, {
      period: '2026-02-01',
      chargeTypes: [{ chargeType: 'ticket-charge', items: 1, overall: { label: '-59,85\u00a0€', value: -5985 } }],
    });
  });

  it('reports a change of the status of an integration, once', async () => {
    const { app, clock } = fixture;
    const { companyId, integrationId: id } = company;
    const set = (change: object, by: object = {}) =>
      writeCompany(app.serviceDb, companyId, (tx) =>
        updateHrIntegration(tx, companyId, { id, ...change }, { at: clock.now(), ...by }),
      );
    await set({ status: 'active', onboarding: 'completed' });
    await set({ status: 'inactive' }, { actor: { type: 'user', name: 'someone' } });
    await set({ status: 'inactive' });
    await set({ status: 'active' });
    const events = await eventsOf(company);
    assert.deepEqual(pluck(events, 'payload'), [
      { id, status: 'inactive', previousStatus: 'active', reason: 'set-by-user' },
      { id, status: 'active', previousStatus: 'inactive', reason: 'set-by-operator' },
    ]);
  });

  it('reports a document that was added manually if it can be downloaded', async () => {
    const { app, clock } = fixture;
    const { companyId } = company;
    await company.sync('one', [anEntry(1)]);
    const { id: employeeId } = await company.employee('E1');
    const last = (await eventsOf(company)).length;
    const file = await app.documents.put(companyId, 'pdf', Buffer.from('%PDF-1.7 sample %%EOF'));
    const add = (fileType: string) =>
      writeCompany(app.serviceDb, companyId, (tx) =>
        insertDocument(tx, companyId, { employeeId, name: 'Contract', fileType, file }, clock.now()),
      );
    await add('docx');
    const id = await add('pdf');
    const [event, ...none] = await eventsOf(company, last);
    assert.deepEqual(event?.payload, { id, resource: 'employee-document', employeeId, kind: null });
    assert.deepEqual(none, []);
  });

  it('holds no names and no email addresses', async () => {
    const { rows } = await sql`
      select e.payload from events e where e.payload::text ~* '(anna|muster|@|Refunded|someone)'`.execute(
      fixture.app.db,
    );
    assert.deepEqual(rows, []);
  });
});
