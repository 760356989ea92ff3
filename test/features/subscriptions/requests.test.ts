import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Actor } from '../../../src/domain/actor.ts';
import { listSubscriptionChanges } from '../../../src/features/employees/history.ts';
import {
  applyRequests,
  listRequests,
  planRequests,
  type RequestOutcome,
  type SubscriptionRequest,
  undoRequest,
} from '../../../src/features/subscriptions/request.ts';
import { joinCompany, onlyEmployee, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { pluck } from '../../support/pluck.ts';
import { watchStatements } from '../../support/statements.ts';
import { anEntry, assertKeptCounts } from '../../support/sync.ts';

const user: Actor = { type: 'user', name: '17' };
const key: Actor = { type: 'key', name: 'k' };
const day = (text: string) => Temporal.PlainDate.from(text);

type Asked = Omit<SubscriptionRequest, 'employeeId'>;

describe('subscription requests', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(entry = {}, settings: Record<string, unknown> = {}) {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, settings);
    await company.sync('one', [anEntry(1, entry)]);
    return company;
  }

  const write = <T>(run: (tx: Parameters<typeof applyRequests>[0]) => Promise<T>) =>
    watchStatements(fixture.app.db).transaction().execute(run);

  async function ask(company: TestCompany, actor: Actor, asked: Asked): Promise<RequestOutcome> {
    const employeeId = (await onlyEmployee(company)).id;
    const requests = [{ employeeId, ...asked }];
    const [outcome] = await write((tx) => applyRequests(tx, fixture.app.deps, company.companyId, { requests, actor }));
    return outcome ?? assert.fail();
  }

  async function asEmployee(company: TestCompany, asked: Asked) {
    const { id } = await onlyEmployee(company);
    return ask(company, { type: 'employee', name: String(id) }, asked);
  }

  async function idOf(promise: Promise<RequestOutcome>): Promise<number> {
    const outcome = await promise;
    assert.equal(outcome.status, 'applied', JSON.stringify(outcome));
    return (outcome.status === 'applied' && outcome.requestId) || assert.fail();
  }

  async function codeOf(promise: Promise<RequestOutcome>) {
    const outcome = await promise;
    return outcome.status === 'refused' ? `${outcome.code} ${outcome.earliestFrom}` : outcome.status;
  }

  async function undo(company: TestCompany, actor: Actor, requestId: number) {
    const employeeId = (await onlyEmployee(company)).id;
    return write((tx) => undoRequest(tx, fixture.app.deps, company.companyId, { requestId, employeeId, actor }));
  }

  const subscriptionOf = async (company: TestCompany) => (await onlyEmployee(company)).subscription;

  const stored = async (company: TestCompany) =>
    listRequests(
      fixture.app.db,
      company.companyId,
      (await onlyEmployee(company)).id,
      day(fixture.clock.now().toString().slice(0, 10)),
    );

  it('merge the pauses of both sides, and each side takes back its own', async () => {
    const company = await begin({ autoSyncEmployee: true });
    await company.runTo('2026-02-05');
    await asEmployee(company, { action: 'pause', from: day('2026-04-01'), until: day('2026-06-01') });
    await ask(company, key, { action: 'pause', from: day('2026-05-01'), until: day('2026-08-01') });
    assert.deepEqual((await subscriptionOf(company)).upcoming, { type: 'pause', at: '2026-04-01' });
    await company.runTo('2026-05-20');
    assert.equal(await codeOf(asEmployee(company, { action: 'resume' })), 'applied');
    assert.deepEqual((await subscriptionOf(company)).upcoming, { type: 'resumption', at: '2026-08-01' });
    assert.equal(await codeOf(ask(company, user, { action: 'resume', from: day('2026-07-01') })), 'applied');
    await company.runTo('2026-07-02');
    assert.deepEqual(
      (await company.tickets()).map((ticket) => ticket.slice(-2)),
      ['02', '03', '07'],
    );
    await assertKeptCounts(company);
  });

  it('are refused after the cut-off with the earliest month, and leave nothing behind', async () => {
    const company = await begin({ autoSyncEmployee: true });
    await company.runTo('2026-02-11');
    for (const action of ['pause', 'cancel'] as const) {
      assert.equal(await codeOf(asEmployee(company, { action, from: day('2026-03-01') })), 'after-cut-off 2026-04-01');
      assert.equal(await codeOf(ask(company, user, { action, from: day('2026-01-01') })), 'too-early 2026-04-01');
    }
    assert.deepEqual(await stored(company), []);
    assert.equal((await subscriptionOf(company)).upcoming, null);
  });

  it('undo until the cut-off restores exactly what was before, and names who asked', async () => {
    const company = await begin({ autoSyncEmployee: true });
    await company.runTo('2026-02-11');
    const before = await subscriptionOf(company);
    const first = await idOf(
      asEmployee(company, { action: 'pause', from: day('2026-06-01'), until: day('2026-07-01') }),
    );
    const between = await subscriptionOf(company);
    const second = await idOf(asEmployee(company, { action: 'cancel' }));
    assert.deepEqual(
      (await stored(company)).map(({ id, status, undoUntil, isUndoable }) => [id, status, undoUntil, isUndoable]),
      [
        [second, 'applied', '2026-03-10', true],
        [first, 'replaced', '2026-05-10', false],
      ],
    );
    assert.equal((await undo(company, user, second)).status, 'unknown-request');
    const me: Actor = { type: 'employee', name: String((await onlyEmployee(company)).id) };
    await company.runTo('2026-03-10');
    assert.equal((await undo(company, me, second)).status, 'applied');
    assert.deepEqual(await subscriptionOf(company), { ...between, nextTicketAt: '2026-04-01' });
    assert.equal((await undo(company, me, first)).status, 'applied');
    assert.deepEqual(await subscriptionOf(company), { ...before, nextTicketAt: '2026-04-01' });
    assert.deepEqual(pluck(await stored(company), 'status'), ['undone', 'undone']);
    assert.equal((await undo(company, me, first)).status, 'refused');
    const changes = await listSubscriptionChanges(fixture.app.db, company.companyId, Number(me.name));
    assert.deepEqual(
      changes.slice(-4).map(({ cause, rule, source, actor }) => [cause, rule, source, actor.type].join(' ')),
      [
        'pause pause-requested-by-employee employee employee',
        'cancel end-after-cut-off employee employee',
        'undo request-undone employee employee',
        'undo request-undone employee employee',
      ],
    );
  });

  it('cannot be undone after the cut-off', async () => {
    const company = await begin({ autoSyncEmployee: true });
    await company.runTo('2026-02-05');
    const id = await idOf(ask(company, user, { action: 'cancel' }));
    await company.runTo('2026-02-11');
    const outcome = await undo(company, user, id);
    assert.equal(outcome.status === 'refused' && outcome.code, 'undo-too-late');
    assert.deepEqual((await subscriptionOf(company)).upcoming, { type: 'cancellation', at: '2026-03-01' });
  });

  it('let whoever ended it decide who restarts it', async () => {
    const company = await begin({ autoSyncEmployee: true });
    await asEmployee(company, { action: 'cancel' });
    assert.equal((await subscriptionOf(company)).status, 'cancelled');
    assert.equal(await codeOf(ask(company, key, { action: 'subscribe' })), 'consent-required null');
    for (const [syncId, value] of [
      ['two', null],
      ['three', true],
    ] as const)
      await company.sync(syncId, [anEntry(1, { autoSyncEmployee: value })]);
    assert.equal((await subscriptionOf(company)).status, 'cancelled');
    const { id } = await onlyEmployee(company);
    const last = (await listSubscriptionChanges(fixture.app.db, company.companyId, id)).at(-1);
    assert.deepEqual([last?.rule, last?.syncId], ['not-subscribed-ended-by-employee', 'three']);
    const consent = { given: 'on-paper', on: day('2026-01-15') } as const;
    assert.equal(await codeOf(ask(company, key, { action: 'subscribe', consent })), 'applied');
    await ask(company, user, { action: 'cancel' });
    assert.equal(await codeOf(asEmployee(company, { action: 'subscribe' })), 'ended-by-company null');
    assert.equal(await codeOf(ask(company, key, { action: 'subscribe' })), 'applied');
  });

  it('of employees begin nothing while the roster alone decides, but take back their own end', async () => {
    const company = await begin();
    assert.equal(await codeOf(asEmployee(company, { action: 'subscribe' })), 'joining-not-allowed null');
    await ask(company, user, { action: 'subscribe' });
    await asEmployee(company, { action: 'cancel' });
    await asEmployee(company, { action: 'subscribe' });
    assert.deepEqual((await subscriptionOf(company)).upcoming, { type: 'start', at: '2026-02-01' });
  });

  it('accept the contract when an employee joins', async () => {
    const company = await begin({}, { plan_type: 'split-pay-plan', contribution_cents: 2000, joining: 'both' });
    await asEmployee(company, { action: 'subscribe', from: day('2026-03-01') });
    const { subscription, plan } = await onlyEmployee(company);
    assert.deepEqual(subscription.upcoming, { type: 'start', at: '2026-03-01' });
    assert.equal(plan.contractSigningStatus, 'accepted');
  });

  it('have the same result when made twice or concurrently, and when planned before', async () => {
    const company = await begin({ autoSyncEmployee: true });
    await company.runTo('2026-02-05');
    const { id: employeeId } = await onlyEmployee(company);
    const requests = [
      { employeeId, action: 'cancel' as const },
      { employeeId: 999_999, action: 'cancel' as const },
      { employeeId, action: 'resume' as const },
    ];
    const planned = await planRequests(fixture.app.db, fixture.app.deps, company.companyId, { requests, actor: user });
    assert.deepEqual(await stored(company), []);
    assert.equal((await subscriptionOf(company)).upcoming, null);
    const ids = await Promise.all(Array.from({ length: 5 }, () => idOf(ask(company, user, { action: 'cancel' }))));
    assert.equal(new Set(ids).size, 1);
    assert.equal((await stored(company)).length, 1);
    const applied = await write((tx) =>
      applyRequests(tx, fixture.app.deps, company.companyId, { requests, actor: user }),
    );
    assert.deepEqual(pluck(applied, 'status'), ['applied', 'unknown-employee', 'refused']);
    assert.deepEqual(pluck(planned, 'status'), pluck(applied, 'status'));
    const other = await joinCompany(fixture);
    const foreign = await write((tx) =>
      applyRequests(tx, fixture.app.deps, other.companyId, { requests: requests.slice(0, 1), actor: user }),
    );
    assert.deepEqual(foreign, [{ status: 'unknown-employee' }]);
  });

  it('of earlier releases are the company’s', async () => {
    const company = await begin({ autoSyncEmployee: true });
    await company.runTo('2026-02-05');
    await ask(company, user, { action: 'pause' });
    await fixture.app.db
      .updateTable('employees')
      .set({ requested: null })
      .where('company_id', '=', company.companyId)
      .execute();
    await company.runTo('2026-03-05');
    assert.equal(await codeOf(asEmployee(company, { action: 'resume' })), 'paused-by-company null');
    assert.equal(await codeOf(ask(company, user, { action: 'resume' })), 'applied');
    await company.runTo('2026-04-05');
    await ask(company, user, { action: 'cancel' });
    await fixture.app.db
      .updateTable('employees')
      .set({ requested: null })
      .where('company_id', '=', company.companyId)
      .execute();
    await company.runTo('2026-05-05');
    assert.equal(await codeOf(asEmployee(company, { action: 'subscribe' })), 'ended-by-company null');
    assert.equal(await codeOf(ask(company, user, { action: 'subscribe' })), 'applied');
  });
});
