import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type EventType, eventTypes, type Permission } from '../../../src/domain/enums.ts';
import { appendEvents } from '../../../src/features/events/append.ts';
import { expireEvents } from '../../../src/features/events/expire.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { answersHead, refusesOtherMethods } from '../../support/api/every-list.ts';
import { assertInvalid, assertProblem } from '../../support/api/problems.ts';
import { type Credentials, type TestApp, type TestResponse, useApp } from '../../support/app.ts';
import { assertNothingMissed } from '../../support/event-log.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';

const occurredAt = Temporal.Instant.from('2026-11-15T11:00:00.123Z');
const subscription = {
  status: 'active',
  startAt: '2026-12-01',
  nextTicketAt: '2027-01-01',
  pausedAt: null,
  cancelledAt: null,
  reactivatedAt: null,
  upcoming: null,
} as const;
const counts = { created: 1, updated: 2, offboarded: 0, held: 3, failed: 0, unchanged: 4 };

/** Writes one event of every type, in the order of `eventTypes`. */
const writeOneOfEach = (app: TestApp, companyId: CompanyId) =>
  writeCompany(app.serviceDb, companyId, async (tx) => {
    const employee = { id: 5, resource: 'employee' } as const;
    appendEvents(tx, companyId, [
      {
        type: 'employee-subscription-changed',
        occurredAt,
        payload: { ...employee, subscription, previousStatus: 'scheduled', cause: 'calendar', rule: 'start-has-come' },
      },
      { type: 'employee-created', occurredAt, payload: { ...employee, hrIntegrationId: 7 } },
      { type: 'employee-removed', occurredAt, payload: { ...employee, hrIntegrationId: null } },
      {
        type: 'new-employee-document-generated',
        occurredAt,
        payload: { id: 9, resource: 'employee-document', employeeId: 5, kind: 'ticket-confirmation' },
      },
      { type: 'tickets-issued', occurredAt, payload: { period: '2026-12-01', tickets: 3 } },
      {
        type: 'ticket-differences-found',
        occurredAt,
        payload: {
          period: '2026-12-01',
          required: 3,
          issued: 2,
          differences: { missing: 1, double: 0, unexpected: 0, mismatched: 0 },
        },
      },
      {
        type: 'billing-items-created',
        occurredAt,
        payload: {
          period: '2026-12-01',
          chargeTypes: [{ chargeType: 'ticket-charge', items: 3, overallCents: 17_955 }],
        },
      },
      {
        type: 'sync-finished',
        occurredAt,
        payload: { syncId: 's1', hrIntegrationId: 7, status: 'partially-failed', counts },
      },
      { type: 'sync-removals-held', occurredAt, payload: { syncId: 's1', hrIntegrationId: 7, count: 3 } },
      {
        type: 'hr-integration-status-changed',
        occurredAt,
        payload: { id: 7, status: 'inactive', previousStatus: 'active', reason: 'set-by-user' },
      },
      {
        type: 'roster-overdue',
        occurredAt,
        payload: { hrIntegrationId: 7, lastSynced: null, dueAt: '2026-11-14T08:00:00Z' },
      },
      {
        type: 'payroll-export-ready',
        occurredAt,
        payload: { id: 11, resource: 'payroll-export', period: '2026-12-01' },
      },
      { type: 'invoice-issued', occurredAt, payload: { id: 12, resource: 'invoice', period: '2026-12-01' } },
      { type: 'webhook-test', occurredAt, payload: {} },
    ]);
  });

describe('GET /events', () => {
  const app = useApp({ env: { RATE_LIMIT_PER_MINUTE: '0' } });
  let companyId: CompanyId;
  let key: Credentials;
  before(async () => {
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId);
    await writeOneOfEach(app, companyId);
  });

  refusesOtherMethods(() => ({ app, key, path: '/events', allow: 'GET, HEAD' }));
  answersHead(() => ({ app, key, path: '/events' }));

  const get = (query = '', as = key) => app.request(`/events${query}`, { key: as });
  const sequencesOf = ({ body }: TestResponse): number[] =>
    body.data.data.map(({ sequence }: { sequence: number }) => sequence);
  const typesOf = ({ body }: TestResponse): EventType[] => body.data.data.map(({ type }: { type: EventType }) => type);

  it('returns every event in ascending order, with the payload of its type', async () => {
    const response = await get();
    assert.deepEqual(typesOf(response), eventTypes);
    const { data, nextAfter, hasMore } = response.body.data;
    assert.deepEqual([nextAfter, hasMore], [eventTypes.length, false]);
    assert.deepEqual(Object.keys(data[0]), ['id', 'type', 'sequence', 'occurredAt', 'payload', 'resource', '_links']);
    for (const event of data) {
      const { href } = event._links.self;
      assert.equal(event.resource, 'event');
      assert.deepEqual((await get(href.replace('http://localhost:3000/v1/events', ''))).body.data.data, [event]);
    }
    assert.equal(data[0].occurredAt, '2026-11-15T11:00:00Z');
    const [subscriptionChanged] = data;
    // The order of fields is that of the documentation.
    assert.equal(
      JSON.stringify(subscriptionChanged.payload),
      JSON.stringify({
        id: 5,
        resource: 'employee',
        subscription,
        previousStatus: 'scheduled',
        cause: 'calendar',
        rule: 'start-has-come',
      }),
    );
    const payloadOf = (type: EventType) => data.find((event: { type: EventType }) => event.type === type).payload;
    assert.deepEqual(payloadOf('billing-items-created').chargeTypes, [
      { chargeType: 'ticket-charge', items: 3, overall: { label: '179,55\u00a0€', value: 17_955 } },
    ]);
    assert.deepEqual(payloadOf('sync-finished'), {
      syncId: 's1',
      hrIntegrationId: 7,
      status: 'partially-failed',
      counts,
    });
    assert.deepEqual(payloadOf('invoice-issued')._links, {
      self: { href: 'http://localhost:3000/v1/billing/invoices/12', type: 'application/json' },
      download: { href: 'http://localhost:3000/v1/billing/invoices/12/download', type: 'application/pdf' },
    });
    assert.deepEqual(payloadOf('webhook-test'), {});
  });

  it('continues after a sequence', async () => {
    const first = await get('?limit=5');
    assert.deepEqual(sequencesOf(first), [1, 2, 3, 4, 5]);
    assert.deepEqual([first.body.data.nextAfter, first.body.data.hasMore], [5, true]);
    const second = await get('?after=5&limit=100');
    assert.deepEqual(sequencesOf(second), [6, 7, 8, 9, 10, 11, 12, 13, 14]);
    const end = await get('?after=14');
    assert.deepEqual(end.body.data, { data: [], nextAfter: 14, hasMore: false, newest: 14 });
  });

  it('advances past events that the filter leaves out', async () => {
    const response = await get('?types=employee-created&types=webhook-test&limit=1');
    assert.deepEqual(sequencesOf(response), [2]);
    assert.deepEqual([response.body.data.nextAfter, response.body.data.hasMore], [2, true]);
    const none = await get('?types=employee-created&after=2');
    assert.deepEqual(none.body.data, { data: [], nextAfter: 14, hasMore: false, newest: 14 });
    assert.deepEqual(sequencesOf(await get('?types=tickets-issued,sync-finished')), [5, 8]);
  });

  const visible: Record<string, EventType[]> = {
    'view-employees': [
      'employee-subscription-changed',
      'employee-created',
      'employee-removed',
      'new-employee-document-generated',
      'tickets-issued',
      'ticket-differences-found',
      'webhook-test',
    ],
    'view-billing': ['billing-items-created', 'payroll-export-ready', 'invoice-issued', 'webhook-test'],
    'view-hr-integrations': [
      'sync-finished',
      'sync-removals-held',
      'hr-integration-status-changed',
      'roster-overdue',
      'webhook-test',
    ],
  };
  for (const [permission, types] of Object.entries(visible)) {
    it(`shows a key with ${permission} only the events about its records`, async () => {
      const limited = await makeKey(app.db, companyId, [permission as Permission, 'add-employees']);
      const response = await get('', limited);
      assert.deepEqual(typesOf(response), types);
      assert.deepEqual([response.body.data.nextAfter, response.body.data.hasMore], [14, false]);
      for (const type of eventTypes) {
        const expected = types.includes(type) ? [type] : [];
        assert.deepEqual(typesOf(await get(`?types=${type}`, limited)), expected);
      }
    });
  }

  it('refuses a key with none of the three permissions', async () => {
    const limited = await makeKey(app.db, companyId, ['add-employees', 'update-employees', 'remove-employees']);
    const response = await get('?after=x', limited);
    assertProblem(response, 403, 'missing-permission');
    assert.deepEqual(response.body.missingPermissions, ['view-employees', 'view-billing', 'view-hr-integrations']);
    assert.match(response.body.detail, /at least one of these/);
  });

  it('returns nothing of another company', async () => {
    const other = await makeKey(app.db, await makeCompany(app.db));
    assert.deepEqual((await get('', other)).body.data, { data: [], nextAfter: 0, hasMore: false, newest: 0 });
  });

  const wrong: [query: string, expected: Record<string, string>][] = [
    ['?after=-1', { after: 'minimum' }],
    ['?after=1.5', { after: 'type' }],
    ['?after=abc', { after: 'type' }],
    ['?after=9007199254740993', { after: 'maximum' }],
    ['?after=1&after=2', { after: 'repeated' }],
    ['?after=15', { after: 'maximum' }],
    ['?limit=0', { limit: 'minimum' }],
    ['?limit=101', { limit: 'maximum' }],
    ['?limit=ten', { limit: 'type' }],
    ['?types=employee-create', { types: 'enum' }],
    ['?types=employee-created,x', { types: 'enum' }],
    ['?type=employee-created', { type: 'unknown' }],
    ['?after=-1&limit=0&types=x&page=1', { after: 'minimum', limit: 'minimum', types: 'enum', page: 'unknown' }],
  ];
  for (const [query, expected] of wrong) {
    it(`refuses ${query}`, async () => assertInvalid(await get(query), expected));
  }

  it('says where to continue if the sequence is not from here', async () => {
    const { body } = await get('?after=15');
    assert.match(body.errors[0].detail, /must be at most 14, .* start again without `after`/);
  });

  for (const empty of ['', 'null']) {
    it(`treats ${empty || 'an empty value'} like an omitted parameter`, async () => {
      assert.deepEqual((await get(`?after=${empty}&limit=${empty}&types=${empty}`)).body, (await get()).body);
    });
  }

  it('says that events have expired, instead of leaving them out', async () => {
    const old = await makeCompany(app.db);
    const itsKey = await makeKey(app.db, old);
    await writeOneOfEach(app, old);
    const change = { id: 1, resource: 'employee', hrIntegrationId: null } as const;
    const later = occurredAt.add({ hours: 30 });
    await writeCompany(app.serviceDb, old, async (tx) =>
      appendEvents(tx, old, [{ type: 'employee-created', occurredAt: later, payload: change }]),
    );
    const expire = (now: Temporal.Instant) => writeCompany(app.serviceDb, old, (tx) => expireEvents(tx, old, now));
    await expire(occurredAt.add({ hours: 30 * 24 }));
    assert.equal(sequencesOf(await get('', itsKey)).length, 15);
    await expire(occurredAt.add({ hours: 31 * 24 }));
    const expired = await get('?after=3', itsKey);
    assertProblem(expired, 410, 'events-expired');
    assert.match(expired.body.detail, /has the sequence 15\./);
    for (const query of ['', '?after=0', '?after=14']) assert.deepEqual(sequencesOf(await get(query, itsKey)), [15]);
    await expire(occurredAt.add({ hours: 40 * 24 }));
    assertProblem(await get('?after=14', itsKey), 410, 'events-expired');
    for (const query of ['', '?after=15']) {
      assert.deepEqual((await get(query, itsKey)).body.data, { data: [], nextAfter: 15, hasMore: false, newest: 15 });
    }
  });

  it('lets no client miss an event, or receive one twice, while others are written', async () => {
    const busy = await makeCompany(app.db);
    const itsKey = await makeKey(app.db, busy);
    const load = { writers: 6, transactions: 15, events: 20 };
    const count = await assertNothingMissed(app, { companyId: busy, key: itsKey }, load);
    assert(count > 600, `only ${count} events`);
  });

  it('examines a limited number of events per request', async () => {
    const busy = await makeCompany(app.db);
    const itsKey = await makeKey(app.db, busy);
    const payload = (id: number) => ({ id, resource: 'employee', hrIntegrationId: null }) as const;
    const many = Array.from({ length: 10_002 }, (_, index) => payload(index));
    await writeCompany(app.serviceDb, busy, async (tx) =>
      appendEvents(
        tx,
        busy,
        many.map((one, index) => ({
          type: index === many.length - 1 ? 'employee-removed' : 'employee-created',
          occurredAt,
          payload: one,
        })),
      ),
    );
    const first = await get('?types=employee-removed', itsKey);
    assert.deepEqual(first.body.data, { data: [], nextAfter: 10_000, hasMore: true, newest: 10_002 });
    assert.deepEqual(sequencesOf(await get('?types=employee-removed&after=10000', itsKey)), [10_002]);
  });
});
