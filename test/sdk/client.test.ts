import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  SyncFailedError,
  type SyncProgress,
  TransitBenefits,
} from '../../sdk/src/index.ts';
import { useApp } from '../support/app.ts';
import {
  anEmployee,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployees,
  makeKey,
} from '../support/factories.ts';
import { pluck } from '../support/pluck.ts';
import { anEntry, entries, makePusher, type Pusher } from '../support/sync.ts';

const app = useApp({ worker: 'without documents' });

const clientOf = ({ key }: Pick<Pusher, 'key'>) => new TransitBenefits({ key, baseUrl: app.url });

describe('credentials', () => {
  it('come from the options, or from the environment', async () => {
    const { key } = await makePusher(app);
    const fromText = new TransitBenefits({ key: `${key.username}:${key.password}`, baseUrl: new URL(app.url).origin });
    assert.equal((await fromText.me()).username, key.username);
    Object.assign(process.env, {
      TRANSIT_BENEFITS_KEY: `${key.username}:${key.password}`,
      TRANSIT_BENEFITS_URL: app.url,
    });
    try {
      assert.equal((await new TransitBenefits().me()).username, key.username);
    } finally {
      delete process.env.TRANSIT_BENEFITS_KEY;
      delete process.env.TRANSIT_BENEFITS_URL;
    }
  });

  it('are required', () => {
    assert.throws(() => new TransitBenefits(), /TRANSIT_BENEFITS_KEY/);
    assert.throws(() => new TransitBenefits({ key: 'only-a-name' }), /username:password/);
    assert.throws(() => new TransitBenefits({ key: 'a:b', baseUrl: 'example' }), /not a URL/);
  });
});

describe('lists', () => {
  it('yield every record that matches', async () => {
    const pusher = await makePusher(app);
    const people = [anEmployee(), anEmployee(), anEmployee()];
    const ids = await makeEmployees(app.db, pusher.companyId, people);
    const { employees } = clientOf(pusher);
    const seen: number[] = [];
    for await (const { id } of employees.list()) seen.push(id);
    assert.deepEqual(
      seen,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(await employees.list({ statuses: ['active'] }).count(), 0);
    const [email = ''] = people.map((one) => one.email);
    assert.equal((await employees.list({ emails: [email] }).toArray())[0]?.email, email);
    assert.equal((await employees.list().toArray(2)).length, 2);
  });
});

describe('subscription requests', () => {
  it('are previewed, applied, listed and refused with a reason', async () => {
    const companyId = await makeCompany(app.db);
    const [id = 0, other = 0] = await makeEmployees(app.db, companyId, [anEmployee(), anEmployee()]);
    const key = await makeKey(app.db, companyId, ['manage-subscriptions', 'view-employees']);
    const { employees } = clientOf({ key });
    const request = { action: 'subscribe', reason: 'New here' } as const;
    assert.equal((await employees.requestSubscriptionChange(id, request, { dryRun: true })).id, null);
    const applied = await employees.requestSubscriptionChange(id, request, { idempotencyKey: 'first' });
    assert.deepEqual(await employees.requestSubscriptionChange(id, request, { idempotencyKey: 'first' }), applied);
    assert.deepEqual(await employees.subscriptionRequests(id).toArray(), [applied]);
    const many = [
      { employeeId: other, ...request },
      { employeeId: id, action: 'resume' as const },
    ];
    const results = await employees.requestSubscriptionChanges(many);
    assert.deepEqual(pluck(results, 'status'), ['applied', 'refused']);
    await assert.rejects(employees.requestSubscriptionChange(id, { action: 'resume' }), (error) => {
      assert(error instanceof ConflictError);
      assert.deepEqual([error.reason, error.earliestFrom], ['not-paused', null]);
      return true;
    });
  });
});

describe('errors', () => {
  it('are classes with code, status, errors, request id and remedy', async () => {
    const pusher = await makePusher(app);
    const client = clientOf(pusher);
    await assert.rejects(client.employees.get(987_654), (error) => {
      assert(error instanceof NotFoundError);
      assert.deepEqual([error.code, error.status, error.errors], ['not-found', 404, []]);
      assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/);
      assert.match(error.remedy, /Check the id/);
      return true;
    });
    const wrong = new TransitBenefits({ key: { ...pusher.key, password: 'wrong' }, baseUrl: app.url });
    await assert.rejects(wrong.me(), AuthenticationError);
    const key = await makeKey(app.db, pusher.companyId, ['view-billing']);
    await assert.rejects(clientOf({ key }).employees.list().page(), (error) => {
      assert(error instanceof PermissionError);
      assert.deepEqual(error.missingPermissions, ['view-employees']);
      return true;
    });
    const roster = [anEntry(1), anEntry(2, { email: 'no address' }), anEntry(3, { firstName: '' })];
    await assert.rejects(client.hrIntegrations.sync(pusher.integrationId, roster), (error) => {
      assert(error instanceof InvalidRequestError);
      assert.deepEqual([error.code, error.errorCount], ['invalid-roster', 2]);
      assert.deepEqual(pluck(error.errors, 'pointer'), ['/employees/1/email', '/employees/2/firstName']);
      return true;
    });
  });
});

describe('syncs', () => {
  it('return a preview, or wait for the outcome and report progress', async () => {
    const pusher = await makePusher(app);
    const { hrIntegrations, employees } = clientOf(pusher);
    const preview = await hrIntegrations.sync(pusher.integrationId, entries(3), { dryRun: true });
    assert.equal(preview.counts.created, 3);
    assert.equal(await employees.list().count(), 0);
    const progress: SyncProgress[] = [];
    const onProgress = (one: SyncProgress) => progress.push(one);
    const sync = await hrIntegrations.sync(pusher.integrationId, entries(3), { wait: true, onProgress });
    assert.deepEqual([sync.state, sync.counts.created], ['succeeded', 3]);
    assert.deepEqual([progress[0]?.state, progress.at(-1)?.state], ['sending', 'succeeded']);
  });

  it('have an id made from their content: a repetition runs once, and a roster that returns runs again', async () => {
    const pusher = await makePusher(app);
    const { hrIntegrations } = clientOf(pusher);
    const push = (roster: Parameters<typeof hrIntegrations.sync>[1]) =>
      hrIntegrations.sync(pusher.integrationId, roster, { wait: true });
    const first = await push(entries(2));
    const reordered = entries(2).map((entry) => Object.fromEntries(Object.entries(entry).toReversed()));
    const again = await push(reordered as never);
    assert.equal(again.syncId, first.syncId);
    const other = await push(entries(3));
    const back = await push(entries(2));
    assert.equal(new Set([first.syncId, other.syncId, back.syncId]).size, 3);
    assert.equal(back.counts.offboarded, 1);
    const given = await push({ syncId: 'mine', employees: entries(2) });
    assert.equal(given.syncId, 'mine');
  });

  it('need no permission to read syncs unless they wait', async () => {
    const pusher = await makePusher(app);
    const permissions = ['view-employees', 'add-employees', 'update-employees', 'remove-employees'] as const;
    const key = await makeKey(app.db, pusher.companyId, permissions);
    const { syncId } = await clientOf({ key }).hrIntegrations.sync(pusher.integrationId, entries(1));
    assert.equal((await pusher.finished(syncId)).state, 'succeeded');
  });

  it('throw with the failed records', async () => {
    const pusher = await makePusher(app);
    await makeEmployees(app.db, pusher.companyId, [anEmployee({ email: 'taken@example.com' })]);
    const { hrIntegrations } = clientOf(pusher);
    await hrIntegrations.sync(pusher.integrationId, [anEntry(1), anEntry(2)], { wait: true });
    const roster = [anEntry(1, { email: 'taken@example.com' }), anEntry(2)];
    await assert.rejects(hrIntegrations.sync(pusher.integrationId, roster, { wait: true }), (error) => {
      assert(error instanceof SyncFailedError);
      assert.equal(error.sync.state, 'partially-failed');
      assert.deepEqual(pluck(error.failedRecords, 'hrId', 'code'), [['E1', 'email-taken']]);
      return true;
    });
  });

  it('end with the reason of a signal', async () => {
    const pusher = await makePusher(app);
    const signal = AbortSignal.abort(new Error('stopped by the test'));
    const { hrIntegrations } = clientOf(pusher);
    await assert.rejects(hrIntegrations.sync(pusher.integrationId, entries(1), { signal }), /stopped by the test/);
  });
});

describe('exports of charges', () => {
  it('yield the same items as one response, whatever text they contain', async () => {
    const pusher = await makePusher(app);
    const ids = await makeEmployees(app.db, pusher.companyId, [anEmployee(), anEmployee(), anEmployee()]);
    const names = ['{"}]\\', 'Zoë "Ö" \\"', '\u2028😀}'];
    const charges = ids.map((id, index) => aTicketCharge(id, { first_name: names[index] ?? '' }));
    await makeBillingItems(app.db, pusher.companyId, charges);
    const { body } = await pusher.get('/billing/items/2026-11-01/ticket-charge');
    const { billing } = clientOf(pusher);
    assert.deepEqual(await Array.fromAsync(billing.export('2026-11', 'ticket-charge')), body.data);
    assert.deepEqual(await Array.fromAsync(billing.export('2026-10-01', 'ticket-charge')), []);
    assert.deepEqual(await Array.fromAsync(billing.export('2026-11', 'ticket-charge', { corrections: 'only' })), []);
    await assert.rejects(Array.fromAsync(billing.export('11/2026', 'ticket-charge')), /no month/);
    for await (const item of billing.export('2026-11', 'ticket-charge')) {
      assert.equal(item.id, body.data[0].id);
      break;
    }
  });
});

describe('events', () => {
  it('are followed in order, also those that happen meanwhile', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('one', entries(2));
    const { events } = clientOf(pusher);
    const known = await Array.fromAsync(events.list());
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const { type, sequence } of events.follow({ after: 0, pollMs: 10, signal: stop.signal })) {
      assert.equal(sequence, seen.push(type));
      if (seen.length === known.length) await pusher.sync('two', entries(3));
      if (seen.filter((one) => one === 'sync-finished').length === 2) stop.abort();
    }
    assert(seen.length > known.length);
  });
});
